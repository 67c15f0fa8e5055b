#include "commands.hpp"

namespace kith::cli {

void print_facts(const world& in, output& out) {
  in.facts([&](std::string_view piece) { out << piece; });
}

}  // namespace kith::cli
