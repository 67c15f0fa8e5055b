// Where entities live.
//
//     kith::world world;
//     kith::entity Likes = world.entity("Likes");
//     kith::entity alice = world.entity("alice");
//     kith::entity bob = world.entity("bob").add(Likes, alice);
//     bob.has(Likes, alice);  // true
//
// A `kith::world` is a handle: copies are cheap and share one world, which ends with the last one.
// A process can have any number of worlds; they know nothing of each other. One thread at a time
// uses a world, except between readonly_begin and readonly_end. When a world ends, its handles
// (entities, ids, queries) may stay; using one is a not_alive error.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <tuple>
#include <utility>

#include <kith/component.hpp>
#include <kith/event.hpp>
#include <kith/executor.hpp>
#include <kith/hooks.hpp>
#include <kith/observer.hpp>
#include <kith/query_builder.hpp>
#include <kith/ranges.hpp>
#include <kith/ref.hpp>
#include <kith/schedule.hpp>
#include <kith/system.hpp>

namespace kith {

namespace core {
// What can be given to a new entity as a value: not a name, not a handle or a number, not a pair.
template <class Value, class T = std::remove_cvref_t<Value>>
concept is_component_value = (std::is_class_v<T> || std::is_union_v<T> || std::is_enum_v<T>)&&  //
                             !std::is_convertible_v<Value, std::string_view> &&
                             !std::is_convertible_v<Value, id_arg> && !is_pair_type<T>;

}  // namespace core

struct world_options {
  // What instances get of ids that have no (OnInstantiate, ...): Inherit, Override or DontInherit.
  entity_t instantiate = Inherit;
  // So many times reactions may follow from reactions before the rest is dropped with an error.
  unsigned max_reactions = 1000;
};

class world {
 public:
  world() : world(world_options{}) {}
  explicit world(const world_options& options)
      : engine_(&core::engine::begin(options.instantiate, options.max_reactions)), owns_(true) {}
  // A copy is another handle of the same world.
  world(const world& other) noexcept : engine_(other.engine_), owns_(other.owns_) {
    if (owns_) engine_->add_owner();
  }
  // The handle that was moved from has no world.
  world(world&& other) noexcept
      : engine_(std::exchange(other.engine_, &core::engine::ended())),
        owns_(std::exchange(other.owns_, false)) {}
  world& operator=(world other) noexcept {
    std::swap(engine_, other.engine_);
    std::swap(owns_, other.owns_);
    return *this;
  }
  // The last owner ends the world: all values are destroyed. Handles may stay; using one is a
  // not_alive error from now on. What `entity::world` and `iter::world` return is no owner.
  ~world() { release(); }
  // Ends the world, or the part of this handle in it, now.
  void release() {
    if (!std::exchange(owns_, false)) return;
    // Destructors of values may use this handle.
    engine_->drop_owner();
    engine_ = &core::engine::ended();
  }
  // This handle gets a new world in the place of its old one.
  void reset(const world_options& options = {}) { *this = world(options); }
  friend bool operator==(const world& a, const world& b) { return a.engine_ == b.engine_; }

  // --- entities ---

  // A new entity; a child of the current scope.
  kith::entity entity() const { return wrap(engine_->create()); }
  // The entity with this path; made if it is not there: `world.entity("ship::cockpit")`.
  // A null text means that it is a new one without a name.
  kith::entity entity(core::text_arg path) const {
    return path.data() ? wrap(engine_->create_named(path)) : entity();
  }
  // A new entity with these values, straight where it belongs: `world.entity(Position{1, 2},
  // Npc{})`.
  template <class... Values>
  requires(sizeof...(Values) > 0 && (core::is_component_value<Values> && ...)) kith::entity
      entity(Values&&... values)
  const;
  // The child of `parent` with this name; a new child without one if there is no name.
  kith::entity entity(core::id_arg parent, core::text_arg name) const {
    const kith::entity of = wrap(parent.in(*engine_));
    if (const kith::entity known = name.data() ? of.lookup(name) : kith::entity()) return known;
    core::engine& here = *engine_;
    const kith::entity made = wrap(here.create_id());
    made.child_of(of);
    return name.data() ? made.set_name(name) : made;
  }
  // The entity that stands for a type.
  template <class T>
  kith::entity entity() const {
    return wrap(core::id_of<T>(*engine_));
  }
  // The same under a name of your own, in the current scope.
  template <class T>
  kith::entity entity(core::text_arg path) const {
    return component<T>(path);
  }
  // A model to make entities of: `world.entity().is_a(prefab)`.
  kith::entity prefab() const { return entity().add(Prefab); }
  kith::entity prefab(core::text_arg path) const { return entity(path).add(Prefab); }
  kith::entity prefab(core::id_arg parent, core::text_arg name) const {
    return entity(parent, name).add(Prefab);
  }
  // The entity that stands for a type, as a prefab.
  template <class T>
  kith::entity prefab() const {
    return entity<T>().add(Prefab);
  }
  // A list of ids for the operators AND, OR and NOT of queries, which themselves leave it out:
  // `world.type("Ingredients").add(Bacon).add(Eggs)`.
  kith::entity type() const { return prefab(); }
  kith::entity type(core::text_arg path) const { return prefab(path); }
  // A handle for a number. It may be dead: ask is_alive(). 0 is null.
  template <std::integral Number>
  requires(!std::same_as<Number, bool>) kith::entity entity(Number number)
  const { return wrap(static_cast<entity_t>(number)); }
  // The same for a handle. An error if it belongs to another world.
  template <std::derived_from<kith::id> Handle>
  kith::entity entity(const Handle& handle) const {
    return wrap(core::id_arg(handle).in(*engine_));
  }
  // A new entity, whatever the scope.
  kith::entity new_id() const { return wrap(engine_->create_id()); }

  // `count` new entities at once. A value is given to each; of a vector or span each gets its own:
  // `world.bulk(3, Npc{}, Position{0, 0}, std::vector<Mass>{{1}, {2}, {3}})`.
  template <class... Values>
  std::vector<kith::entity> bulk(std::size_t count, Values&&... values) const;

  // Makes an entity with a number given from outside.
  kith::entity make_alive(entity_t number) const {
    engine_->make_alive(number);
    return wrap(number);
  }
  bool is_alive(core::id_arg e) const {
    return (!e.owner || e.owner == engine_) && engine_->is_alive(e.raw);
  }
  template <std::integral Number>
  bool is_alive(Number number) const {
    return engine_->is_alive(static_cast<entity_t>(number));
  }
  // Other names for is_alive.
  template <class Handle>
  bool exists(const Handle& e) const {
    return is_alive(e);
  }
  template <class Handle>
  bool is_valid(const Handle& e) const {
    return is_alive(e);
  }
  // The entity that lives at the index of `e` now, or null.
  kith::entity get_alive(core::id_arg e) const {
    return wrap(engine_->alive_at(core::index_of(e.raw)));
  }
  // All living entities but the built-in ones.
  std::size_t entity_count() const { return engine_->entity_count(); }

  // --- types and ids ---

  // A type that is new becomes a child of the current scope; in the constructor of a module, of the
  // module.
  template <class T>
  kith::component<T> component() const {
    if constexpr (!std::is_const_v<T> && !core::is_pair_type<T>)
      if (!engine_->knows_type<T>())
        core::declare_component(*engine_, core::slot_of_type<T>(), core::describe_type<T>(), {});
    return {engine_, core::id_of<T>(*engine_)};
  }
  // Registers the type under a name of your own.
  template <class T>
  kith::component<T> component(core::text_arg name) const {
    return {engine_, core::declare_component(*engine_, core::slot_of_type<T>(),
                                             core::describe_type<T>(), name)};
  }
  kith::entity component(const component_desc& desc) const;
  // Another name for component.
  template <class T>
  kith::component<std::remove_cvref_t<T>> use() const {
    return component<std::remove_cvref_t<T>>();
  }

  template <class... X>
  kith::id id() const {
    if constexpr (sizeof...(X) == 0)
      return {};
    else
      return {engine_, core::id_of<X...>(*engine_)};
  }
  kith::id id(core::id_arg id) const { return {engine_, id.in(*engine_)}; }
  kith::id id(core::id_arg relation, core::id_arg target) const { return pair(relation, target); }
  // The entity that stands for a constant of an enum.
  template <class E>
  requires std::is_enum_v<E> kith::entity to_entity(E value)
  const { return wrap(engine_->constant(core::id_of<E>(*engine_), core::constant_name(value))); }
  template <class E>
  requires std::is_enum_v<E> kith::id id(E value)
  const { return to_entity(value); }
  // The id of a pair. A wildcard makes it a pattern.
  kith::id pair(core::id_arg relation, core::id_arg target) const {
    return {engine_, engine_->pair(relation.in(*engine_), target.in(*engine_))};
  }
  template <class R>
  kith::id pair(core::id_arg target) const {
    return pair(core::id_of<R>(*engine_), target);
  }
  template <class R, class T>
  kith::id pair() const {
    return id<R, T>();
  }

  // The members of a component that are described, in their order. Empty if none are.
  std::vector<member_info> members(core::id_arg component) const {
    return engine_->members(component.in(*engine_));
  }

  // --- facts ---

  // Makes true what a text says, and creates what is not there yet:
  // `world.define("Likes(bob, alice)\nPosition(bob) {10, 20}")`. An error names line and column,
  // and nothing of the text is applied then. Returns how many statements there are.
  std::size_t define(core::text_arg text) const { return engine_->define(text); }
  result<std::size_t> try_define(core::text_arg text) const { return engine_->try_define(text); }
  // The same for a text that is not trusted: a few lines with prefabs of prefabs can create
  // millions of entities. `world.define(text, {.entities = 100'000, .seconds = 2})` ends in a
  // `budget` error instead, early, and nothing of the text is applied.
  std::size_t define(core::text_arg text, const budget& most) const {
    return engine_->define(text, most);
  }
  result<std::size_t> try_define(core::text_arg text, const budget& most) const {
    return engine_->try_define(text, most);
  }
  // The same for a long text: `progress` is called every few thousand statements. It may ask the
  // world; changes are constraint errors. `world.try_define(text, [](const kith::define_progress&
  // p) {...})`.
  template <class Function>
  requires std::is_invocable_v<Function&, const define_progress&> result<std::size_t> try_define(
      core::text_arg text, Function progress, const budget& most = {})
  const {
    return engine_->try_define(
        text, most,
        {[](const define_progress& p, void* context) { (*static_cast<Function*>(context))(p); },
         &progress});
  }
  // The world as such a text: `define` in a new world makes an equal one of it. Values are part of
  // it as far as their members are described; ids that are switched off are not.
  std::string facts() const {
    std::string text;
    facts([&](std::string_view piece) { text.append(piece); });
    return text;
  }
  // The same in pieces of any length: `world.facts([&](std::string_view piece) { file << piece;
  // })`.
  template <class Function>
  void facts(Function write) const {
    engine_->facts(
        [](std::string_view piece, void* context) { (*static_cast<Function*>(context))(piece); },
        &write);
  }

  // --- all entities with an id ---

  template <class... X>
  std::size_t count() const {
    return engine_->count(core::id_of<X...>(*engine_));
  }
  std::size_t count(core::id_arg id) const { return engine_->count(id.in(*engine_)); }
  std::size_t count(core::id_arg relation, core::id_arg target) const {
    return count(pair(relation, target));
  }
  // Visits the entities that own an id or match a pattern, each once.
  template <class Function>
  void each(core::id_arg id, Function visit) const;
  template <class Function>
  void each(core::id_arg relation, core::id_arg target, Function visit) const {
    each(pair(relation, target), std::move(visit));
  }
  // With the value if `visit` takes one: `world.each<Position>([](kith::entity, Position&) {})`
  template <class X, class Function>
  void each(Function visit) const {
    if constexpr (core::takes_values<Function, X>())
      filter<X>().each(std::move(visit));
    else
      each(core::id_of<X>(*engine_), std::move(visit));
  }
  // Visits the entities that have what the callback takes, as a query does:
  // `world.each([](kith::entity e, Position& p, const Velocity* v) {})`. With an entity alone it
  // visits all that are not built in.
  template <class Function>
  requires core::has_signature<Function>
  void each(Function visit) const;
  template <class R>
  std::size_t count(core::id_arg target) const {
    return count(pair<R>(target));
  }
  // Takes the id from all entities that are not built in.
  void remove_all(core::id_arg id) const { engine_->remove_from_all(id.in(*engine_)); }
  void remove_all(core::id_arg relation, core::id_arg target) const {
    remove_all(pair(relation, target));
  }
  template <class... X>
  void remove_all() const {
    remove_all(core::id_of<X...>(*engine_));
  }
  template <class R>
  void remove_all(core::id_arg target) const {
    remove_all(pair<R>(target));
  }
  // Deletes all entities that have it.
  void delete_with(core::id_arg id) const { engine_->delete_with(id.in(*engine_)); }
  void delete_with(core::id_arg relation, core::id_arg target) const {
    delete_with(pair(relation, target));
  }
  template <class... X>
  void delete_with() const {
    delete_with(core::id_of<X...>(*engine_));
  }
  template <class R>
  void delete_with(core::id_arg target) const {
    delete_with(pair<R>(target));
  }

  // --- queries ---

  // The entities that have all of these: `world.query<Position, const Velocity>()`.
  template <class... Ts>
  kith::query<Ts...> query() const {
    return list_query<Ts...>(cache_kind::automatic);
  }
  // `world.query("Position, (Likes, $x)")`
  template <class... Ts>
  requires(sizeof...(Ts) == 0) kith::query<> query(core::text_arg expression)
  const { return query(query_desc{.expr = std::string(expression)}); }
  kith::query<> query(const query_desc& desc) const {
    return kith::query<>(core::make_query(*engine_, desc));
  }
  result<kith::query<>> try_query(core::text_arg expression) const {
    return try_query(query_desc{.expr = std::string(expression)});
  }
  result<kith::query<>> try_query(const query_desc& desc) const {
    auto made = core::try_make_query(*engine_, desc);
    if (!made) return made.error();
    return kith::query<>(made.value());
  }
  // With a name the query has an entity, `query.entity()`.
  template <class... Ts>
  kith::query_builder<Ts...> query_builder(core::text_arg name = {}) const {
    return kith::query_builder<Ts...>(*engine_, name);
  }
  template <class... Ts>
  requires(sizeof...(Ts) > 0) kith::query<Ts...> query(core::text_arg name)
  const { return query_builder<Ts...>(name).build(); }
  // The same without a cache.
  template <class... Ts>
  kith::query<Ts...> filter() const {
    return list_query<Ts...>(cache_kind::never);
  }
  kith::query<> filter(core::text_arg expression) const {
    return query(query_desc{.expr = std::string(expression), .cache = cache_kind::never});
  }
  template <class... Ts>
  kith::query_builder<Ts...> filter_builder() const {
    return kith::query_builder<Ts...>(*engine_).cache_kind(cache_kind::never);
  }

  // --- observers ---

  // Tells of what changes bring and take (observer.hpp):
  // `world.observer<Position>("placed").event(kith::OnAdd).each([](Position& p) {})`
  template <class... Ts>
  kith::observer_builder<Ts...> observer(core::text_arg name = {}) const {
    return {*engine_, name};
  }

  // The handle of an observer that there is.
  kith::observer observer(const kith::entity& e) const {
    return {engine_, core::id_arg(e).in(*engine_)};
  }

  // Sends an event of your own (event.hpp):
  // `world.event<Hit>().id<Health>().entity(goblin).ctx(Hit{7}).emit()`
  template <class E>
  event_builder event() const {
    return {*engine_, core::id_of<E>(*engine_)};
  }
  event_builder event(core::id_arg event) const { return {*engine_, event.in(*engine_)}; }

  // --- systems (system.hpp) ---

  // A query that each frame runs: `world.system<Position>("Move").each([](Position& p) {})`
  template <class... Ts>
  kith::system_builder<Ts...> system(core::text_arg name = {}) const {
    return {*engine_, name};
  }
  // The handle of a system that there is.
  kith::system system(core::id_arg e) const { return {engine_, e.in(*engine_)}; }
  kith::timer timer(core::text_arg name = {}) const {
    return {engine_, core::make_timer(*engine_, name)};
  }
  // Systems that run apart from others: `world.pipeline("Ai").with(kith::System).with(Ai).build()`
  kith::pipeline_builder pipeline(core::text_arg name = {}) const { return {*engine_, name}; }
  // The pipeline that `progress` runs; null: the usual one, with all systems that have a phase.
  void set_pipeline(core::id_arg pipeline) const {
    core::set_pipeline(*engine_, pipeline.in(*engine_));
  }
  kith::entity get_pipeline() const { return wrap(core::get_pipeline(*engine_)); }
  // Runs the systems of a pipeline once, without a new frame.
  void run_pipeline(core::id_arg pipeline, float delta_time = 0) const {
    core::run_pipeline(*engine_, pipeline.in(*engine_), static_cast<double>(delta_time));
  }

  // One frame: runs the systems of the pipeline. 0: the time since the last frame is measured, and
  // the frame waits if a target was set. Returns false when `quit` was called. The first error of a
  // system ends the frame; that of a change which waited is thrown when the frame has ended.
  bool progress(float delta_time = 0) const {
    return core::progress(*engine_, static_cast<double>(delta_time));
  }
  // Of the current frame, scaled.
  float delta_time() const { return static_cast<float>(core::clock_of(*engine_).delta_time); }
  // The scaled times of all frames together.
  double time() const { return core::clock_of(*engine_).seconds; }
  std::uint64_t frame_count() const { return core::clock_of(*engine_).frames; }
  // 2: time passes twice as fast; 0: it stands still.
  void set_time_scale(float scale) const {
    core::set_time_scale(*engine_, static_cast<double>(scale));
  }
  float get_time_scale() const { return static_cast<float>(core::clock_of(*engine_).time_scale); }
  // At most so many frames in a second, if `progress` measures the time; 0: no limit.
  void set_target_fps(float fps) const { core::set_target_fps(*engine_, static_cast<double>(fps)); }
  float get_target_fps() const { return static_cast<float>(core::clock_of(*engine_).target_fps); }
  // The current call of `progress` and all later ones return false.
  void quit() const { core::quit(*engine_); }
  bool should_quit() const { return core::clock_of(*engine_).quits; }

  // Systems may run on so many threads, if kith was built with oneTBB; else they run on the calling
  // one. The result of a frame does not depend on it.
  void set_threads(unsigned threads) const { core::set_threads(*engine_, threads); }
  unsigned get_threads() const { return core::get_threads(*engine_); }
  // Systems run where `with` says; it must outlive its use. Null: on the calling thread.
  void set_executor(executor* with) const { core::set_executor(*engine_, with); }
  // What frames do, as a value that prints (schedule.hpp).
  kith::schedule schedule() const { return core::schedule_of(*engine_, 0); }
  kith::schedule schedule(core::id_arg pipeline) const {
    return core::schedule_of(*engine_, pipeline.in(*engine_));
  }
  // From now on systems count their runs, rows and times (system::statistics).
  void measure(bool on = true) const { core::measure(*engine_, on); }
  // The next frame is recorded in a file that trace viewers open.
  void trace(std::string path) const { core::trace_next_frame(*engine_, std::move(path)); }

  // --- modules (module.hpp) ---

  // Makes what the constructor `M(kith::world&)` makes, in a scope of its own, unless that has
  // happened before. Returns the entity of the module.
  template <class M>
  kith::entity import() const;
  // In the constructor of a module: the module, under another path if one is given.
  template <class M>
  kith::entity module(core::text_arg path = {}) const;

  // --- one change ---

  // All that `body` does is one change: observers see its result as a whole, and an exception takes
  // all of it back, but for writes through references.
  template <class Function>
  void change(Function body) const {
    engine_->change_whole([&] { body(); });
  }

  // --- names ---

  // The entity with this path, or null. Looks in the current scope, then outwards.
  kith::entity lookup(core::text_arg path) const { return wrap(engine_->lookup(path, 0)); }
  // New entities become children of the scope. Returns the previous one.
  kith::entity set_scope(core::id_arg scope) const {
    return wrap(engine_->set_scope(scope.in(*engine_)));
  }
  kith::entity get_scope() const { return wrap(engine_->scope()); }
  template <class T>
  kith::entity set_scope() const {
    return set_scope(core::id_of<T>(*engine_));
  }
  // What is created in `body` becomes a child of `parent`.
  template <class Function>
  void scope(core::id_arg parent, Function body) const {
    wrap(parent.in(*engine_)).scope(std::move(body));
  }
  template <class T, class Function>
  void scope(Function body) const {
    scope(core::id_of<T>(*engine_), std::move(body));
  }
  // What is created in `body` gets an id.
  template <class Function>
  void with(core::id_arg id, Function body) const {
    const core::with_id given(*engine_, id.in(*engine_));
    body();
  }
  template <class Function>
  void with(core::id_arg relation, core::id_arg target, Function body) const {
    with(pair(relation, target), std::move(body));
  }
  template <class... X, class Function>
  requires(sizeof...(X) > 0) void with(Function body) const {
    with(core::id_of<X...>(*engine_), std::move(body));
  }
  template <class R, class Function>
  void with(core::id_arg target, Function body) const {
    with(pair<R>(target), std::move(body));
  }
  // The entities without a parent.
  template <class Function>
  void children(Function visit) const {
    query("!ChildOf($this, _), ?Disabled, ?Prefab").each(std::move(visit));
  }

  // --- singletons: a component on its own entity ---

  // The entity of T, which is what the calls below are about: all that an entity can do, it can.
  template <class T>
  kith::entity singleton() const {
    return entity<T>();
  }
  template <class T>
  requires(!core::is_closure<std::remove_cvref_t<T>>) kith::world set(T&& value)
  const {
    using X = std::remove_cvref_t<T>;
    entity<X>().set(std::forward<T>(value));
    return *this;
  }
  template <class R, class T>
  kith::world set(core::value_type<kith::pair<R, T>> value) const {
    entity<R>().template set<R, T>(std::move(value));
    return *this;
  }
  template <class R>
  kith::world set(core::id_arg target, R value) const {
    entity<R>().template set<R>(target, std::move(value));
    return *this;
  }
  template <class T, class... Args>
  kith::world emplace(Args&&... args) const {
    entity<T>().template emplace<T>(std::forward<Args>(args)...);
    return *this;
  }
  // Each component that `body` takes, on its own entity; as `get` and `insert` of entities.
  template <class Function>
  requires core::has_signature<Function>
  bool get(Function body) const { return get_singletons(core::terms_of<Function>(), body); }
  template <class Function>
  requires core::has_signature<Function> kith::world insert(Function body)
  const {
    insert_singletons(core::terms_of<Function>(), body);
    return *this;
  }
  template <class Function>
  requires core::is_closure<Function> kith::world set(Function body)
  const { return insert(std::move(body)); }

  template <class T, class... Second>
  const core::value_type<T, Second...>* get() const {
    return entity<T>().template get<T, Second...>();
  }
  template <class R>
  const R* get(core::id_arg target) const {
    return entity<R>().template get<R>(target);
  }
  const void* get(core::id_arg id) const { return entity_of(id).get(id); }
  const void* get(core::id_arg relation, core::id_arg target) const {
    return entity_of(relation).get(relation, target);
  }
  template <class T, class... Second>
  core::value_type<T, Second...>* get_mut() const {
    return entity<T>().template get_mut<T, Second...>();
  }
  template <class R>
  R* get_mut(core::id_arg target) const {
    return entity<R>().template get_mut<R>(target);
  }
  void* get_mut(core::id_arg id) const { return entity_of(id).get_mut(id); }
  void* get_mut(core::id_arg relation, core::id_arg target) const {
    return entity_of(relation).get_mut(relation, target);
  }
  // Other names for get and get_mut.
  template <class... X>
  auto try_get() const {
    return get<X...>();
  }
  template <class R>
  const R* try_get(core::id_arg target) const {
    return get<R>(target);
  }
  const void* try_get(core::id_arg id) const { return get(id); }
  const void* try_get(core::id_arg relation, core::id_arg target) const {
    return get(relation, target);
  }
  template <class... X>
  auto try_get_mut() const {
    return get_mut<X...>();
  }
  template <class R>
  R* try_get_mut(core::id_arg target) const {
    return get_mut<R>(target);
  }
  void* try_get_mut(core::id_arg id) const { return get_mut(id); }
  void* try_get_mut(core::id_arg relation, core::id_arg target) const {
    return get_mut(relation, target);
  }
  template <class T, class... Second>
  const core::value_type<T, Second...>& at() const {
    return entity<T>().template at<T, Second...>();
  }
  template <class R>
  const R& at(core::id_arg target) const {
    return entity<R>().template at<R>(target);
  }
  template <class T, class... Second>
  core::value_type<T, Second...>& at_mut() const {
    return entity<T>().template at_mut<T, Second...>();
  }
  template <class R>
  R& at_mut(core::id_arg target) const {
    return entity<R>().template at_mut<R>(target);
  }
  template <class T, class... Second>
  core::value_type<T, Second...>& ensure() const {
    return entity<T>().template ensure<T, Second...>();
  }
  template <class R>
  R& ensure(core::id_arg target) const {
    return entity<R>().template ensure<R>(target);
  }
  template <class T>
  ref<T> get_ref() const {
    return entity<T>().template get_ref<T>();
  }
  template <class T, class... Second>
  void modified() const {
    entity<T>().template modified<T, Second...>();
  }
  void modified(core::id_arg id) const { entity_of(id).modified(id); }
  template <class T, class... Second>
  bool has() const {
    return entity<T>().template has<T, Second...>();
  }
  template <class R>
  bool has(core::id_arg target) const {
    return entity<R>().template has<R>(target);
  }
  bool has(core::id_arg id) const { return entity_of(id).has(id); }
  bool has(core::id_arg relation, core::id_arg target) const {
    return entity_of(relation).has(relation, target);
  }
  template <class T, class... Second>
  kith::world add() const {
    entity<T>().template add<T, Second...>();
    return *this;
  }
  template <class R>
  kith::world add(core::id_arg target) const {
    entity<R>().template add<R>(target);
    return *this;
  }
  kith::world add(core::id_arg id) const {
    entity_of(id).add(id);
    return *this;
  }
  kith::world add(core::id_arg relation, core::id_arg target) const {
    entity_of(relation).add(relation, target);
    return *this;
  }
  template <class E>
  requires std::is_enum_v<E> kith::world add(E value)
  const {
    entity<E>().add(value);
    return *this;
  }
  template <class T, class... Second>
  kith::world remove() const {
    entity<T>().template remove<T, Second...>();
    return *this;
  }
  template <class R>
  kith::world remove(core::id_arg target) const {
    entity<R>().template remove<R>(target);
    return *this;
  }
  kith::world remove(core::id_arg id) const {
    entity_of(id).remove(id);
    return *this;
  }
  kith::world remove(core::id_arg relation, core::id_arg target) const {
    entity_of(relation).remove(relation, target);
    return *this;
  }
  template <class R>
  kith::entity target(std::size_t n = 0) const {
    return entity<R>().template target<R>(n);
  }
  kith::entity target(core::id_arg relation, std::size_t n = 0) const {
    return entity_of(relation).target(relation, n);
  }

  // --- deferred changes ---

  // Changes made in `body` wait and are carried out in order at its end.
  template <class Function>
  void defer(Function body) const {
    core::deferral waiting(*engine_);
    body();
    waiting.end();
  }
  void defer_begin() const { engine_->defer_begin(); }

  // Between the two any thread may read this world, iterate its queries, and write to values that
  // no other thread uses. Other changes wait in a queue for each thread. readonly_end carries the
  // queues out, in the order in which the threads made their first call. Register components and
  // give names before readonly_begin.
  //
  //     world.readonly_begin();
  //     // start threads, iterate, join them
  //     world.readonly_end();
  void readonly_begin() const { engine_->readonly_begin(); }
  void readonly_end() const { engine_->readonly_end(); }
  void defer_end() const { engine_->defer_end(); }
  // Between the two, changes happen at once although the world is deferred.
  void defer_suspend() const { engine_->defer_suspend(); }
  void defer_resume() const { engine_->defer_resume(); }
  bool is_deferred() const { return engine_->is_deferred(); }
  // What went wrong with changes whose visit was left by `break` or a throw. Empties the list.
  std::vector<error> deferred_errors() const { return engine_->take_deferred_errors(); }

  // --- stopping ---

  // While `*stop` is true, queries of this world end in a `cancelled` error: at the next batch or
  // while they look for it. (A step that finds a whole closure ends first.) Another thread or a
  // signal handler may set it. Null: nothing stops them.
  //
  //     std::atomic<bool> stop = false;
  //     world.stop_queries_when(&stop);
  //
  // Requires: `*stop` lives as long as the world, or until another call of this function.
  void stop_queries_when(const std::atomic<bool>* stop) const { engine_->stop_queries_when(stop); }
  // Calls `tell` about every `every` while a query of this world works, on the thread that asked,
  // also while it finds nothing. `query.plan()` then says how far it has come. What `tell` asks
  // itself is not told of; what it changes waits. Queries of readers on other threads do not call.
  // Empty: nothing is called.
  void watch_queries(std::function<void()> tell,
                     std::chrono::milliseconds every = std::chrono::milliseconds(200)) const {
    engine_->watch_queries(std::move(tell), every);
  }
  // From now on an iteration of a query of this world that has more than `rows` results, or takes
  // longer than `seconds`, ends in a `budget` error. A caller that looks at results one by one has
  // seen `rows` of them by then. The time counts from the beginning of the iteration and is looked
  // at while the query works, so what the caller does with a result counts too.
  //
  //     world.limit_queries({.rows = 1'000'000, .seconds = 2});
  void limit_queries(const budget& most) const { engine_->limit_queries(most); }

  // --- storage ---

  // Gives back what empty tables take. Happens by itself when most tables are empty.
  std::size_t delete_empty_tables() const { return engine_->reclaim(); }
  std::size_t table_count() const { return engine_->table_count(); }

  // For code that works without C++ types.
  core::engine& engine() const { return *engine_; }

 private:
  template <class... Ts>
  kith::query<Ts...> list_query(cache_kind cache) const {
    const std::array<core::listed_term, sizeof...(Ts)> terms{
        core::listed_term{core::id_of<typename core::term_type<Ts>::id_type>(*engine_),
                          core::term_type<Ts>::is_optional ? Optional : And,
                          core::term_type<Ts>::reads ? In : InOutDefault}...};
    return kith::query<Ts...>(core::make_query(*engine_, terms, cache));
  }
  friend class kith::id;
  friend class kith::iter;
  // A handle that does not own the world.
  explicit world(core::engine* borrowed) : engine_(borrowed), owns_(false) {}

  // A plain id, or the relation of a pair: the entity that a singleton is on.
  kith::entity entity_of(core::id_arg id) const {
    const id_t raw = id.in(*engine_);
    return wrap(core::is_pair(raw) ? engine_->first(raw) : raw);
  }
  template <class... Ts, class Function>
  bool get_singletons(core::type_list<Ts...>, Function& body) const {
    const std::tuple<Ts*...> values{singleton_for_callback<Ts>()...};
    if (!std::apply([](const auto*... v) { return (v && ...); }, values)) return false;
    defer([&] { std::apply([&](auto*... v) { body(*v...); }, values); });
    return true;
  }
  template <class T>
  T* singleton_for_callback() const {
    if constexpr (std::is_const_v<T>)
      return get<std::remove_const_t<T>>();
    else
      return get_mut<T>();
  }
  template <class... Ts, class Function>
  void insert_singletons(core::type_list<Ts...>, Function& body) const {
    static_assert(sizeof...(Ts) > 0, "a callback of `insert` takes the components: `[](T& t) {}`");
    change([&] {
      (ensure<Ts>(), ...);
      body(ensure<Ts>()...);
      (modified<Ts>(), ...);
    });
  }

  kith::entity wrap(entity_t e) const { return {e ? engine_ : nullptr, e}; }
  // A callback that takes no component visits all entities, prefabs and disabled ones too.
  template <class Function>
  void each_with(core::type_list<>, Function visit) const {
    filter("?Prefab, ?Disabled").each(std::move(visit));
  }
  template <class... Ts, class Function>
  void each_with(core::type_list<Ts...>, Function visit) const {
    filter<Ts...>().each(std::move(visit));
  }

  core::engine* engine_;
  bool owns_;
};

inline kith::world id::world() const {
  if (!world_) core::raise(errc::not_alive, "no entity was given");
  return kith::world(world_);
}
inline kith::world untyped_ref::world() const { return of_.world(); }
template <class T>
component<T>::component(const kith::world& in, core::text_arg name)
    : component(name.data() ? in.component<T>(name) : in.component<T>()) {}
inline id::id(const kith::world& in, id_t raw) : id(&in.engine(), raw) {}
inline entity::entity(const kith::world& in) : entity(in.entity()) {}
inline entity::entity(const kith::world& in, core::text_arg path) : entity(in.entity(path)) {}
inline entity::entity(const kith::world& in, entity_t e) : entity(&in.engine(), e) {}
inline kith::world iter::world() const { return kith::world(&run_->world()); }

template <class... Values>
requires(sizeof...(Values) > 0 &&
         (core::is_component_value<Values> && ...)) kith::entity world::entity(Values&&... values)
const {
  const auto create = [&](auto... source) {
    const core::new_id ids[] = {
        {core::id_of<std::remove_cvref_t<Values>>(*engine_),
         core::is_tag<std::remove_cvref_t<Values>> ? core::value_source{} : source.source()}...};
    return wrap(engine_->create_with(ids));
  };
  return create(core::argument_source<std::remove_cvref_t<Values>, Values>{
      {std::forward<Values>(values)}}...);
}

template <class... Values>
std::vector<kith::entity> world::bulk(std::size_t count, Values&&... values) const {
  auto sources = std::make_tuple(core::bulk_values_of(values)...);
  std::vector<kith::entity> entities;
  // The engine refuses more.
  if (count <= core::max_index) entities.reserve(count);
  std::vector<entity_t> created = std::apply(
      [&](auto&... source) {
        const std::size_t sizes[] = {count, (source.one_for_all ? count : source.size)...};
        for (std::size_t size : sizes)
          if (size != count)
            core::raise(errc::out_of_range, std::to_string(size), " values were given for ",
                        std::to_string(count), " entities");
        const std::vector<core::bulk_id> ids{source.source(source.id_in(*engine_))...};
        return engine_->create_many(count, ids);
      },
      sources);
  for (entity_t e : created) entities.push_back(wrap(e));
  return entities;
}

template <class Function>
void world::each(core::id_arg id, Function visit) const {
  const id_t raw = id.in(*engine_);
  struct call {
    Function& visit;
    core::engine* engine;
  } context{visit, engine_};
  core::deferral waiting(*engine_);
  engine_->each_with(
      raw,
      [](entity_t e, void* c) {
        auto& calling = *static_cast<call*>(c);
        calling.visit(kith::entity(calling.engine, e));
      },
      &context);
  waiting.end();
}

template <class Function>
requires core::has_signature<Function>
void world::each(Function visit) const { each_with(core::terms_of<Function>(), std::move(visit)); }

inline kith::entity world::component(const component_desc& desc) const {
  core::type_desc type;
  type.size = desc.size;
  type.alignment = desc.alignment;
  type.hooks = desc.hooks;
  type.boxed = desc.boxed;
  // A type with hooks of its own has a default value only if one of them makes it.
  type.zero_default = !desc.hooks.construct && !desc.hooks.destroy && !desc.hooks.move;
  type.name = desc.name;
  const kith::entity made = wrap(engine_->runtime_component(desc.name, type));
  const std::pair<core::hook_kind, const core::hook*> given[] = {
      {core::hook_kind::add, &desc.on_add},
      {core::hook_kind::set, &desc.on_set},
      {core::hook_kind::remove, &desc.on_remove},
      {core::hook_kind::replace, &desc.on_replace},
      {core::hook_kind::validate, &desc.on_validate}};
  for (const auto& [kind, hook] : given)
    if (*hook) engine_->set_hook(made.id(), kind, *hook);
  return made;
}

}  // namespace kith
