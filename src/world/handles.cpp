// The parts of the typed skin that need no types.
#include <ostream>

#include <kith/kith.hpp>

namespace kith {

bool id::is_wildcard() const {
  if (!is_pair()) return core::is_wildcard(core::index_of(raw_)) && raw_ == core::index_of(raw_);
  return core::is_wildcard(core::relation_of(raw_)) || core::is_wildcard(core::target_of(raw_));
}

entity id::first() const {
  return is_pair() ? kith::entity(world_, world_->first(raw_)) : kith::entity();
}

entity id::second() const {
  return is_pair() ? kith::entity(world_, world_->second(raw_)) : kith::entity();
}

entity id::entity() const { return is_pair() ? kith::entity() : kith::entity(world_, raw_); }

entity id::type_id() const {
  const entity_t type = world_ ? world_->type_of(raw_) : 0;
  return type ? kith::entity(world_, type) : kith::entity();
}

std::string id::str() const { return world_ ? world_->text_of(raw_) : "nothing"; }

std::ostream& operator<<(std::ostream& out, const id& i) { return out << i.str(); }

std::string type::str() const {
  std::string text;
  for (id i : *this) text.append(text.empty() ? "" : ", ").append(i.str());
  return text;
}

}  // namespace kith
