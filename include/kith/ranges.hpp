// What an entity is related to, as ranges and visits.
//
//     for (kith::entity food : bob.targets(Eats)) bob.remove(Eats, food);
//
// Changes made while visiting take effect when the outermost visit ends.
#pragma once

#include <memory>

#include <kith/entity.hpp>
#include <kith/iter.hpp>

namespace kith {

namespace core {

// Walks a sequence of pairs or entities. The sequence stays as it is, because the iterator defers
// changes until it reaches the end.
template <class Sequence>
class deferred_iterator {
 public:
  using value_type = entity;
  using difference_type = std::ptrdiff_t;
  using reference = entity;
  using pointer = void;
  using iterator_category = std::input_iterator_tag;

  deferred_iterator(engine& world, const Sequence& sequence)
      : world_(&world), sequence_(sequence), deferral_(world) {
    settle();
  }

  entity operator*() const {
    check_not_at_end();
    return {world_, sequence_.at(*world_, position_)};
  }
  deferred_iterator& operator++() {
    check_not_at_end();
    ++position_;
    settle();
    return *this;
  }
  deferred_iterator operator++(int) {
    deferred_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const deferred_iterator& i, std::default_sentinel_t) {
    return i.position_ >= i.sequence_.size();
  }
  friend bool operator==(const deferred_iterator& a, const deferred_iterator& b) {
    return a.position_ == b.position_;
  }

 private:
  void check_not_at_end() const {
    if (*this == std::default_sentinel) raise_past_the_end();
  }
  // Passes elements that are switched off. At the end the waiting changes happen.
  void settle() {
    while (position_ < sequence_.size() && !sequence_.visible(*world_, position_)) ++position_;
    if (position_ >= sequence_.size()) deferral_.end();
  }

  engine* world_;
  Sequence sequence_;
  std::size_t position_ = 0;
  deferral deferral_;
};

struct target_sequence {
  std::span<const id_t> pairs;
  // Instead of the pairs, if they are of several entities or some are switched off.
  std::shared_ptr<const std::vector<entity_t>> shown;
  std::size_t size() const { return shown ? shown->size() : pairs.size(); }
  bool visible(const engine&, std::size_t) const { return true; }
  entity_t at(const engine& world, std::size_t i) const {
    return shown ? (*shown)[i] : world.second(pairs[i]);
  }
};

struct child_sequence {
  id_t pair;  // (ChildOf, parent)
  std::span<const entity_t> entities;
  std::size_t size() const { return entities.size(); }
  bool visible(const engine& world, std::size_t i) const {
    return world.is_enabled(entities[i], pair);
  }
  entity_t at(const engine&, std::size_t i) const { return entities[i]; }
};

}  // namespace core

class target_range {
 public:
  using iterator = core::deferred_iterator<core::target_sequence>;
  target_range(core::engine& world, entity_t source, entity_t relation)
      : world_(&world), source_(source), relation_(relation) {}
  iterator begin() const {
    if (const auto pairs = world_->shown_pairs(source_, relation_))
      return {*world_, {*pairs, nullptr}};
    return {*world_,
            {{}, std::make_shared<std::vector<entity_t>>(world_->targets(source_, relation_))}};
  }
  std::default_sentinel_t end() const { return {}; }
  std::size_t count() const { return world_->target_count(source_, relation_); }
  bool empty() const { return count() == 0; }

 private:
  core::engine* world_;
  entity_t source_, relation_;
};

class child_range {
 public:
  using iterator = core::deferred_iterator<core::child_sequence>;
  child_range(core::engine& world, entity_t parent) : world_(&world), parent_(parent) {}
  iterator begin() const {
    const id_t pair = world_->pair(ChildOf, parent_);
    return {*world_, {pair, world_->children_of(parent_)}};
  }
  std::default_sentinel_t end() const { return {}; }
  std::size_t count() const {
    std::size_t n = 0;
    for (auto i = begin(); i != end(); ++i) ++n;
    return n;
  }
  bool empty() const { return begin() == end(); }

 private:
  core::engine* world_;
  entity_t parent_;
};

// The ids of an entity at one moment.
class type {
 public:
  type(core::engine* world, std::vector<id_t> ids) : world_(world), ids_(std::move(ids)) {}

  class iterator {
   public:
    using value_type = id;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(const type* of, std::size_t i) : of_(of), i_(i) {}
    id operator*() const { return of_->get(i_); }
    iterator& operator++() {
      ++i_;
      return *this;
    }
    iterator operator++(int) { return {of_, i_++}; }
    friend bool operator==(const iterator&, const iterator&) = default;

   private:
    const type* of_ = nullptr;
    std::size_t i_ = 0;
  };

  std::size_t count() const { return ids_.size(); }
  // An error past the last.
  id get(std::size_t i) const {
    if (i >= ids_.size())
      core::raise(errc::out_of_range, "the type has ", std::to_string(ids_.size()), " ids");
    return {world_, ids_[i]};
  }
  iterator begin() const { return {this, 0}; }
  iterator end() const { return {this, ids_.size()}; }
  // `Position, Npc, (Likes, alice)`
  std::string str() const;
  friend bool operator==(const type&, const type&) = default;

 private:
  core::engine* world_;
  std::vector<id_t> ids_;
};

// A table of the storage: the entities that have the same ids, as far as those split tables. For
// inspection: an id may be kept apart, and then its values are in no table.
class table {
 public:
  table(core::engine* world, std::uint32_t number, kith::type ids)
      : world_(world), number_(number), ids_(std::move(ids)) {}
  const kith::type& type() const { return ids_; }
  std::string str() const { return ids_.str(); }

  // How many entities it has now.
  std::size_t count() const { return all().size(); }
  kith::entity entity(std::size_t row) const {
    if (row >= count()) core::raise(errc::out_of_range, "the table has no such row");
    return {world_, all()[row]};
  }
  const entity_t* entities() const { return all().data(); }

  // As `entity::depth`, of its entities.
  std::size_t depth(core::id_arg relation) const { return count() ? entity(0).depth(relation) : 0; }
  template <class R>
  std::size_t depth() const {
    return depth(core::id_of<R>(*world_));
  }

  // Is it one of its ids? A pattern asks for any.
  bool has(core::id_arg id) const {
    for (const kith::id own : ids_)
      if (core::matches(own.raw_id(), id.raw)) return true;
    return false;
  }
  bool has(core::id_arg relation, core::id_arg target) const {
    return has(world_->pair(relation.in(*world_), target.in(*world_)));
  }
  template <class... X>
  bool has() const {
    return has(core::id_of<X...>(*world_));
  }
  template <class R>
  bool has(core::id_arg target) const {
    return has(core::id_of<R>(*world_), target);
  }

  // The values of an id, one for each entity, side by side; null if the table does not keep them.
  // Valid until the next change.
  void* get(core::id_arg id) const { return world_->table_values(number_, id.in(*world_)); }
  void* get(core::id_arg relation, core::id_arg target) const {
    return get(world_->pair(relation.in(*world_), target.in(*world_)));
  }
  template <class... X>
  core::value_type<X...>* get() const {
    return static_cast<core::value_type<X...>*>(get(core::id_of<X...>(*world_)));
  }
  template <class R>
  R* get(core::id_arg target) const {
    return static_cast<R*>(get(core::id_of<R>(*world_), target));
  }
  template <class... X>
  auto try_get() const {
    return get<X...>();
  }

  friend bool operator==(const table& a, const table& b) {
    return a.world_ == b.world_ && a.number_ == b.number_;
  }

 protected:
  std::span<const entity_t> all() const { return world_->table_entities(number_); }
  core::engine* world_;
  std::uint32_t number_;
  kith::type ids_;
};

// Neighbouring rows of a table.
class table_range : public table {
 public:
  table_range(kith::table of, std::size_t first, std::size_t count)
      : table(std::move(of)), first_(first), count_(count) {}
  std::size_t offset() const { return first_; }
  std::size_t count() const { return count_; }
  const entity_t* entities() const { return all().data() + first_; }

  void* get(core::id_arg id) const {
    const entity_t type = world_->type_of(id.in(*world_));
    auto* const values = static_cast<std::byte*>(table::get(id));
    return values ? values + first_ * world_->size_of(type) : nullptr;
  }
  void* get(core::id_arg relation, core::id_arg target) const {
    return get(world_->pair(relation.in(*world_), target.in(*world_)));
  }
  template <class... X>
  core::value_type<X...>* get() const {
    return static_cast<core::value_type<X...>*>(get(core::id_of<X...>(*world_)));
  }
  template <class R>
  R* get(core::id_arg target) const {
    return static_cast<R*>(get(core::id_of<R>(*world_), target));
  }
  template <class... X>
  auto try_get() const {
    return get<X...>();
  }

 private:
  std::size_t first_;
  std::size_t count_;
};

inline target_range entity::targets(core::id_arg relation) const {
  const entity_t r = relation.in(here());
  here().pairs_of(raw_, r);  // checks both now rather than at begin()
  return {here(), raw_, r};
}

template <class R>
target_range entity::targets() const {
  return targets(core::id_of<R>(here()));
}

inline child_range entity::children() const {
  here().children_of(raw_);
  return {here(), raw_};
}

inline entity entity::set_child_order(std::span<const entity> children) const {
  std::vector<entity_t> order;
  for (const entity& child : children) order.push_back(core::id_arg(child).in(here()));
  here().set_child_order(raw_, order);
  return *this;
}

inline entity entity::slot() const { return slot_of(parent()); }

inline std::string entity::path_from(core::id_arg parent, core::text_arg separator) const {
  const entity_t top = parent.in(here());
  std::string text;
  for (entity at = *this; at && at.raw_ != top; at = at.parent()) {
    const std::string own =
        at.name().empty() ? "#" + std::to_string(at.raw_) : std::string(at.name());
    text = text.empty() ? own : own + std::string(separator) + text;
  }
  return text;
}

template <class Function>
void entity::children(Function visit) const {
  for (entity child : children()) visit(child);
}

template <class Function>
void entity::children(core::id_arg relation, Function visit) const {
  if (relation.raw == ChildOf) return children(std::move(visit));
  struct call {
    Function& visit;
    core::engine* world;
  } context{visit, &here()};
  core::deferral waiting(here());
  here().each_with(
      pair_of(relation, *this),
      [](entity_t e, void* c) {
        auto& calling = *static_cast<call*>(c);
        calling.visit(kith::entity(calling.world, e));
      },
      &context);
  waiting.end();
}

inline std::size_t entity::depth(core::id_arg relation) const { return reached(relation).size(); }

template <class Function>
void entity::each(Function visit) const {
  const std::vector<id_t> ids = here().owned_ids(raw_);
  core::deferral waiting(here());
  for (id_t i : ids) visit(kith::id(world_, i));
  waiting.end();
}

template <class Function>
void entity::each(core::id_arg relation, Function visit) const {
  for (entity whom : targets(relation)) visit(whom);
}

template <class Function>
void entity::match(core::id_arg pattern, Function visit) const {
  const std::vector<id_t> ids = here().matching_ids(raw_, pattern.in(here()));
  core::deferral waiting(here());
  for (id_t i : ids) visit(kith::id(world_, i));
  waiting.end();
}

inline type entity::type() const { return {world_, here().owned_ids(raw_)}; }

inline table entity::table() const {
  return {world_, here().table_number(raw_), {world_, here().table_ids(raw_)}};
}

namespace core {

// While one exists, new entities get an id.
class with_id {
 public:
  with_id(engine& world, id_t id) : world_(world) { world.push_with(id); }
  with_id(const with_id&) = delete;
  with_id& operator=(const with_id&) = delete;
  ~with_id() { world_.pop_with(); }

 private:
  engine& world_;
};

}  // namespace core

inline table_range entity::range() const { return {table(), here().table_row(raw_), 1}; }

inline table iter::table() const { return entity(0).table(); }
inline table_range iter::range() const {
  const table_range first = entity(0).range();
  return {first, first.offset(), count()};
}
inline type iter::type() const { return entity(0).type(); }

template <class Function>
void iter::targets(std::size_t n, Function visit) const {
  const kith::entity found_on = src(n);
  const kith::entity whose = found_on ? found_on : entity(0);
  for (const kith::entity target : whose.targets(pair(n).first())) visit(target);
}

template <class Function>
entity entity::with(Function body) const {
  const core::with_id given(here(), raw_);
  body();
  return *this;
}

template <class Function>
entity entity::with(core::id_arg relation, Function body) const {
  const core::with_id given(here(), pair_of(relation, *this));
  body();
  return *this;
}

template <class Function>
entity entity::scope(Function body) const {
  struct restore {
    core::engine& world;
    entity_t previous;
    ~restore() { world.restore_scope(previous); }
  } guard{here(), here().set_scope(raw_)};
  if constexpr (std::is_invocable_v<Function, entity>)
    body(*this);
  else
    body();
  return *this;
}

}  // namespace kith
