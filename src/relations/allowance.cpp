#include "relations/allowance.hpp"

#include <kith/detail/error.hpp>

#include "base/amount_text.hpp"

namespace kith::core {

void allowance::look() const {
  if (std::chrono::duration<double>(clock::now() - began_).count() < given_.seconds) return;
  raise(errc::budget, "the facts take more than ", amount_text(given_.seconds, "second", "seconds"),
        ", the limit that budget::seconds sets");
}

void allowance::raise_entities() const {
  raise(errc::budget, "the facts create more than ",
        amount_text(static_cast<double>(given_.entities), "entity", "entities"),
        ", the limit that budget::entities sets");
}

}  // namespace kith::core
