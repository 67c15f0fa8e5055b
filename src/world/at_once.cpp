// Changes as they are carried out: each is made completely or, with an error, not at all. The
// engine comes here when nothing has to wait, and the queue when the turn of a change has come.
#include <algorithm>

#include "entity/path.hpp"
#include "relations/change.hpp"
#include "world/engine_state.hpp"

namespace kith::core {

void set_name(graph& g, entity_t e, std::string_view name) {
  entity_record& r = g.alive(e);
  if (is_builtin(e)) raise(errc::constraint, g.text(e), " is built in and keeps its name");
  if (name.empty()) {
    g.names.erase(e);
    r.named = false;
    return;
  }
  const entity_t parent = parent_of(g.store, r);
  const entity_t other = g.names.find(index_of(parent), name);
  if (other == e) return;
  if (other)
    raise(errc::constraint, "the name '", name, "' is taken ",
          parent ? concat("in ", g.text(parent)) : "at the root");
  g.names.set(e, index_of(parent), name);
  r.named = true;
}

void set_child_order(graph& g, entity_t parent, std::span<const entity_t> children) {
  if (!g.store.owns(g.alive(parent), OrderedChildren))
    raise(errc::constraint, g.text(parent), " does not have OrderedChildren");
  std::vector<entity_t> given(children.begin(), children.end());
  const auto now = g.children(parent);
  std::vector<entity_t> there(now.begin(), now.end());
  std::ranges::sort(given);
  std::ranges::sort(there);
  if (given != there)
    raise(errc::constraint, "the order must name each child of ", g.text(parent), " once");
  g.child_order.set(index_of(parent), children);
}

void clear(graph& g, entity_t e) {
  const entity_record& r = g.alive(e);
  if (is_builtin(e)) raise(errc::constraint, g.text(e), " is built in and keeps its ids");
  change c(g);
  for (id_t id : g.store.owned_ids(r))
    if (id != Component) c.remove(e, id);
  c.commit();
}

void copy_ids(graph& g, entity_t from, entity_t to, bool with_values) {
  const entity_record& source = g.alive(from);
  const entity_record& copy = g.alive(to);
  if (!g.store.owned_ids(copy).empty())
    raise(errc::constraint, "cannot copy to ", g.text(to), ": it has ids already");
  change c(g);
  for (id_t id : g.store.owned_ids(source)) {
    if (id == Component) continue;
    c.add_copy(to, id, with_values ? from : 0);
    if (g.store.is_off(source, id)) c.switch_off(to, id);
  }
  // The original may lose what the copy gets.
  c.commit();
}

void set_enabled(graph& g, entity_t e, id_t id, bool on) {
  const entity_record& r = g.alive(e);
  g.check_known(id);
  if (!g.store.owns(r, id))
    raise(errc::constraint, g.text(e), " does not own ", g.text(id), ", so it cannot be switched");
  g.store.set_off(r, id, !on);
  g.inherit.touch_all();
}

void create_each(graph& g, std::size_t count, std::span<const bulk_id> ids,
                 std::vector<entity_t>& created) {
  change c(g);
  std::vector<entity_t> made;
  made.reserve(count);
  std::vector<nth_value> values;
  values.reserve(count * ids.size());
  for (std::size_t i = 0; i < count; ++i) {
    made.push_back(c.create());
    for (const bulk_id& b : ids) {
      value_source source;
      if (b.construct) source = values.emplace_back(nth_value{&b, i}).source();
      c.add(made.back(), b.id, source);
    }
  }
  c.commit();
  created = std::move(made);
}

std::vector<entity_t> entities_with(const graph& g, id_t id) {
  std::vector<entity_t> found;
  const auto collect = [&](const id_record& record) {
    g.store.each(record, [&](entity_t e) { found.push_back(e); });
  };
  if (!has_wildcard(id)) {
    if (const id_record* record = g.store.ids().find(id)) collect(*record);
    std::erase_if(found, is_builtin);
    return found;
  }
  if (is_pair(id) && !is_wildcard(relation_of(id))) {
    g.store.ids().each_of_relation(relation_of(id), collect);
  } else if (is_pair(id) && !is_wildcard(target_of(id))) {
    g.store.ids().each_of_target(target_of(id), collect);
  } else {
    g.store.ids().each([&](const id_record& record) {
      if (matches(record.id, id)) collect(record);
    });
  }
  std::erase_if(found, is_builtin);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

namespace {

// Takes an id, or all pairs of a relation, from all entities. Returns false and does nothing if a
// rule is about the ids, or if a built-in entity has one.
bool remove_plain_from_all(graph& g, id_t id) {
  std::vector<id_record*> records;
  bool is_simple = true, bases_change = false;
  const auto add = [&](id_record& record) {
    is_simple = is_simple && g.is_plain(record.id);
    g.store.each(record, [&](entity_t e) {
      is_simple = is_simple && !is_builtin(e);
      bases_change = bases_change || (g.inherit.any() && g.inherit.is_base(e));
    });
    records.push_back(&record);
  };
  if (!has_wildcard(id)) {
    if (id_record* const record = g.store.ids().find(id)) add(*record);
  } else if (is_pair(id) && !is_wildcard(relation_of(id))) {
    g.store.ids().each_of_relation(relation_of(id), add);
  } else {
    return false;
  }
  if (!is_simple) return false;
  const auto touch = [&] {
    if (bases_change) g.inherit.touch_all();
  };
  g.store.take_from_all(records, touch);
  touch();
  return true;
}

}  // namespace

void remove_from_all(graph& g, id_t id) {
  g.check_known(id);
  if (remove_plain_from_all(g, id)) return;
  change c(g);
  for (entity_t e : entities_with(g, id))
    for (id_t each : g.store.owned_ids(g.alive(e)))
      if (matches(each, id) && each != Component) c.remove(e, each);
  c.commit();
}

entity_t find_below(const names& all, entity_t start, std::span<const std::string> path) {
  entity_t at = start;
  for (const std::string& name : path)
    if (at = all.find(index_of(at), name); !at) return 0;
  return at;
}

}  // namespace kith::core
