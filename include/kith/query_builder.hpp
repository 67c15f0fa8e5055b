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

template <class... Ts>
class query_builder {
 public:
  explicit query_builder(core::engine& world) : world_(&world) { (add_typed<Ts>(), ...); }

  // --- terms ---

  template <class T>
  query_builder& with() {
    return add({.id = typed_id<T>()});
  }
  template <class R, class T>
  query_builder& with() {
    return with<kith::pair<R, T>>();
  }
  template <class R>
  query_builder& with(ref_desc target) {
    return add({.first = typed_id<R>(), .second = given(std::move(target))});
  }
  query_builder& with(core::id_arg id) {
    if (!id.raw) core::raise(errc::not_alive, "no entity was given");
    return add({.id = kith::id(world_, id.in(*world_))});
  }
  query_builder& with(ref_desc first, ref_desc second) {
    return add({.first = given(std::move(first)), .second = given(std::move(second))});
  }
  // A term as the language writes it: `.with("(Likes, $x)")`.
  query_builder& with(const char* text) { return add({.expr = text}); }
  query_builder& with(const std::string& text) { return add({.expr = text}); }

  template <class... X, class... Arguments>
  query_builder& without(Arguments&&... arguments) {
    return with_types<X...>(std::forward<Arguments>(arguments)...).not_();
  }
  template <class... X, class... Arguments>
  query_builder& term(Arguments&&... arguments) {
    return with_types<X...>(std::forward<Arguments>(arguments)...);
  }
  // Any number of terms as the language writes them; an empty text adds none.
  query_builder& expr(std::string_view text) {
    if (text.empty()) return *this;
    // On a line of its own: the text before may end with a comment.
    if (desc_.expr)
      *desc_.expr += "\n, ";
    else
      desc_.expr.emplace();
    *desc_.expr += text;
    return *this;
  }

  // What follows is about the n-th term, from 0.
  query_builder& term_at(std::size_t n) {
    if (n >= desc_.terms.size())
      core::raise(errc::out_of_range, "the query has ", std::to_string(desc_.terms.size()),
                  " terms so far, not ", std::to_string(n + 1));
    current_ = n;
    place_ = place::source;
    return *this;
  }

  // --- how the last term counts ---

  query_builder& oper(oper_kind o) {
    last().oper = o;
    return *this;
  }
  query_builder& not_() { return oper(Not); }
  query_builder& optional() { return oper(Optional); }
  query_builder& and_from() { return oper(AndFrom); }
  query_builder& or_from() { return oper(OrFrom); }
  query_builder& not_from() { return oper(NotFrom); }
  // This term or the next one.
  query_builder& or_() {
    last().or_next = true;
    return *this;
  }

  query_builder& inout(inout_kind access) {
    last().inout = access;
    return *this;
  }
  query_builder& in() { return inout(In); }
  query_builder& out() { return inout(Out); }
  query_builder& inout() { return inout(InOut); }
  query_builder& inout_none() { return inout(InOutNone); }
  query_builder& filter() { return inout(InOutFilter); }

  // --- the places of the last term; without an argument what follows is about that place ---

  query_builder& src() { return at(place::source); }
  query_builder& src(ref_desc r) { return put(place::source, std::move(r)); }
  template <class T>
  query_builder& src() {
    return src(ref_desc(typed_id<T>()));
  }
  query_builder& first() { return at(place::first); }
  query_builder& first(ref_desc r) { return put(place::first, std::move(r)); }
  query_builder& second() { return at(place::second); }
  query_builder& second(ref_desc r) { return put(place::second, std::move(r)); }
  template <class T>
  query_builder& second() {
    return second(ref_desc(typed_id<T>()));
  }
  query_builder& var(std::string_view name) {
    ref_desc& r = here();
    r.entity = 0;
    r.text = core::concat("$", name);
    return *this;
  }
  // A component on its own entity.
  query_builder& singleton() {
    last().singleton = true;
    return *this;
  }

  query_builder& subj() { return src(); }
  query_builder& subj(ref_desc r) { return src(std::move(r)); }
  query_builder& obj() { return second(); }
  query_builder& obj(ref_desc r) { return second(std::move(r)); }
  query_builder& object() { return second(); }
  query_builder& object(ref_desc r) { return second(std::move(r)); }
  query_builder& target() { return second(); }
  query_builder& target(ref_desc r) { return second(std::move(r)); }
  query_builder& pred() { return first(); }
  query_builder& pred(ref_desc r) { return first(std::move(r)); }
  query_builder& relation() { return first(); }
  query_builder& relation(ref_desc r) { return first(std::move(r)); }

  // --- what stands in that place: it, or what a relation leads to or from ---

  query_builder& set(set_kind kinds) {
    here().set |= kinds;
    return *this;
  }
  query_builder& set(set_kind kinds, core::id_arg relation) {
    here().set |= kinds;
    if (!world_->is_alive(relation.in(*world_)))
      core::raise(errc::not_alive, world_->text_of(relation.raw), " is not alive");
    if (kinds & SubSet) here().down_relation = relation.raw;
    if (kinds != SubSet) here().relation = relation.raw;
    return *this;
  }
  query_builder& self() { return set(Self); }
  query_builder& all() { return set(All); }
  query_builder& super(core::id_arg relation = IsA) { return set(SuperSet, relation); }
  query_builder& up(core::id_arg relation = ChildOf) { return set(SuperSet, relation); }
  query_builder& sub(core::id_arg relation = IsA) { return set(SubSet, relation); }
  query_builder& down(core::id_arg relation = ChildOf) { return set(SubSet, relation); }
  query_builder& parent() { return up(ChildOf); }
  query_builder& cascade() { return set(Cascade); }
  query_builder& cascade(core::id_arg relation) { return set(Cascade, relation); }
  query_builder& desc() { return set(Desc); }
  query_builder& min_depth(std::uint32_t steps) {
    here().min_depth = steps;
    return *this;
  }
  query_builder& max_depth(std::uint32_t steps) {
    here().max_depth = steps;
    return *this;
  }

  // --- the query as a whole ---

  // Which rows changed can be asked: `it.changed(row)`.
  query_builder& detect_changes() {
    desc_.detect_changes = true;
    return *this;
  }
  query_builder& cached() { return cache_kind(kith::cache_kind::always); }
  query_builder& cache_kind(kith::cache_kind kind) {
    desc_.cache = kind;
    return *this;
  }

  // Results in the order of their values of T: `int(entity_t, const T*, entity_t, const T*)`, or
  // `(const T&, const T&)` with a bool that says less, an int or a `<=>`. Those without T come
  // last.
  template <class T, class Compare>
  query_builder& order_by(Compare compare) {
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
  query_builder& order_by(core::id_arg id,
                          int (*compare)(entity_t, const void*, entity_t, const void*)) {
    return order_by_rows<void>({world_, id.in(*world_)},
                               [compare](const sort_row& a, const sort_row& b) {
                                 return compare(a.entity, a.value, b.entity, b.value);
                               });
  }
  // By entity: `int(entity_t, const void*, entity_t, const void*)`, or `(entity_t, entity_t)` with
  // a bool that says less, an int or a `<=>`.
  template <class Compare>
  query_builder& order_by(Compare compare) {
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
  query_builder& group_by(core::id_arg relation) {
    desc_.group = {.relation = id_desc(kith::id(world_, relation.in(*world_)))};
    return *this;
  }
  template <class R>
  query_builder& group_by() {
    return group_by(typed_id<R>());
  }
  // Or those for which a function `std::uint64_t(entity)` says the same. It may look at nothing
  // that the query does not ask for.
  template <class Function>
  requires(std::is_invocable_r_v<std::uint64_t, const Function&, entity>)
      query_builder& group_by(Function group_of) {
    desc_.group = {.group_of = [world = world_, group_of](entity_t e) {
      return static_cast<std::uint64_t>(group_of(entity(world, e)));
    }};
    return *this;
  }

  // An error if a name is unknown or something makes no sense.
  query<Ts...> build() const { return query<Ts...>(core::make_query(*world_, desc_)); }
  result<query<Ts...>> try_build() const {
    auto made = core::try_make_query(*world_, desc_);
    if (!made) return made.error();
    return query<Ts...>(made.value());
  }

 private:
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
  query_builder& order_by_rows(kith::id id, Compare compare) {
    desc_.order.id = id_desc(id);
    desc_.order.less = core::comes_first_of_alike<Compare>{compare};
    desc_.order.sort = [compare](sort_row* first, sort_row* last) {
      core::sort_rows<T>(first, last, compare);
    };
    return *this;
  }
  template <class... X, class... Arguments>
  query_builder& with_types(Arguments&&... arguments) {
    if constexpr (sizeof...(X) == 0)
      return with(std::forward<Arguments>(arguments)...);
    else
      return with<X...>(std::forward<Arguments>(arguments)...);
  }
  query_builder& add(term_desc t) {
    desc_.terms.push_back(std::move(t));
    current_ = desc_.terms.size() - 1;
    place_ = place::source;
    return *this;
  }
  term_desc& last() {
    if (desc_.terms.empty()) core::raise(errc::out_of_range, "the query has no term yet");
    return desc_.terms[current_];
  }
  query_builder& at(place p) {
    place_ = p;
    return *this;
  }
  // A null handle is a mistake, never a place left open.
  static ref_desc given(ref_desc r) {
    if (r.empty()) core::raise(errc::not_alive, "no entity was given");
    return r;
  }
  query_builder& put(place p, ref_desc r) {
    place_ = p;
    here() = given(std::move(r));
    return *this;
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

}  // namespace kith
