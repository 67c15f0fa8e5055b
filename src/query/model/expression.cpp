#include "query/model/expression.hpp"

#include <tuple>
#include <utility>

#include "base/destroy_deep.hpp"

namespace kith::core {

namespace {

// All members of a term except its scope.
template <class Term>
auto head_of(Term& t) {
  return std::tie(t.is, t.op, t.rights, t.compare, t.first, t.source, t.second, t.at);
}

// Calls visit(a, b) for each pair of terms at the same position of two lists of chains. Returns
// false as soon as the numbers of chains or alternatives differ or `visit` returns false.
template <class Chains, class Visit>
bool each_pair(const std::vector<chain>& from, Chains& to, Visit visit) {
  if (from.size() != to.size()) return false;
  for (std::size_t c = 0; c < from.size(); ++c) {
    const std::vector<term>& a = from[c].alternatives;
    auto& b = to[c].alternatives;
    if (a.size() != b.size()) return false;
    for (std::size_t t = 0; t < a.size(); ++t)
      if (!visit(a[t], b[t])) return false;
  }
  return true;
}

}  // namespace

expression::expression(std::vector<chain> list) : chains(std::move(list)) {}
expression::expression(expression&&) noexcept = default;

expression::expression(const expression& other) {
  std::vector<std::pair<const expression*, expression*>> open{{&other, this}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    to->chains.resize(from->chains.size());
    for (std::size_t c = 0; c < from->chains.size(); ++c)
      to->chains[c].alternatives.resize(from->chains[c].alternatives.size());
    each_pair(from->chains, to->chains, [&](const term& original, term& copy) {
      head_of(copy) = head_of(original);
      if (!original.scope.chains.empty()) open.emplace_back(&original.scope, &copy.scope);
      return true;
    });
  }
}

expression& expression::operator=(const expression& other) {
  if (this != &other) *this = expression(other);
  return *this;
}

expression& expression::operator=(expression&& other) noexcept {
  if (this == &other) return *this;
  // `other` may be a part of *this, so the old content lives until `other` was moved.
  expression old(std::move(*this));
  chains = std::move(other.chains);
  return *this;
}

expression::~expression() {
  const auto last_scope = [](chain& c) -> std::vector<chain>* {
    std::vector<term>& terms = c.alternatives;
    while (!terms.empty() && terms.back().scope.chains.empty()) terms.pop_back();
    return terms.empty() ? nullptr : &terms.back().scope.chains;
  };
  const auto first_scope = [](chain& c) {
    return c.alternatives.empty() ? nullptr : &c.alternatives.front().scope.chains;
  };
  destroy_deep(chains, last_scope, first_scope);
}

bool operator==(const expression& a, const expression& b) {
  std::vector<std::pair<const expression*, const expression*>> open{{&a, &b}};
  while (!open.empty()) {
    const auto [left, right] = open.back();
    open.pop_back();
    const bool same = each_pair(left->chains, right->chains, [&](const term& x, const term& y) {
      if (!x.scope.chains.empty() || !y.scope.chains.empty()) open.emplace_back(&x.scope, &y.scope);
      return head_of(x) == head_of(y);
    });
    if (!same) return false;
  }
  return true;
}

bool operator==(const chain& a, const chain& b) { return a.alternatives == b.alternatives; }

bool operator==(const term& a, const term& b) {
  return head_of(a) == head_of(b) && a.scope == b.scope;
}

}  // namespace kith::core
