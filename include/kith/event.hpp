// Events of your own: a type or an entity that is sent to an entity, and to the observers that
// listen.
//
//     struct Hit { int damage; };
//     world.observer<Health>().event<Hit>().each([](kith::iter& it, std::size_t, Health& h) {
//       h.value -= it.param<Hit>()->damage;
//     });
//     world.event<Hit>().id<Health>().entity(goblin).ctx(Hit{7}).emit();
//
//     button.observe<Click>([](Click& c) { ... });              // on this entity alone
//     button.emit(Click{1, 2});
//     button.emit(Click{1, 2}).propagate(kith::ChildOf);        // then its parent, until a stop()
//
// `emit` tells the observers at once, whose changes wait until all were told. `enqueue` waits for
// the end of the deferred mode if the world is in it.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <kith/detail/event_desc.hpp>
#include <kith/entity.hpp>

namespace kith {

// What a function that observes one entity may ask.
class entity_event {
 public:
  entity_event(core::engine& world, const core::event_call& call) : world_(&world), call_(&call) {}

  kith::entity entity() const { return {world_, call_->entity}; }
  kith::entity event() const { return {world_, call_->event}; }
  // Null if the event carries no E.
  template <class E>
  E* param() const {
    return call_->payload && call_->payload_type == core::id_of<E>(*world_)
               ? static_cast<E*>(call_->payload)
               : nullptr;
  }
  // The event is not sent on to further entities.
  void stop() const {
    if (call_->stopped) *call_->stopped = true;
  }

 private:
  core::engine* world_;
  const core::event_call* call_;
};

// An event that was sent to an entity.
template <class E>
class emission {
 public:
  emission(core::engine& world, entity_t event, entity_t to, E payload)
      : world_(&world), event_(event), at_(to), payload_(std::move(payload)) {
    send();
  }

  // Sends it to the target of the relation, to the target of that one, and so on, until there is
  // none or an observer calls `stop`.
  emission& propagate(core::id_arg relation) {
    const entity_t along = relation.in(*world_);
    std::vector<entity_t> seen{at_};
    while (!stopped_ && world_->is_alive(at_)) {
      at_ = world_->target(at_, along, 0);
      if (!at_ || std::find(seen.begin(), seen.end(), at_) != seen.end()) break;
      seen.push_back(at_);
      send();
    }
    return *this;
  }
  template <class R>
  emission& propagate() {
    return propagate(core::id_arg(core::id_of<R>(*world_)));
  }
  bool is_stopped() const { return stopped_; }

 private:
  void send() {
    world_->emit({.event = event_,
                  .entity = at_,
                  .payload = core::is_tag_type<E> ? nullptr : &payload_,
                  .payload_type = event_,
                  .stopped = &stopped_});
  }

  core::engine* world_;
  entity_t event_;
  entity_t at_;
  E payload_;
  bool stopped_ = false;
};

// `world.event<Hit>()`: where to, about which ids, and with what.
class event_builder {
 public:
  event_builder(core::engine& world, entity_t event) : world_(&world), event_(event) {}

  // Observers are told of rows that show one of these ids. Without any they are told of all rows.
  template <class... X>
  event_builder& id() {
    ids_.push_back(core::id_of<X...>(*world_));
    return *this;
  }
  event_builder& id(core::id_arg id) {
    ids_.push_back(id.in(*world_));
    return *this;
  }
  template <class R>
  event_builder& id(core::id_arg target) {
    ids_.push_back(core::make_pair(core::id_of<R>(*world_), target.in(*world_)));
    return *this;
  }
  event_builder& id(core::id_arg relation, core::id_arg target) {
    ids_.push_back(core::make_pair(relation.in(*world_), target.in(*world_)));
    return *this;
  }
  event_builder& entity(core::id_arg to) {
    to_ = to.in(*world_);
    return *this;
  }
  // What the event carries.
  template <class T>
  event_builder& ctx(T&& payload) {
    using value = std::remove_cvref_t<T>;
    static_assert(!core::is_tag_type<value>, "an empty type carries nothing");
    auto kept = std::make_shared<value>(std::forward<T>(payload));
    type_ = core::id_of<value>(*world_);
    move_out_ = [](void* slot, void* from) {
      core::construct_in_slot<value>(slot, std::move(*static_cast<value*>(from)));
    };
    payload_ = std::move(kept);
    return *this;
  }

  // Tells the observers now.
  void emit() {
    world_->emit({.event = event_,
                  .entity = to_,
                  .ids = ids_,
                  .payload = payload_.get(),
                  .payload_type = type_});
  }
  // Tells them when the changes before it are carried out.
  void enqueue() {
    world_->enqueue({.event = event_,
                     .entity = to_,
                     .ids = ids_,
                     .payload = payload_.get(),
                     .payload_type = type_},
                    type_, {payload_.get(), move_out_, nullptr});
  }

 private:
  core::engine* world_;
  entity_t event_;
  entity_t to_ = 0;
  std::vector<id_t> ids_;
  std::shared_ptr<void> payload_;
  entity_t type_ = 0;
  void (*move_out_)(void* slot, void* from) = nullptr;
};

namespace core {

// An event without a payload.
struct nothing {};

template <class E>
E& carried_by(const entity_event& event) {
  if constexpr (is_tag_type<E>) {
    static E none{};
    return none;
  } else {
    E* const carried = event.param<E>();
    if (!carried)
      raise(errc::type, "the event ", event.event().path(), " carries no ", type_name<E>());
    return *carried;
  }
}

template <class E, class Function>
event_visit make_event_visit(Function visit) {
  return
      [kept = std::make_shared<Function>(std::move(visit))](engine& world, const event_call& call) {
        const entity_event event(world, call);
        if constexpr (std::is_invocable_v<Function&>) {
          (*kept)();
        } else if constexpr (std::is_invocable_v<Function&, kith::entity>) {
          (*kept)(event.entity());
        } else if constexpr (std::is_invocable_v<Function&, const entity_event&>) {
          (*kept)(event);
        } else {
          E& payload = carried_by<E>(event);
          if constexpr (std::is_invocable_v<Function&, E&>) {
            (*kept)(payload);
          } else if constexpr (std::is_invocable_v<Function&, kith::entity, E&>) {
            (*kept)(event.entity(), payload);
          } else {
            static_assert(std::is_invocable_v<Function&, const entity_event&, E&>,
                          "the function takes (), (entity), (entity_event), (E&), (entity, E&) or "
                          "(entity_event, E&)");
            (*kept)(event, payload);
          }
        }
      };
}

}  // namespace core

template <class E, class Function>
entity entity::observe(Function visit) const {
  here().observe(raw_, core::id_of<E>(here()), core::make_event_visit<E>(std::move(visit)));
  return *this;
}

template <class Function>
entity entity::observe(core::id_arg event, Function visit) const {
  here().observe(raw_, event.in(here()), core::make_event_visit<core::nothing>(std::move(visit)));
  return *this;
}

template <class E>
requires(!std::is_base_of_v<kith::id, std::remove_cvref_t<E>>)  //
    emission<std::remove_cvref_t<E>> entity::emit(E&& payload)
const {
  using event = std::remove_cvref_t<E>;
  return {here(), core::id_of<event>(here()), raw_, std::forward<E>(payload)};
}

template <class E>
emission<E> entity::emit() const {
  return emit(E{});
}

inline emission<core::nothing> entity::emit(kith::entity event) const {
  return {here(), event.id(), raw_, {}};
}

template <class E>
requires(!std::is_base_of_v<kith::id, std::remove_cvref_t<E>>)  //
    entity entity::enqueue(E&& payload)
const {
  using event = std::remove_cvref_t<E>;
  event_builder to(here(), core::id_of<event>(here()));
  to.entity(*this);
  if constexpr (!core::is_tag_type<event>) to.ctx(std::forward<E>(payload));
  to.enqueue();
  return *this;
}

template <class E>
entity entity::enqueue() const {
  return enqueue(E{});
}

inline entity entity::enqueue(kith::entity event) const {
  event_builder(here(), event.id()).entity(*this).enqueue();
  return *this;
}

}  // namespace kith
