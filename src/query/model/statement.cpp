#include "query/model/statement.hpp"

#include <utility>

#include "base/destroy_deep.hpp"

namespace kith::core {

value_text::value_text() = default;
value_text::value_text(value_text&&) noexcept = default;

value_text::value_text(const value_text& other) {
  std::vector<std::pair<const value_text*, value_text*>> open{{&other, this}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    to->is = from->is;
    to->text = from->text;
    to->at = from->at;
    to->members.resize(from->members.size());
    for (std::size_t i = 0; i < from->members.size(); ++i) {
      to->members[i].name = from->members[i].name;
      to->members[i].at = from->members[i].at;
      open.emplace_back(&from->members[i].value, &to->members[i].value);
    }
  }
}

value_text& value_text::operator=(const value_text& other) {
  if (this != &other) *this = value_text(other);
  return *this;
}

value_text& value_text::operator=(value_text&& other) noexcept {
  if (this == &other) return *this;
  // `other` may be a part of *this, so the old content lives until `other` was moved.
  value_text old(std::move(*this));
  is = other.is;
  text = std::move(other.text);
  members = std::move(other.members);
  at = other.at;
  return *this;
}

value_text::~value_text() {
  destroy_deep(
      members, [](member& m) { return m.value.members.empty() ? nullptr : &m.value.members; },
      [](member& m) { return &m.value.members; });
}

bool operator==(const value_text& a, const value_text& b) {
  std::vector<std::pair<const value_text*, const value_text*>> open{{&a, &b}};
  while (!open.empty()) {
    const auto [left, right] = open.back();
    open.pop_back();
    if (left->is != right->is || left->text != right->text ||
        left->members.size() != right->members.size())
      return false;
    for (std::size_t i = 0; i < left->members.size(); ++i) {
      if (left->members[i].name != right->members[i].name) return false;
      open.emplace_back(&left->members[i].value, &right->members[i].value);
    }
  }
  return true;
}

}  // namespace kith::core
