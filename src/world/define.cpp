// Facts in text become facts of a world.
#include <optional>
#include <utility>
#include <vector>

#include "base/scope_exit.hpp"
#include "entity/path.hpp"
#include "query/model/statement.hpp"
#include "query/parse/parse.hpp"
#include "relations/change.hpp"
#include "relations/transaction.hpp"
#include "storage/type_info.hpp"
#include "world/engine_state.hpp"
#include "world/read_value.hpp"

namespace kith::core {

namespace {

// Applies the statements of one text. Functions return false once there is an error; their callers
// return then too.
class definer {
 public:
  definer(engine& world, engine_state& state, std::string_view text, allowance& allowed)
      : state_(state),
        text_(text),
        allowed_(allowed),
        values_(world,
                [this](const entity_name& name, entity_t& e) { return find_or_create(name, e); }) {}

  bool apply(const statement& s) {
    allowed_.check(0);
    const fact* f = std::get_if<fact>(&s);
    return f ? apply(*f) : apply(std::get<struct_definition>(s));
  }

  // Where the statement is that is being applied.
  const text_range& here() const { return here_; }
  const error& why() const { return *error_; }

 private:
  bool fail(errc code, const text_range& at, std::string_view message) {
    error_ = error_at(code, text_, at, message);
    return false;
  }

  // --- names ---

  // A bare name keeps meaning the entity it first named in the text, wherever that goes.
  entity_t find_bare(const std::string& name) {
    if (auto known = bare_.find(name); known != bare_.end()) return known->second;
    const entity_t found = look_up(name);
    if (found) bare_[name] = found;
    return found;
  }

  // In the current scope, around it, at the root, among what is built in.
  entity_t look_up(const std::string& name) const {
    for (entity_t at = state_.scope; at; at = parent_of(state_.store(), state_.alive(at)))
      if (const entity_t found = state_.names_.find(index_of(at), name)) return found;
    if (const entity_t found = state_.names_.find(0, name)) return found;
    return state_.names_.find(index_of(BuiltinScope), name);
  }

  // The entity of a name, or 0 in `e` if there is none. With `create` there always is one.
  bool resolve(const entity_name& name, bool create, entity_t& e) {
    e = 0;
    const bool is_one_word = name.path.find_first_of(".:\"#") == std::string::npos;
    if (is_one_word) {
      e = find_bare(name.path);
      if (!e && create) e = bare_[name.path] = make_named(state_.scope, name.path);
      return true;
    }
    const result<parsed_path> parsed = parse_path(name.path);
    if (!parsed) return fail(errc::parse, name.at, parsed.error().what());
    const parsed_path& path = parsed.value();
    auto next = path.names.begin();
    if (path.number) {
      e = path.number;
      if (!state_.store().entities().is_alive(e)) {
        if (!create) return e = 0, true;
        if (!make_alive(e, name.at)) return false;
      }
    } else if (!path.from_root) {
      e = find_bare(*next);
      if (!e && !create) return true;
      if (!e) e = bare_[*next] = make_named(state_.scope, *next);
      ++next;
    }
    for (; next != path.names.end(); ++next) {
      entity_t child = state_.names_.find(index_of(e), *next);
      if (!child && !create) return e = 0, true;
      e = child ? child : make_named(e, *next);
    }
    return true;
  }

  bool find_or_create(const entity_name& name, entity_t& e) { return resolve(name, true, e); }

  bool make_alive(entity_t e, const text_range& at) {
    allowed_.spend(1);
    if (!is_builtin(e) && state_.store().make_alive(e)) return true;
    return fail(errc::constraint, at,
                concat("#", std::to_string(e),
                       " cannot be made alive: it is no entity, or another entity lives at its "
                       "index"));
  }

  entity_t make_named(entity_t parent, const std::string& name) {
    allowed_.spend(1);
    const entity_t e = state_.store().create();
    state_.names_.set(e, index_of(parent), name);
    state_.store().entities().at_index(index_of(e)).named = true;
    if (parent) add_id(state_.graph_, e, make_pair(ChildOf, parent));
    return e;
  }

  // --- facts ---

  bool check_name(const ref& r) {
    if (r.is != ref::kind::entity || r.flags)
      return fail(errc::parse, r.at, "a fact is made of names");
    return true;
  }

  bool apply(const fact& f) {
    here_ = f.at;
    const bool create = !f.removed;
    entity_t predicate = 0, source = 0, target = 0;
    if (f.predicate.is == ref::kind::none)
      return check_name(f.source) && resolve(f.source.name, true, source);
    const bool on_itself = f.source.is == ref::kind::singleton;
    const bool has_target = f.target.is != ref::kind::none;
    if (!check_name(f.predicate) || !resolve(f.predicate.name, create, predicate)) return false;
    if (!on_itself && (!check_name(f.source) || !resolve(f.source.name, create, source)))
      return false;
    if (has_target && (!check_name(f.target) || !resolve(f.target.name, create, target)))
      return false;
    if (on_itself) source = predicate;
    // Removing what is not there does nothing.
    if (!predicate || !source || (has_target && !target)) return true;

    const id_t id = has_target ? make_pair(predicate, target) : predicate;
    state_.check_addable(id);
    if (f.removed)
      remove_id(state_.graph_, source, id);
    else if (f.value)
      return set_value(source, id, *f.value);
    else
      add_id(state_.graph_, source, id);
    return true;
  }

  bool set_value(entity_t e, id_t id, const value_text& list) {
    const type_info* type = state_.store().types().type_of(id);
    const struct_members* members = type ? state_.members_.find(type->component) : nullptr;
    if (!members)
      return fail(errc::type, list.at,
                  concat(state_.text(id), type ? " has no members, so its value cannot be written"
                                               : " is a tag and has no value"));
    // Members that are not given are as they were, or as they are inherited, or as they begin.
    slot_buffer value(*type);
    located_value now = state_.store().find_value(state_.alive(e), id);
    if (!now) {
      const entity_record& r = state_.alive(e);
      if (const entity_t owner = state_.graph_.inherit.owner(e, r, id))
        now = state_.store().find_value(state_.alive(owner), id);
    }
    {
      store::user_code running(state_.store());
      if (!now)
        value.fill({});
      else
        value.fill({&now, [](void* slot, void* context) {
                      const auto& from = *static_cast<located_value*>(context);
                      construct_copy(*from.type, slot, from.slot);
                    }});
    }
    if (!values_.read(*members, list, type->value(value.get())))
      return error_ ? false : fail(errc::type, values_.why().at, values_.why().message);
    core::set_value(state_.graph_, e, id, value.source());
    return true;
  }

  // --- structs ---

  bool apply(const struct_definition& s) {
    here_ = s.at;
    entity_t e = 0;
    if (!resolve(s.name, true, e)) return false;
    std::vector<member_plan> plan;
    hash_map<std::string_view, bool, std::hash<std::string_view>> names;
    for (const struct_definition::member& m : s.members) {
      member_plan p{.name = m.name};
      if (!find_type(m, p)) return false;
      if (!names.try_emplace(m.name, true).second)
        return fail(errc::type, m.at, concat("there are two members '", m.name, "'"));
      plan.push_back(std::move(p));
    }

    if (const type_info* type = state_.store().types().find(index_of(e)))
      return check_same(e, *type, plan);
    if (is_builtin(e))
      return fail(errc::constraint, s.name.at, concat(state_.text(e), " is built in"));
    // Without members it is a tag, as any entity.
    if (plan.empty()) return true;
    result<struct_layout> layout = lay_out(plan);
    if (!layout) return fail(layout.error().code(), here_, layout.error().what());
    const std::string name = state_.text(e);
    layout->type.name = name;
    state_.give_type(e, layout->type);
    state_.members_.set(e, layout->members, state_.graph_.undo);
    return true;
  }

  bool find_type(const struct_definition::member& m, member_plan& p) {
    if (const member_kind* kind = find_kind(m.type)) {
      p.kind = *kind;
      return true;
    }
    entity_name name;
    name.path = m.type;
    name.at = m.at;
    entity_t component = 0;
    if (!resolve(name, false, component)) return false;
    p.kind = member_kind::structure;
    p.members = component ? state_.members_.share(component) : nullptr;
    if (!p.members)
      return fail(component ? errc::type : errc::unresolved, m.at,
                  component ? concat("'", m.type, "' is no type with members")
                            : concat("unknown type '", m.type, "'"));
    p.type = state_.store().types().find(index_of(component));
    return true;
  }

  bool check_same(entity_t e, const type_info&, const std::vector<member_plan>& plan) {
    const struct_members* known = state_.members_.find(e);
    if (!known)
      return fail(errc::type, here_,
                  concat(state_.text(e), " is a type whose members are not described"));
    std::vector<member> wanted;
    for (const member_plan& p : plan) {
      member m{p.name, p.kind};
      if (p.type) m.component = p.type->component;
      wanted.push_back(std::move(m));
    }
    return same_members(*known, struct_members(std::move(wanted))) ||
           fail(errc::type, here_, concat(state_.text(e), " has other members already"));
  }

  engine_state& state_;
  std::string_view text_;
  allowance& allowed_;
  value_reader values_;
  text_range here_;
  std::optional<error> error_;
  hash_map<std::string, entity_t, std::hash<std::string>> bare_;
};

// Calls the listener. What it asks of the world is answered; changes are errors.
void report(engine_state& state, const define_progress& progress, progress_listener listener) {
  state.stages.set_mode(stages::mode::reporting);
  scope_exit reopen([&] {
    if (!state.stages.has_ended()) state.stages.set_mode(stages::mode::open);
  });
  listener.hear(progress, listener.context);
  state.stages.check_not_ended();
}

// Counts the statements of a text that were applied.
result<std::size_t> apply_all(engine_state& state, definer& d, std::string_view text,
                              progress_listener listener) {
  constexpr std::size_t statements_per_report = 4096;
  std::size_t count = 0;
  bool refused = false;
  const std::optional<error> unreadable = parse_facts(text, [&](const statement& s) {
    refused = !d.apply(s);
    ++count;
    if (listener.hear && !refused && count % statements_per_report == 0)
      report(state, {count, d.here().line}, listener);
    return !refused;
  });
  if (refused) return d.why();
  if (unreadable) return *unreadable;
  return count;
}

result<std::size_t> apply_all_or_tell_where(engine_state& state, definer& d, std::string_view text,
                                            progress_listener listener) {
#if defined(__cpp_exceptions)
  try {
    return apply_all(state, d, text, listener);
  } catch (const error& e) {
    return error_at(e.code(), text, d.here(), e.what());
  }
#else
  return apply_all(state, d, text, listener);
#endif
}

// Applies all statements of a text, or none. Requires: nothing is queued.
result<std::size_t> apply_text(engine& world, engine_state& state, std::string_view text,
                               const budget& most, progress_listener listener) {
  const stage::use applying(state.stages.main);
  // What constructors asked for goes with what was taken back.
  scope_exit forget([&] {
    state.stages.main.queue.clear();
    state.stages.release_dead();
    state.stages.main.reach.forget();
    state.stages.main.meaning.forget();
  });
  allowance allowed(most);
  definer d(world, state, text, allowed);
  result<std::size_t> done = 0;
  const auto apply = [&] {
    state.graph_.allowed = &allowed;
    scope_exit allow_all([&] { state.graph_.allowed = nullptr; });
    // The text may be a part of another change, which observers may have opened.
    std::optional<transaction> all;
    std::optional<engine_state::part_of_change> part;
    if (state.graph_.undo)
      part.emplace(state);
    else
      all.emplace(state.graph_);
    done = apply_all_or_tell_where(state, d, text, listener);
    if (done) all ? all->keep() : part->keep();
  };
  if (state.has_observers())
    state.react_to(apply, true);
  else
    apply();
  if (done) forget.dismiss();
  return done;
}

}  // namespace

result<std::size_t> engine::try_define(std::string_view text, const budget& most,
                                       progress_listener listener) {
  engine_state& s = *state_;
  if (s.stages.has_ended()) return error(errc::not_alive, "the world has ended");
  if (s.stages.queueing())
    return error(errc::constraint, "facts cannot be defined while the world is deferred");
  if (s.scope && !is_alive(s.scope))
    return error(errc::not_alive, "the current scope is not alive any more; set another one");
  result<std::size_t> done = apply_text(*this, s, text, most, listener);
  s.settle_quietly();
  return done;
}

std::size_t engine::define(std::string_view text, const budget& most) {
  engine_state& s = state();
  if (s.stages.queueing())
    raise(errc::constraint, "facts cannot be defined while the world is deferred");
  scope();
  const result<std::size_t> done = apply_text(*this, s, text, most, {});
  if (!done) raise(done.error());
  s.settle();
  return done.value();
}

}  // namespace kith::core
