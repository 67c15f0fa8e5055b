// A value of an entity that is asked for again and again.
//
//     kith::ref<Position> at = bob.get_ref<Position>();
//     at->x += 1;
//
// A ref is the entity and the id: it looks where the value is at each use, so it outlives every
// change. Using one of an entity that is gone, or does not have the id, is an error; `try_get` is
// null then.
#pragma once

#include <kith/entity.hpp>

namespace kith {

class untyped_ref {
 public:
  untyped_ref() = default;
  untyped_ref(kith::entity of, kith::id id) : of_(of), id_(id) {}

  kith::entity entity() const { return of_; }
  kith::id component() const { return id_; }
  kith::world world() const;

  void* try_get() const { return of_.is_alive() ? of_.get_mut(id_) : nullptr; }
  void* get() const {
    if (void* const value = try_get()) return value;
    core::raise(errc::out_of_range, of_ ? of_.str() : "a null ref", " has no ", id_.str());
  }
  bool has() const { return try_get() != nullptr; }
  explicit operator bool() const { return has(); }

 private:
  kith::entity of_;
  kith::id id_;
};

template <class T>
class ref : public untyped_ref {
 public:
  using untyped_ref::untyped_ref;
  explicit ref(kith::entity of) : untyped_ref(of, {of.engine(), core::id_of<T>(*of.engine())}) {}

  T* try_get() const { return static_cast<T*>(untyped_ref::try_get()); }
  T* get() const { return static_cast<T*>(untyped_ref::get()); }
  T* operator->() const { return get(); }
  T& operator*() const { return *get(); }
};

template <class... X>
ref<core::value_type<X...>> entity::get_ref() const {
  return {*this, {world_, core::id_of<X...>(here())}};
}
template <class R>
ref<R> entity::get_ref(core::id_arg target) const {
  return {*this, {world_, pair_with<R>(target)}};
}
template <class T>
ref<T> entity::get_ref_second(core::id_arg relation) const {
  return {*this, {world_, with_second<T>(relation).id}};
}
template <class T>
ref<T> entity::get_ref_w_id(core::id_arg id) const {
  return {*this, {world_, id.in(here())}};
}
inline untyped_ref entity::get_ref(core::id_arg id) const {
  return {*this, {world_, id.in(here())}};
}
inline untyped_ref entity::get_ref(core::id_arg relation, core::id_arg target) const {
  return {*this, {world_, pair_of(relation, target)}};
}

}  // namespace kith
