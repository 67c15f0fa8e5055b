// Queries for the public API: made from a description, and asked what they are.
#include <algorithm>

#include "base/deep_call.hpp"
#include "base/spelling.hpp"
#include "query/model/print.hpp"
#include "query/model/words.hpp"
#include "query/parse/from_desc.hpp"
#include "query/parse/parse.hpp"
#include "storage/placement_text.hpp"
#include "world/live_query.hpp"

namespace kith::core {

namespace {

class world_names final : public name_source, public expression_resolver, public entity_namer {
 public:
  explicit world_names(const engine& world, const engine_state& state)
      : world_(world), state_(state) {}

  entity_t find(std::string_view path) const override { return world_.lookup(path, 0); }

  std::string nearest(std::string_view path) const override {
    const auto last = path.find_last_of(".:");
    const std::string_view name = last == path.npos ? path : path.substr(last + 1);
    const std::size_t limit = too_far_from(name);
    std::size_t best = limit;
    entity_t found = 0;
    state_.names_.each([&](entity_t e, std::string_view other) {
      const std::size_t far = letters_apart(name, other, limit);
      if (far < best || (far == best && found && index_of(e) < index_of(found))) {
        best = far;
        found = e;
      }
    });
    return found ? world_.path(found, ".") : std::string();
  }

  result<expression> resolve(expression e, std::string_view text) const override {
    return core::resolve(std::move(e), text, *this);
  }

  result<bool> check(entity_t e, const engine* owner) const override {
    if (owner && owner != &world_)
      return error(errc::not_alive, concat(owner->text_of(e), " is of another world"));
    if (!world_.is_alive(e))
      return error(errc::not_alive, concat(world_.text_of(e), " is not alive"));
    return true;
  }

  entity_t at(std::uint32_t index) const override { return world_.alive_at(index); }

  // The shortest of three spellings that finds `e` from the current scope.
  std::string name_of(entity_t e) const override {
    if (!world_.is_alive(e)) return concat("#", std::to_string(e));
    const std::string path = world_.path(e, ".");
    if (find(path) == e) return path;
    const std::string from_root = concat("::", path);
    return find(from_root) == e ? from_root : concat("::kith.", path);
  }

 private:
  const engine& world_;
  const engine_state& state_;
};

// Appends what identifies a term. False: an id of it is not alive, so that it has no key.
bool add_to_key(const engine& world, const listed_term& t, preparations::key& key) {
  const auto add = [&](entity_t e) {
    key.push_back(e);
    return world.is_alive(e);
  };
  // A pair holds indices. The key holds the entities that live there now.
  if (is_pair(t.id)
          ? !add(world.alive_at(relation_of(t.id))) || !add(world.alive_at(target_of(t.id)))
          : !add(t.id))
    return false;
  key.push_back(std::uint64_t{is_pair(t.id)} << 16 | std::uint64_t{t.oper} << 8 | t.inout);
  return true;
}

// The key by which queries with the same list of ids share a preparation. Empty for other queries.
preparations::key key_of(const engine& world, const query_desc& desc) {
  preparations::key key;
  if (desc.expr) return {};
  const auto is_given = [](const ref_desc& r) { return !r.empty() || r.set; };
  for (const term_desc& t : desc.terms) {
    if (is_given(t.first) || is_given(t.second) || is_given(t.src) || !t.expr.empty() ||
        t.or_next || t.singleton)
      return {};
    if (!add_to_key(world, {t.id.raw, t.oper, t.inout}, key)) return {};
  }
  return key;
}

// Is a handle of another world among what the description names?
bool names_another_world(const engine& world, const query_desc& desc) {
  const auto is_foreign = [&](const engine* owner) { return owner && owner != &world; };
  const auto has_foreign = [&](const ref_desc& r) {
    return is_foreign(r.owner) || is_foreign(r.relation_owner);
  };
  return is_foreign(desc.order.id.owner) || is_foreign(desc.group.relation.owner) ||
         std::ranges::any_of(desc.terms, [&](const term_desc& t) {
           return is_foreign(t.id.owner) || has_foreign(t.first) || has_foreign(t.src) ||
                  has_foreign(t.second);
         });
}

query_ptr begin_query(engine_state& s, std::shared_ptr<preparation> shared, const query_desc& desc,
                      cache_kind cache) {
  return query_ptr(new live_query(s, std::move(shared), desc, cache),
                   [](live_query* q) { q->let_go(); });
}

}  // namespace

result<query_ptr> try_make_query(engine& world, const query_desc& desc) {
  if (world.has_ended()) return error(errc::not_alive, "the world has ended");
  if (names_another_world(world, desc))
    return error(errc::not_alive, "the query names an entity of another world");
  engine_state& s = world.state();
  const preparations::key key = key_of(world, desc);
  std::shared_ptr<preparation> shared;
  {
    const auto lock = s.stages.lock_kept();
    if (!key.empty()) shared = s.prepared.find(key);
  }
  if (!shared) {
    const world_names names(world, s);
    auto resolved = from_desc(desc, names);
    if (!resolved) return resolved.error();
    shared = std::make_shared<preparation>(s.graph_, s.shortcuts, s.samples,
                                           std::move(resolved.value()));
    const auto lock = s.stages.lock_kept();
    if (!key.empty()) s.prepared.insert(key, shared);
  }
  return begin_query(s, std::move(shared), desc, desc.cache);
}

query_ptr make_query(engine& world, const query_desc& desc) {
  auto made = try_make_query(world, desc);
  if (!made) raise(made.error());
  return made.value();
}

query_ptr make_query(engine& world, std::span<const listed_term> terms, cache_kind cache) {
  engine_state& s = world.state();
  preparations::key key;
  key.reserve(3 * terms.size());
  bool known = !terms.empty();
  for (const listed_term& t : terms) known = known && add_to_key(world, t, key);
  if (known) {
    static const query_desc plain;
    const auto lock = s.stages.lock_kept();
    if (auto shared = s.prepared.find(key)) return begin_query(s, std::move(shared), plain, cache);
  }
  query_desc desc;
  desc.cache = cache;
  for (const listed_term& t : terms)
    desc.terms.push_back({.id = t.id, .oper = t.oper, .inout = t.inout});
  return make_query(world, desc);
}

void live_query::destroy() {
  engine_state& s = state_;
  delete this;
  s.release();
}

engine& world_of(const live_query& q) { return q.world(); }

bool has_changed(live_query& q) { return q.changed(); }

std::string query_text(const live_query& q) {
  const auto lock = q.locked();
  return to_text(q.prepared.written(), world_names(q.world(), q.state()));
}

run_statistics query_statistics(const live_query& q) { return q.statistics(); }

std::string query_plan(live_query& q, const query_bindings& bindings) {
  const auto lock = q.locked();
  q.prepared.refresh();
  slot_list bound = q.prepared.checked()->parameters;
  std::ranges::sort(bound);
  const std::vector<slot_info>& slots = q.prepared.checked()->slots;
  for (const auto& [number, e] : bindings)
    for (slot_index s = 0; s < slots.size(); ++s)
      if (s == static_cast<slot_index>(number) ||
          slots[s].same_as == static_cast<slot_index>(number))
        insert(bound, s);
  std::string text = q.prepared.plan_for(bound)->to_text(world_names(q.world(), q.state()));
  // An iteration that uses kept results runs no step of the plan.
  if (const std::string kept = q.kept(); !kept.empty()) text += concat("kept  // ", kept, "\n");
  return text;
}

namespace {

// Collects the groups of ids that terms name, each once, in the order in which they are written.
void list_groups(const block& b, std::vector<id_t>& out) {
  for (const item& i : b.items) {
    const checked_ref& first = i.term.first;
    if (i.is == item::kind::term && first.is == checked_ref::kind::fixed) {
      const id_t key = i.term.pair ? make_pair(first.entity, 0) : first.entity;
      if (std::ranges::find(out, key) == out.end()) out.push_back(key);
    }
    for (const block& inner : i.bodies) deep_call([&] { list_groups(inner, out); });
  }
}

}  // namespace

std::string query_storage(live_query& q) {
  const auto lock = q.locked();
  q.prepared.refresh();
  std::vector<id_t> groups;
  list_groups(q.prepared.checked()->root, groups);
  const store& s = q.state().store();
  std::string text;
  for (id_t key : groups) {
    const id_group* group = s.ids().find_group(key);
    const entity_t named = is_pair(key) ? s.entities().alive_at(relation_of(key)) : key;
    const std::string name = q.state().text(named);
    text += is_pair(key) ? concat("(", name, ", *)") : name;
    text += concat("  // ", group ? placement_text(s, *group) : "no entity has it", "\n");
  }
  return text;
}

std::size_t field_count(const live_query& q) {
  const auto lock = q.locked();
  return q.prepared.checked()->fields.size();
}

namespace {
// A field without ids, such as a scope, counts as one term.
std::size_t terms_in(const field_info& field) {
  return std::max<std::size_t>(1, field.terms.size());
}
}  // namespace

std::size_t term_count(const live_query& q) {
  const auto lock = q.locked();
  std::size_t n = q.accesses.size();
  for (const chain& c : q.prepared.written().chains) n += c.alternatives.size();
  return n;
}

namespace {

entity_t entity_in(const ref& r) {
  switch (r.is) {
    case ref::kind::entity:
      return r.name.entity;
    case ref::kind::wildcard:
      return Wildcard;
    case ref::kind::any:
      return Any;
    default:
      return 0;
  }
}

oper_kind oper_of_term(const term& t, bool is_alternative) {
  switch (t.op) {
    case term::oper::not_:
      return Not;
    case term::oper::optional:
      return Optional;
    case term::oper::and_from:
      return AndFrom;
    case term::oper::or_from:
      return OrFrom;
    case term::oper::not_from:
      return NotFrom;
    default:
      return is_alternative ? Or : And;
  }
}

inout_kind inout_of_term(const term& t) {
  switch (t.rights) {
    case term::access::in:
      return In;
    case term::access::out:
      return Out;
    case term::access::inout:
      return InOut;
    case term::access::none:
      return InOutNone;
    case term::access::filter:
      return InOutFilter;
    default:
      return InOutDefault;
  }
}

term_info describe(const live_query& q, const term& t, bool is_alternative) {
  term_info found;
  found.oper = oper_of_term(t, is_alternative);
  found.inout = inout_of_term(t);
  if (t.is != term::kind::predicate) return found;
  found.first = entity_in(t.first);
  found.second = entity_in(t.second);
  const bool is_this = t.source.is == ref::kind::none ||
                       (t.source.is == ref::kind::variable && t.source.text == "this");
  found.src = is_this                               ? This
              : t.source.is == ref::kind::singleton ? found.first
                                                    : entity_in(t.source);
  if (t.second.is == ref::kind::none)
    found.id = found.first;
  else if (found.first && found.second)
    found.id = q.world().pair(found.first, found.second);
  return found;
}

}  // namespace

term_info describe_term(const live_query& q, std::size_t n) {
  const auto lock = q.locked();
  std::size_t left = n;
  for (const chain& c : q.prepared.written().chains) {
    if (left < c.alternatives.size())
      return describe(q, c.alternatives[left], c.alternatives.size() > 1);
    left -= c.alternatives.size();
  }
  if (left >= q.accesses.size())
    raise(errc::out_of_range, "the query has ", std::to_string(n - left + q.accesses.size()),
          " terms, not ", std::to_string(n + 1));
  const access_desc& a = q.accesses[left];
  term_info found{.id = a.id, .inout = a.writes ? Out : In};
  found.first = is_pair(a.id) ? q.world().first(a.id) : a.id;
  if (is_pair(a.id)) found.second = q.world().second(a.id);
  return found;
}

std::size_t field_of_term(const live_query& q, std::size_t n) {
  const auto lock = q.locked();
  const std::vector<field_info>& fields = q.prepared.checked()->fields;
  std::size_t left = n;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (left < terms_in(fields[i])) return i;
    left -= terms_in(fields[i]);
  }
  raise(errc::out_of_range, "the query has ", std::to_string(n - left), " terms, not ",
        std::to_string(n + 1));
}

int find_variable(const live_query& q, std::string_view name) {
  const auto lock = q.locked();
  const slot_index slot = q.prepared.checked()->find_variable(name);
  return slot == no_slot ? -1 : static_cast<int>(slot);
}

std::vector<std::string> variable_names(const live_query& q, const query_bindings& bindings) {
  const auto lock = q.locked();
  std::vector<std::string> names;
  const checked_query& checked = *q.prepared.checked();
  for (slot_index slot : checked.variables) {
    // A variable that occurs only inside `!` is no part of the results, unless the caller sets it.
    const bool given = std::ranges::any_of(
        bindings, [&](const query_binding& b) { return b.number == static_cast<int>(slot); });
    if (given || checked.slots[slot].parameter || contains(checked.root.positive, slot))
      names.push_back(checked.slots[slot].name);
  }
  return names;
}

std::vector<std::string> parameter_names(const live_query& q) {
  const auto lock = q.locked();
  std::vector<std::string> names;
  for (slot_index slot : q.prepared.checked()->parameters)
    names.push_back(q.prepared.checked()->slots[slot].name);
  return names;
}

engine& list_parameters(const live_query& q, std::span<int> variables) {
  const auto lock = q.locked();
  const std::vector<slot_index>& parameters = q.prepared.checked()->parameters;
  if (variables.size() != parameters.size())
    raise(errc::out_of_range, "the query has ", std::to_string(parameters.size()),
          " parameters, not ", std::to_string(variables.size()));
  for (std::size_t n = 0; n < parameters.size(); ++n)
    variables[n] = static_cast<int>(parameters[n]);
  return q.world();
}

// Whether a bare Singleton is about $this depends on its traits as they are now.
bool has_this(live_query& q) {
  const auto lock = q.locked();
  q.prepared.refresh();
  return q.prepared.checked()->uses_this;
}

bool is_question(live_query& q, const query_bindings& bindings) {
  return !has_this(q) && variable_names(q, bindings).empty();
}

}  // namespace kith::core
