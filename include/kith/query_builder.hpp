// Puts a query together, term by term.
//
//     auto q = world.query_builder<Position>()
//         .with<Velocity>().in()               // more terms; what follows is about the last one
//         .with(Likes, "$x")                   // a variable
//         .without(Enemy).src("$x")
//         .expr("Colleague($x, $y), $x != $y")
//         .build();
//
// Terms of the type list come first, then the others as they were added, then those of `expr`. Each
// has its older names too: `term` is `with`, `subj` is `src`, `obj` and `object` are `second`.
#pragma once

#include <algorithm>
#include <type_traits>

#include <kith/detail/sort_rows.hpp>
#include <kith/query.hpp>

namespace kith {

// The part that all builders of queries share. `Builder` is the builder, which its calls return.
template <class Builder, class... Ts>
class term_builder {
 public:
  // --- terms ---

  template <class T>
  Builder& with() {
    return add({.id = typed_id<T>()});
  }
  template <class R, class T>
  Builder& with() {
    return with<kith::pair<R, T>>();
  }
  template <class R>
  Builder& with(ref_desc target) {
    return add({.first = typed_id<R>(), .second = given(std::move(target))});
  }
  Builder& with(core::id_arg id) {
    if (!id.raw) core::raise(errc::not_alive, "no entity was given");
    return add({.id = kith::id(world_, id.in(*world_))});
  }
  Builder& with(ref_desc first, ref_desc second) {
    return add({.first = given(std::move(first)), .second = given(std::move(second))});
  }
  // A term as the language writes it: `.with("(Likes, $x)")`.
  Builder& with(const char* text) { return add({.expr = text}); }
  Builder& with(const std::string& text) { return add({.expr = text}); }

  template <class... X, class... Arguments>
  Builder& without(Arguments&&... arguments) {
    return with_types<X...>(std::forward<Arguments>(arguments)...).not_();
  }
  template <class... X, class... Arguments>
  Builder& term(Arguments&&... arguments) {
    return with_types<X...>(std::forward<Arguments>(arguments)...);
  }
  // Any number of terms as the language writes them; an empty text adds none.
  Builder& expr(std::string_view text) {
    if (text.empty()) return me();
    // On a line of its own: the text before may end with a comment.
    if (desc_.expr)
      *desc_.expr += "\n, ";
    else
      desc_.expr.emplace();
    *desc_.expr += text;
    return me();
  }

  // What follows is about the n-th term, from 0.
  Builder& term_at(std::size_t n) {
    if (n >= desc_.terms.size())
      core::raise(errc::out_of_range, "the query has ", std::to_string(desc_.terms.size()),
                  " terms so far, not ", std::to_string(n + 1));
    current_ = n;
    place_ = place::source;
    return me();
  }

  // --- how the last term counts ---

  Builder& oper(oper_kind o) {
    last().oper = o;
    return me();
  }
  Builder& not_() { return oper(Not); }
  Builder& optional() { return oper(Optional); }
  Builder& and_from() { return oper(AndFrom); }
  Builder& or_from() { return oper(OrFrom); }
  Builder& not_from() { return oper(NotFrom); }
  // This term or the next one.
  Builder& or_() {
    last().or_next = true;
    return me();
  }

  Builder& inout(inout_kind access) {
    last().inout = access;
    return me();
  }
  Builder& in() { return inout(In); }
  Builder& out() { return inout(Out); }
  Builder& inout() { return inout(InOut); }
  Builder& inout_none() { return inout(InOutNone); }
  Builder& filter() { return inout(InOutFilter); }

  // --- the places of the last term; without an argument what follows is about that place ---

  Builder& src() { return at(place::source); }
  Builder& src(ref_desc r) { return put(place::source, std::move(r)); }
  template <class T>
  Builder& src() {
    return src(ref_desc(typed_id<T>()));
  }
  Builder& first() { return at(place::first); }
  Builder& first(ref_desc r) { return put(place::first, std::move(r)); }
  Builder& second() { return at(place::second); }
  Builder& second(ref_desc r) { return put(place::second, std::move(r)); }
  template <class T>
  Builder& second() {
    return second(ref_desc(typed_id<T>()));
  }
  Builder& var(std::string_view name) {
    ref_desc& r = here();
    r.entity = 0;
    r.text = core::concat("$", name);
    return me();
  }
  // A component on its own entity.
  Builder& singleton() {
    last().singleton = true;
    return me();
  }

  Builder& subj() { return src(); }
  Builder& subj(ref_desc r) { return src(std::move(r)); }
  Builder& obj() { return second(); }
  Builder& obj(ref_desc r) { return second(std::move(r)); }
  Builder& object() { return second(); }
  Builder& object(ref_desc r) { return second(std::move(r)); }
  Builder& target() { return second(); }
  Builder& target(ref_desc r) { return second(std::move(r)); }
  Builder& pred() { return first(); }
  Builder& pred(ref_desc r) { return first(std::move(r)); }
  Builder& relation() { return first(); }
  Builder& relation(ref_desc r) { return first(std::move(r)); }

  // --- what stands in that place: it, or what a relation leads to or from ---

  Builder& set(set_kind kinds) {
    here().set |= kinds;
    return me();
  }
  Builder& set(set_kind kinds, core::id_arg relation) {
    here().set |= kinds;
    if (!world_->is_alive(relation.in(*world_)))
      core::raise(errc::not_alive, world_->text_of(relation.raw), " is not alive");
    if (kinds & SubSet) here().down_relation = relation.raw;
    if (kinds != SubSet) here().relation = relation.raw;
    return me();
  }
  Builder& self() { return set(Self); }
  Builder& all() { return set(All); }
  Builder& super(core::id_arg relation = IsA) { return set(SuperSet, relation); }
  Builder& up(core::id_arg relation = ChildOf) { return set(SuperSet, relation); }
  Builder& sub(core::id_arg relation = IsA) { return set(SubSet, relation); }
  Builder& down(core::id_arg relation = ChildOf) { return set(SubSet, relation); }
  Builder& parent() { return up(ChildOf); }
  Builder& cascade() { return set(Cascade); }
  Builder& cascade(core::id_arg relation) { return set(Cascade, relation); }
  Builder& desc() { return set(Desc); }
  Builder& min_depth(std::uint32_t steps) {
    here().min_depth = steps;
    return me();
  }
  Builder& max_depth(std::uint32_t steps) {
    here().max_depth = steps;
    return me();
  }

  // --- the query as a whole ---

  // Which rows changed can be asked: `it.changed(row)`.
  Builder& detect_changes() {
    desc_.detect_changes = true;
    return me();
  }
  Builder& cached() { return cache_kind(kith::cache_kind::always); }
  Builder& cache_kind(kith::cache_kind kind) {
    desc_.cache = kind;
    return me();
  }

  // Results in the order of their values of T: `int(entity_t, const T*, entity_t, const T*)`, or
  // `(const T&, const T&)` with a bool that says less, an int or a `<=>`. Those without T come
  // last.
  template <class T, class Compare>
  Builder& order_by(Compare compare) {
    using value = core::value_type<T>;
    return order_by_rows<value>(typed_id<T>(), [compare](const sort_row& a, const sort_row& b) {
      const auto* x = static_cast<const value*>(a.value);
      const auto* y = static_cast<const value*>(b.value);
      if constexpr (std::is_invocable_v<const Compare&, entity_t, const value*, entity_t,
                                        const value*>)
        return compare(a.entity, x, b.entity, y);
      else
        return compare(*x, *y);
    });
  }
  // The same for an id that has no C++ type, with addresses of its values.
  Builder& order_by(core::id_arg id, int (*compare)(entity_t, const void*, entity_t, const void*)) {
    return order_by_rows<void>({world_, id.in(*world_)},
                               [compare](const sort_row& a, const sort_row& b) {
                                 return compare(a.entity, a.value, b.entity, b.value);
                               });
  }
  // By entity: `int(entity_t, const void*, entity_t, const void*)`, or `(entity_t, entity_t)` with
  // a bool that says less, an int or a `<=>`.
  template <class Compare>
  Builder& order_by(Compare compare) {
    return order_by_rows<void>({}, [compare](const sort_row& a, const sort_row& b) {
      if constexpr (std::is_invocable_v<const Compare&, entity_t, const void*, entity_t,
                                        const void*>)
        return compare(a.entity, nullptr, b.entity, nullptr);
      else
        return compare(a.entity, b.entity);
    });
  }

  // Results that have the same target of a relation come together; `q.set_group(target)` gives
  // those of one group. An entity with several targets is in the group of the first.
  Builder& group_by(core::id_arg relation) {
    desc_.group = {.relation = id_desc(kith::id(world_, relation.in(*world_)))};
    return me();
  }
  template <class R>
  Builder& group_by() {
    return group_by(typed_id<R>());
  }
  // Or those for which a function `std::uint64_t(entity)` says the same. It may look at nothing
  // that the query does not ask for.
  template <class Function>
  requires(std::is_invocable_r_v<std::uint64_t, const Function&, entity>) Builder& group_by(
      Function group_of) {
    desc_.group = {.group_of = [world = world_, group_of](entity_t e) {
      return static_cast<std::uint64_t>(group_of(entity(world, e)));
    }};
    return me();
  }

 protected:
  explicit term_builder(core::engine& world) : world_(&world) { (add_typed<Ts>(), ...); }
  core::engine& world() const { return *world_; }
  const query_desc& description() const { return desc_; }

 private:
  Builder& me() { return static_cast<Builder&>(*this); }
  enum class place : std::uint8_t { source, first, second };

  template <class T>
  void add_typed() {
    using listed = core::term_type<T>;
    term_desc t{.id = typed_id<typename listed::id_type>()};
    if (listed::is_optional) t.oper = Optional;
    if (listed::reads) t.inout = In;
    add(std::move(t));
  }
  template <class T>
  kith::id typed_id() {
    return {world_, core::id_of<std::remove_const_t<T>>(*world_)};
  }
  // T: what the values are; void if that is not known.
  template <class T, class Compare>
  Builder& order_by_rows(kith::id id, Compare compare) {
    desc_.order.id = id_desc(id);
    desc_.order.less = core::comes_first_of_alike<Compare>{compare};
    desc_.order.sort = [compare](sort_row* first, sort_row* last) {
      core::sort_rows<T>(first, last, compare);
    };
    return me();
  }
  template <class... X, class... Arguments>
  Builder& with_types(Arguments&&... arguments) {
    if constexpr (sizeof...(X) == 0)
      return with(std::forward<Arguments>(arguments)...);
    else
      return with<X...>(std::forward<Arguments>(arguments)...);
  }
  Builder& add(term_desc t) {
    desc_.terms.push_back(std::move(t));
    current_ = desc_.terms.size() - 1;
    place_ = place::source;
    return me();
  }
  term_desc& last() {
    if (desc_.terms.empty()) core::raise(errc::out_of_range, "the query has no term yet");
    return desc_.terms[current_];
  }
  Builder& at(place p) {
    place_ = p;
    return me();
  }
  // A null handle is a mistake, never a place left open.
  static ref_desc given(ref_desc r) {
    if (r.empty()) core::raise(errc::not_alive, "no entity was given");
    return r;
  }
  Builder& put(place p, ref_desc r) {
    place_ = p;
    here() = given(std::move(r));
    return me();
  }
  ref_desc& here() {
    term_desc& t = last();
    // The parts of an id can be told apart once one of them is spoken of.
    if (place_ != place::source && t.id.raw) {
      const kith::id whole(world_, t.id.raw);
      if (whole.is_pair() && t.second.empty()) t.second = whole.second();
      t.first = whole.is_pair() ? ref_desc(whole.first()) : ref_desc(whole);
      t.id = {};
    }
    return place_ == place::source ? t.src : place_ == place::first ? t.first : t.second;
  }

  core::engine* world_;
  query_desc desc_;
  std::size_t current_ = 0;
  place place_ = place::source;
};

template <class... Ts>
class query_builder : public term_builder<query_builder<Ts...>, Ts...> {
 public:
  explicit query_builder(core::engine& world) : term_builder<query_builder<Ts...>, Ts...>(world) {}

  // An error if a name is unknown or something makes no sense.
  query<Ts...> build() const {
    return query<Ts...>(core::make_query(this->world(), this->description()));
  }
  result<query<Ts...>> try_build() const {
    auto made = core::try_make_query(this->world(), this->description());
    if (!made) return made.error();
    return query<Ts...>(made.value());
  }
};

}  // namespace kith
