// Where entities live.
//
//     kith::world world;
//     kith::entity Likes = world.entity("Likes");
//     kith::entity alice = world.entity("alice");
//     kith::entity bob = world.entity("bob").add(Likes, alice);
//     bob.has(Likes, alice);  // true
//
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
  // A world that was moved from has ended.
  world(world&& other) noexcept
      : engine_(std::exchange(other.engine_, &core::engine::ended())),
        owns_(std::exchange(other.owns_, false)) {}
  world& operator=(world&& other) noexcept {
    world moved(std::move(other));
    std::swap(engine_, moved.engine_);
    std::swap(owns_, moved.owns_);
    return *this;
  }
  // All values are destroyed. Handles may stay; using one is a not_alive error from now on.
  ~world() {
    if (owns_) engine_->end();
  }

  // --- entities ---

  // A new entity; a child of the current scope.
  kith::entity entity() { return wrap(engine_->create()); }
  // The entity with this path; made if it is not there: `world.entity("ship::cockpit")`.
  kith::entity entity(std::string_view path) { return wrap(engine_->create_named(path)); }
  kith::entity entity(const char* path) { return path ? entity(std::string_view(path)) : entity(); }
  // A new entity with these values, straight where it belongs: `world.entity(Position{1, 2},
  // Npc{})`.
  template <class... Values>
  requires(sizeof...(Values) > 0 && (core::is_component_value<Values> && ...)) kith::entity
      entity(Values&&... values);
  // The entity that stands for a type.
  template <class T>
  kith::entity entity() {
    return wrap(core::id_of<T>(*engine_));
  }
  // A model to make entities of: `world.entity().is_a(prefab)`.
  kith::entity prefab() { return entity().add(Prefab); }
  kith::entity prefab(std::string_view path) { return entity(path).add(Prefab); }
  // A list of ids for the operators AND, OR and NOT of queries, which themselves leave it out:
  // `world.type("Ingredients").add(Bacon).add(Eggs)`.
  kith::entity type() { return prefab(); }
  kith::entity type(std::string_view path) { return prefab(path); }
  // A handle for a number. It may be dead: ask is_alive().
  kith::entity entity(core::id_arg number) { return {engine_, number.in(*engine_)}; }
  // A new entity, whatever the scope.
  kith::entity new_id() { return wrap(engine_->create_id()); }

  // `count` new entities at once. A value is given to each; of a vector or span each gets its own:
  // `world.bulk(3, Npc{}, Position{0, 0}, std::vector<Mass>{{1}, {2}, {3}})`.
  template <class... Values>
  std::vector<kith::entity> bulk(std::size_t count, Values&&... values);

  // Makes an entity with a number given from outside.
  kith::entity make_alive(entity_t number) {
    engine_->make_alive(number);
    return wrap(number);
  }
  bool is_alive(core::id_arg e) const {
    return (!e.owner || e.owner == engine_) && engine_->is_alive(e.raw);
  }
  // All living entities but the built-in ones.
  std::size_t entity_count() const { return engine_->entity_count(); }

  // --- types and ids ---

  // In the constructor of a module a type that is new becomes a part of the module.
  template <class T>
  kith::component<T> component() {
    if constexpr (!std::is_const_v<T> && !core::is_pair_type<T>)
      if (!engine_->knows_type<T>())
        core::declare_component(*engine_, core::slot_of_type<T>(), core::describe_type<T>(), {});
    return {engine_, core::id_of<T>(*engine_)};
  }
  // Registers the type under a name of your own.
  template <class T>
  kith::component<T> component(std::string_view name) {
    return {engine_, core::declare_component(*engine_, core::slot_of_type<T>(),
                                             core::describe_type<T>(), name)};
  }
  kith::entity component(const component_desc& desc);

  template <class... X>
  kith::id id() {
    return {engine_, core::id_of<X...>(*engine_)};
  }
  kith::id id(core::id_arg id) { return {engine_, id.in(*engine_)}; }
  // The id of a pair. A wildcard makes it a pattern.
  kith::id pair(core::id_arg relation, core::id_arg target) const {
    return {engine_, engine_->pair(relation.in(*engine_), target.in(*engine_))};
  }
  template <class R>
  kith::id pair(core::id_arg target) {
    return pair(core::id_of<R>(*engine_), target);
  }
  template <class R, class T>
  kith::id pair() {
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
  std::size_t define(std::string_view text) { return engine_->define(text); }
  result<std::size_t> try_define(std::string_view text) { return engine_->try_define(text); }
  // The same for a text that is not trusted: a few lines with prefabs of prefabs can create
  // millions of entities. `world.define(text, {.entities = 100'000, .seconds = 2})` ends in a
  // `budget` error instead, early, and nothing of the text is applied.
  std::size_t define(std::string_view text, const budget& most) {
    return engine_->define(text, most);
  }
  result<std::size_t> try_define(std::string_view text, const budget& most) {
    return engine_->try_define(text, most);
  }
  // The same for a long text: `progress` is called every few thousand statements. It may ask the
  // world; changes are constraint errors. `world.try_define(text, [](const kith::define_progress&
  // p) {...})`.
  template <class Function>
  requires std::is_invocable_v<Function&, const define_progress&> result<std::size_t> try_define(
      std::string_view text, Function progress, const budget& most = {}) {
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
  std::size_t count() {
    return engine_->count(core::id_of<X...>(*engine_));
  }
  std::size_t count(core::id_arg id) const { return engine_->count(id.in(*engine_)); }
  std::size_t count(core::id_arg relation, core::id_arg target) const {
    return count(pair(relation, target));
  }
  // Visits the entities that own an id or match a pattern, each once.
  template <class Function>
  void each(core::id_arg id, Function visit);
  template <class Function>
  void each(core::id_arg relation, core::id_arg target, Function visit) {
    each(pair(relation, target), std::move(visit));
  }
  template <class X, class Function>
  void each(Function visit) {
    each(core::id_of<X>(*engine_), std::move(visit));
  }
  // Visits the entities that have what the callback takes, as a query does:
  // `world.each([](kith::entity e, Position& p, const Velocity* v) {})`. With an entity alone it
  // visits all that are not built in.
  template <class Function>
  requires core::has_signature<Function>
  void each(Function visit);
  template <class R>
  std::size_t count(core::id_arg target) {
    return count(pair<R>(target));
  }
  // Takes the id from all entities that are not built in.
  void remove_all(core::id_arg id) { engine_->remove_from_all(id.in(*engine_)); }
  void remove_all(core::id_arg relation, core::id_arg target) {
    remove_all(pair(relation, target));
  }
  template <class X>
  void remove_all() {
    remove_all(core::id_of<X>(*engine_));
  }
  // Deletes all entities that have it.
  void delete_with(core::id_arg id) { engine_->delete_with(id.in(*engine_)); }
  void delete_with(core::id_arg relation, core::id_arg target) {
    delete_with(pair(relation, target));
  }
  template <class X>
  void delete_with() {
    delete_with(core::id_of<X>(*engine_));
  }

  // --- queries ---

  // The entities that have all of these: `world.query<Position, const Velocity>()`.
  template <class... Ts>
  kith::query<Ts...> query() {
    return list_query<Ts...>(cache_kind::automatic);
  }
  // `world.query("Position, (Likes, $x)")`
  kith::query<> query(std::string_view expression) {
    return query(query_desc{.expr = std::string(expression)});
  }
  kith::query<> query(const char* expression) { return query(std::string_view(expression)); }
  kith::query<> query(const query_desc& desc) {
    return kith::query<>(core::make_query(*engine_, desc));
  }
  result<kith::query<>> try_query(std::string_view expression) {
    return try_query(query_desc{.expr = std::string(expression)});
  }
  result<kith::query<>> try_query(const query_desc& desc) {
    auto made = core::try_make_query(*engine_, desc);
    if (!made) return made.error();
    return kith::query<>(made.value());
  }
  template <class... Ts>
  kith::query_builder<Ts...> query_builder() {
    return kith::query_builder<Ts...>(*engine_);
  }
  // The same without a cache.
  template <class... Ts>
  kith::query<Ts...> filter() {
    return list_query<Ts...>(cache_kind::never);
  }
  kith::query<> filter(std::string_view expression) {
    return query(query_desc{.expr = std::string(expression), .cache = cache_kind::never});
  }
  kith::query<> filter(const char* expression) { return filter(std::string_view(expression)); }
  template <class... Ts>
  kith::query_builder<Ts...> filter_builder() {
    return kith::query_builder<Ts...>(*engine_).cache_kind(cache_kind::never);
  }

  // --- observers ---

  // Tells of what changes bring and take (observer.hpp):
  // `world.observer<Position>("placed").event(kith::OnAdd).each([](Position& p) {})`
  template <class... Ts>
  kith::observer_builder<Ts...> observer(std::string_view name = {}) {
    return {*engine_, name};
  }

  // Sends an event of your own (event.hpp):
  // `world.event<Hit>().id<Health>().entity(goblin).ctx(Hit{7}).emit()`
  template <class E>
  event_builder event() {
    return {*engine_, core::id_of<E>(*engine_)};
  }
  event_builder event(core::id_arg event) { return {*engine_, event.in(*engine_)}; }

  // --- systems (system.hpp) ---

  // A query that each frame runs: `world.system<Position>("Move").each([](Position& p) {})`
  template <class... Ts>
  kith::system_builder<Ts...> system(std::string_view name = {}) {
    return {*engine_, name};
  }
  // The handle of a system that there is.
  kith::system system(core::id_arg e) { return {engine_, e.in(*engine_)}; }
  kith::timer timer(std::string_view name = {}) {
    return {engine_, core::make_timer(*engine_, name)};
  }
  // Systems that run apart from others: `world.pipeline("Ai").with(kith::System).with(Ai).build()`
  kith::pipeline_builder pipeline(std::string_view name = {}) { return {*engine_, name}; }
  // The pipeline that `progress` runs; null: the usual one, with all systems that have a phase.
  void set_pipeline(core::id_arg pipeline) { core::set_pipeline(*engine_, pipeline.in(*engine_)); }
  kith::entity get_pipeline() const { return wrap(core::get_pipeline(*engine_)); }
  // Runs the systems of a pipeline once, without a new frame.
  void run_pipeline(core::id_arg pipeline, float delta_time = 0) {
    core::run_pipeline(*engine_, pipeline.in(*engine_), static_cast<double>(delta_time));
  }

  // One frame: runs the systems of the pipeline. 0: the time since the last frame is measured, and
  // the frame waits if a target was set. Returns false when `quit` was called. The first error of a
  // system ends the frame; that of a change which waited is thrown when the frame has ended.
  bool progress(float delta_time = 0) {
    return core::progress(*engine_, static_cast<double>(delta_time));
  }
  // Of the current frame, scaled.
  float delta_time() const { return static_cast<float>(core::clock_of(*engine_).delta_time); }
  // The scaled times of all frames together.
  double time() const { return core::clock_of(*engine_).seconds; }
  std::uint64_t frame_count() const { return core::clock_of(*engine_).frames; }
  // 2: time passes twice as fast; 0: it stands still.
  void set_time_scale(float scale) { core::set_time_scale(*engine_, static_cast<double>(scale)); }
  float get_time_scale() const { return static_cast<float>(core::clock_of(*engine_).time_scale); }
  // At most so many frames in a second, if `progress` measures the time; 0: no limit.
  void set_target_fps(float fps) { core::set_target_fps(*engine_, static_cast<double>(fps)); }
  float get_target_fps() const { return static_cast<float>(core::clock_of(*engine_).target_fps); }
  // The current call of `progress` and all later ones return false.
  void quit() { core::quit(*engine_); }
  bool should_quit() const { return core::clock_of(*engine_).quits; }

  // Systems may run on so many threads, if kith was built with oneTBB; else they run on the calling
  // one. The result of a frame does not depend on it.
  void set_threads(unsigned threads) { core::set_threads(*engine_, threads); }
  unsigned get_threads() const { return core::get_threads(*engine_); }
  // Systems run where `with` says; it must outlive its use. Null: on the calling thread.
  void set_executor(executor* with) { core::set_executor(*engine_, with); }
  // What frames do, as a value that prints (schedule.hpp).
  kith::schedule schedule() const { return core::schedule_of(*engine_, 0); }
  kith::schedule schedule(core::id_arg pipeline) const {
    return core::schedule_of(*engine_, pipeline.in(*engine_));
  }
  // From now on systems count their runs, rows and times (system::statistics).
  void measure(bool on = true) { core::measure(*engine_, on); }
  // The next frame is recorded in a file that trace viewers open.
  void trace(std::string path) { core::trace_next_frame(*engine_, std::move(path)); }

  // --- modules (module.hpp) ---

  // Makes what the constructor `M(kith::world&)` makes, in a scope of its own, unless that has
  // happened before. Returns the entity of the module.
  template <class M>
  kith::entity import();
  // In the constructor of a module: the module, under another path if one is given.
  template <class M>
  kith::entity module(std::string_view path = {});

  // --- one change ---

  // All that `body` does is one change: observers see its result as a whole, and an exception takes
  // all of it back, but for writes through references.
  template <class Function>
  void change(Function body) {
    engine_->change_whole([&] { body(); });
  }

  // --- names ---

  // The entity with this path, or null. Looks in the current scope, then outwards.
  kith::entity lookup(std::string_view path) const { return wrap(engine_->lookup(path, 0)); }
  // New entities become children of the scope. Returns the previous one.
  kith::entity set_scope(core::id_arg scope) {
    return wrap(engine_->set_scope(scope.in(*engine_)));
  }
  kith::entity get_scope() const { return wrap(engine_->scope()); }
  // What is created in `body` becomes a child of `parent`.
  template <class Function>
  void scope(core::id_arg parent, Function body) {
    entity(parent).scope(std::move(body));
  }

  // --- singletons: a component on its own entity ---

  template <class T>
  void set(T&& value) {
    using X = std::remove_cvref_t<T>;
    entity<X>().set(std::forward<T>(value));
  }
  template <class T>
  const T* get() {
    return entity<T>().template get<T>();
  }
  template <class T>
  T* get_mut() {
    return entity<T>().template get_mut<T>();
  }
  template <class T>
  T& ensure() {
    return entity<T>().template ensure<T>();
  }
  template <class T>
  bool has() {
    return entity<T>().template has<T>();
  }
  template <class T>
  void add() {
    entity<T>().template add<T>();
  }
  template <class T>
  void remove() {
    entity<T>().template remove<T>();
  }

  // --- deferred changes ---

  // Changes made in `body` wait and are carried out in order at its end.
  template <class Function>
  void defer(Function body) {
    core::deferral waiting(*engine_);
    body();
    waiting.end();
  }
  void defer_begin() { engine_->defer_begin(); }

  // Between the two any thread may read this world, iterate its queries, and write to values that
  // no other thread uses. Other changes wait in a queue for each thread. readonly_end carries the
  // queues out, in the order in which the threads made their first call. Register components and
  // give names before readonly_begin.
  //
  //     world.readonly_begin();
  //     // start threads, iterate, join them
  //     world.readonly_end();
  void readonly_begin() { engine_->readonly_begin(); }
  void readonly_end() { engine_->readonly_end(); }
  void defer_end() { engine_->defer_end(); }
  bool is_deferred() const { return engine_->is_deferred(); }
  // What went wrong with changes whose visit was left by `break` or a throw. Empties the list.
  std::vector<error> deferred_errors() { return engine_->take_deferred_errors(); }

  // --- stopping ---

  // While `*stop` is true, queries of this world end in a `cancelled` error: at the next batch or
  // while they look for it. (A step that finds a whole closure ends first.) Another thread or a
  // signal handler may set it. Null: nothing stops them.
  //
  //     std::atomic<bool> stop = false;
  //     world.stop_queries_when(&stop);
  //
  // Requires: `*stop` lives as long as the world, or until another call of this function.
  void stop_queries_when(const std::atomic<bool>* stop) { engine_->stop_queries_when(stop); }
  // Calls `tell` about every `every` while a query of this world works, on the thread that asked,
  // also while it finds nothing. `query.plan()` then says how far it has come. What `tell` asks
  // itself is not told of; what it changes waits. Queries of readers on other threads do not call.
  // Empty: nothing is called.
  void watch_queries(std::function<void()> tell,
                     std::chrono::milliseconds every = std::chrono::milliseconds(200)) {
    engine_->watch_queries(std::move(tell), every);
  }
  // From now on an iteration of a query of this world that has more than `rows` results, or takes
  // longer than `seconds`, ends in a `budget` error. A caller that looks at results one by one has
  // seen `rows` of them by then. The time counts from the beginning of the iteration and is looked
  // at while the query works, so what the caller does with a result counts too.
  //
  //     world.limit_queries({.rows = 1'000'000, .seconds = 2});
  void limit_queries(const budget& most) { engine_->limit_queries(most); }

  // --- storage ---

  // Gives back what empty tables take. Happens by itself when most tables are empty.
  std::size_t delete_empty_tables() { return engine_->reclaim(); }
  std::size_t table_count() const { return engine_->table_count(); }

  // For code that works without C++ types.
  core::engine& engine() { return *engine_; }

 private:
  template <class... Ts>
  kith::query<Ts...> list_query(cache_kind cache) {
    const std::array<core::listed_term, sizeof...(Ts)> terms{
        core::listed_term{core::id_of<typename core::term_type<Ts>::id_type>(*engine_),
                          core::term_type<Ts>::is_optional ? Optional : And,
                          core::term_type<Ts>::reads ? In : InOutDefault}...};
    return kith::query<Ts...>(core::make_query(*engine_, terms, cache));
  }
  friend class kith::entity;
  friend class kith::iter;
  // A handle that does not own the world.
  explicit world(core::engine* borrowed) : engine_(borrowed), owns_(false) {}

  kith::entity wrap(entity_t e) const { return {e ? engine_ : nullptr, e}; }
  // A callback that takes no component visits all entities, prefabs and disabled ones too.
  template <class Function>
  void each_with(core::type_list<>, Function visit) {
    filter("?Prefab, ?Disabled").each(std::move(visit));
  }
  template <class... Ts, class Function>
  void each_with(core::type_list<Ts...>, Function visit) {
    filter<Ts...>().each(std::move(visit));
  }

  core::engine* engine_;
  bool owns_;
};

inline kith::world entity::world() const { return kith::world(&here()); }
inline kith::world iter::world() const { return kith::world(&run_->world()); }

template <class... Values>
requires(sizeof...(Values) > 0 &&
         (core::is_component_value<Values> && ...)) kith::entity world::entity(Values&&... values) {
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
std::vector<kith::entity> world::bulk(std::size_t count, Values&&... values) {
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
void world::each(core::id_arg id, Function visit) {
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
void world::each(Function visit) { each_with(core::terms_of<Function>(), std::move(visit)); }

inline kith::entity world::component(const component_desc& desc) {
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
