// Any text is a query or an error; a query prints as a text that is an equal query.
#include <string>

#include <kith/detail/builtins.hpp>

#include "check_error.hpp"
#include "query/model/print.hpp"
#include "query/parse/parse.hpp"

namespace {

// A text contains no entities; only the relations that flag words imply are printed by name.
class no_names : public kith::core::entity_namer {
 public:
  std::string name_of(kith::entity_t e) const override {
    require(e == kith::ChildOf || e == kith::IsA);
    return e == kith::ChildOf ? "ChildOf" : "IsA";
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto query = kith::core::parse_query(text);
  const auto chain = kith::core::parse_chain(text);
  if (!query) {
    check_error(query.error(), text);
    check_error(chain.error(), text);
    return 0;
  }
  require(chain.has_value() == (query.value().chains.size() == 1));
  require(!chain || chain.value() == query.value().chains[0]);
  const std::string printed = to_text(query.value(), no_names());
  const auto back = kith::core::parse_query(printed);
  require(back && back.value() == query.value());
  require(to_text(back.value(), no_names()) == printed);
  const kith::core::expression copy = query.value();
  require(copy == query.value());
  return 0;
}
