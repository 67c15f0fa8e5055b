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
  // A constant of an enum.
  template <class E>
  requires(std::is_enum_v<E>) Builder& with(E value) {
    return add({.id = kith::id(world_, constant_pair(value))});
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
  Builder& expr(core::text_arg text) {
    if (text.empty()) return me();
    // On a line of its own: the text before may end with a comment.
    if (desc_.expr)
      *desc_.expr += "\n, ";
    else
      desc_.expr.emplace();
    *desc_.expr += text;
    return me();
  }

  // An empty term, whose places follow: `.term().first("$x")`.
  Builder& term() { return add({}); }
  // The term of a type in the list.
  template <class T>
  Builder& term_at() {
    const id_t wanted = core::id_of<T>(*world_);
    for (std::size_t n = 0; n < desc_.terms.size(); ++n)
      if (desc_.terms[n].id.raw == wanted) return term_at(n);
    core::raise(errc::out_of_range, "the query has no term for ", world_->text_of(wanted));
  }
  // The same, which must be the n-th.
  template <class T>
  Builder& term_at(std::size_t n) {
    term_at(n);
    if (desc_.terms[n].id.raw != core::id_of<T>(*world_))
      core::raise(errc::type, "term ", std::to_string(n), " is not about ",
                  world_->text_of(core::id_of<T>(*world_)));
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
  Builder& and_() { return oper(And); }
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

  // What callbacks read, or write and change, besides what the terms say. This finds no results. A
  // system that declares what it changes may change nothing else. Without arguments: the last term
  // is such a declaration.
  template <class... X>
  requires(sizeof...(X) > 0) Builder& read() { return access(core::id_of<X...>(*world_), false); }
  template <class R>
  Builder& read(const ref_desc& target) {
    return access(pair_of(ref_desc(typed_id<R>()), target), false);
  }
  Builder& read(const ref_desc& id) { return access(entity_in(id), false); }
  Builder& read(const ref_desc& relation, const ref_desc& target) {
    return access(pair_of(relation, target), false);
  }
  template <class E>
  requires std::is_enum_v<E> Builder& read(E value) { return access(constant_pair(value), false); }
  Builder& read() { return declare_last(false); }
  template <class... X>
  requires(sizeof...(X) > 0) Builder& write() { return access(core::id_of<X...>(*world_), true); }
  template <class R>
  Builder& write(const ref_desc& target) {
    return access(pair_of(ref_desc(typed_id<R>()), target), true);
  }
  Builder& write(const ref_desc& id) { return access(entity_in(id), true); }
  Builder& write(const ref_desc& relation, const ref_desc& target) {
    return access(pair_of(relation, target), true);
  }
  template <class E>
  requires std::is_enum_v<E> Builder& write(E value) { return access(constant_pair(value), true); }
  Builder& write() { return declare_last(true); }

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
  Builder& var(core::text_arg name) {
    ref_desc& r = here();
    r.entity = 0;
    r.text = core::concat("$", name);
    return me();
  }
  // An entity by its number or by its path.
  Builder& id(core::id_arg e) {
    here().entity = e.in(*world_);
    here().text.clear();
    return me();
  }
  Builder& name(core::text_arg path) {
    here().entity = entity_in(ref_desc(std::string(path)));
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
  template <class R>
  Builder& up() {
    return up(core::id_of<R>(*world_));
  }
  template <class R>
  Builder& cascade() {
    return cascade(core::id_of<R>(*world_));
  }
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
  Builder& access(id_t id, bool writes) {
    desc_.accesses.push_back({id, writes});
    return me();
  }
  Builder& declare_last(bool writes) {
    const term_desc t = last();
    if (t.id.raw)
      access(t.id.raw, writes);
    else if (t.second.empty())
      access(entity_in(t.first), writes);
    else
      access(pair_of(t.first, t.second), writes);
    desc_.terms.erase(desc_.terms.begin() + static_cast<std::ptrdiff_t>(current_));
    current_ = desc_.terms.empty() ? 0 : desc_.terms.size() - 1;
    return me();
  }
  id_t entity_in(const ref_desc& r) const {
    if (r.entity) return core::id_arg(kith::id(world_, r.entity)).in(*world_);
    if (const entity_t found = r.text.empty() ? 0 : world_->lookup(r.text, 0)) return found;
    core::raise(errc::unresolved, "unknown name '", r.text, "'");
  }
  id_t pair_of(const ref_desc& first, const ref_desc& second) const {
    return world_->pair(entity_in(first), entity_in(second));
  }
  template <class E>
  id_t constant_pair(E value) const {
    const entity_t enumeration = core::id_of<E>(*world_);
    return world_->pair(enumeration, world_->constant(enumeration, core::constant_name(value)));
  }
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
  explicit query_builder(core::engine& world, core::text_arg name = {})
      : term_builder<query_builder<Ts...>, Ts...>(world), name_(name), is_named_(name.data()) {}

  // An error if a name is unknown or something makes no sense.
  query<Ts...> build() const {
    return with_name(core::make_query(this->world(), this->description()));
  }
  result<query<Ts...>> try_build() const {
    auto made = core::try_make_query(this->world(), this->description());
    if (!made) return made.error();
    return with_name(made.value());
  }

 private:
  query<Ts...> with_name(core::query_ptr made) const {
    core::engine& world = this->world();
    return query<Ts...>(std::move(made),
                        is_named_ ? entity(&world, world.create_named(name_)) : entity());
  }

  std::string name_;
  bool is_named_;
};

}  // namespace kith
