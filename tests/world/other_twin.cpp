// A type with the same qualified name as one in worlds_test.cpp but another size, as two shared
// libraries may have.
#include <kith/kith.hpp>

namespace {
struct Twin {
  double a, b, c;
};
}  // namespace

void set_other_twin(kith::entity e);

void set_other_twin(kith::entity e) { e.set(Twin{1, 2, 3}); }
