#include "query/exec/reads.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>
#include <kith/detail/error.hpp>

#include "base/deep_call.hpp"

namespace kith::core {

namespace {

class read_finder {
 public:
  explicit read_finder(meaning& m) : m_(m) {}

  reads find(const checked_query& q) {
    q_ = &q;
    each_item(q.root, [&](const item& i) {
      if (i.is == item::kind::term) add(i.term);
      return true;
    });
    found_.life = ranges_over_entities(q);
    add_walks(q.ordered_by);
    if (q.order_relation) add_entity(q.order_relation, true);
    found_.add_group(make_pair(IsA, 0));
    for (id_t id : q.hides) found_.add_group(id);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t most_watched = 256;

  void add(const checked_term& t) {
    for (const checked_ref* r : {&t.first, &t.source, &t.second}) add_walks(*r);
    switch (t.shape.is) {
      case term_shape::kind::text:
        found_.names = true;
        return;
      case term_shape::kind::equality:
        return;
      case term_shape::kind::list:
        // A list says the ids of its entity.
        found_.all_ids = true;
        return;
      default:
        break;
    }
    if (t.first.is != checked_ref::kind::fixed) {
      found_.all_ids = true;
      return;
    }
    add_entity(t.first.entity, t.pair);
    if (!t.first.flagged) return;
    for (const checked_walk& w : t.first.walks)
      for (entity_t kind : m_.with_kinds(w.relation)) found_.leading.push_back(make_pair(kind, 0));
    checked_ref any_of_them = t.first;
    any_of_them.all = no_slot;
    std::vector<entity_t> predicates;
    m_.stand_for(any_of_them, {}, predicates);
    found_.all_ids = found_.all_ids || predicates.size() > most_watched;
    if (found_.all_ids) return;
    for (entity_t p : predicates) add_entity(p, t.pair);
  }

  void add_walks(const checked_ref& r) {
    if (r.is == checked_ref::kind::fixed) found_.named.push_back(r.entity);
    if (!r.lookup.empty()) found_.names = true;
    for (const checked_walk& w : r.walks) add_entity(w.relation, true);
  }

  // An entity as a component or a relation, with its kinds. To watch each of very many kinds would
  // cost more than it saves.
  void add_entity(entity_t e, bool as_relation) {
    found_.named.push_back(e);
    const auto kinds = m_.with_kinds(e);
    if (kinds.size() > most_watched) {
      found_.all_ids = true;
      return;
    }
    for (entity_t kind : kinds) found_.add_group(as_relation ? make_pair(kind, 0) : kind);
  }

  // Does a variable stand for entities that no fact names? Then one more entity is one more value.
  bool ranges_over_entities(const checked_query& q) {
    slot_list bound = q.parameters;
    bind_all(q.root, bound);
    return (q.uses_this && !contains(bound, this_slot)) || uses_unbound(q.root, bound);
  }

  bool uses_unbound(const block& b, const slot_list& bound) {
    return std::ranges::any_of(b.items, [&](const item& i) {
      if (i.is == item::kind::term)
        return !std::ranges::all_of(i.term.slots, [&](slot_index s) { return contains(bound, s); });
      return std::ranges::any_of(i.bodies, [&](const block& body) {
        slot_list inside = bound;
        bind_all(body, inside);
        return deep_call([&] { return uses_unbound(body, inside); });
      });
    });
  }

  // Adds the slots to which terms of the block always give values.
  void bind_all(const block& b, slot_list& bound) {
    for (const item& i : b.items) {
      if (i.is == item::kind::term && binds(i.term)) insert(bound, i.term.slots);
      if (i.is != item::kind::any_of) continue;
      slot_list common;
      for (std::size_t n = 0; n < i.bodies.size(); ++n) {
        slot_list of_body;
        deep_call([&] { bind_all(i.bodies[n], of_body); });
        if (n == 0)
          common = std::move(of_body);
        else
          std::erase_if(common, [&](slot_index s) { return !contains(of_body, s); });
      }
      insert(bound, common);
    }
  }

  // Do facts, or a name, say which values the variables of the term can have?
  bool binds(const checked_term& t) {
    if (std::ranges::any_of(t.slots, [&](slot_index s) { return q_->slots[s].conditional; }))
      return false;
    switch (t.is) {
      case checked_term::kind::predicate:
        // A Reflexive relation holds for each entity and itself.
        return t.first.is == checked_ref::kind::fixed
                   ? t.exact || !(m_.traits_of(t.first.entity) & trait::reflexive)
                   : t.exact || !t.pair;
      case checked_term::kind::equality:
        // No fact says that the entity is alive.
        return false;
      case checked_term::kind::text:
        return t.compare == term::comparison::equal && !t.text.empty();
      case checked_term::kind::list:
        return false;
    }
    return false;
  }

  meaning& m_;
  const checked_query* q_ = nullptr;
  reads found_;
};

}  // namespace

void reads::add_group(id_t group) {
  if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
}

reads reads_of(const checked_query& q, meaning& m) { return read_finder(m).find(q); }

std::string to_text(const reads& r, const graph& g) {
  std::string text;
  const auto add = [&](std::string part) { text += concat(text.empty() ? "" : ", ", part); };
  for (id_t group : r.groups)
    add(is_pair(group)
            ? concat("(", g.text(g.store.entities().alive_at(relation_of(group))), ", *)")
            : g.text(group));
  if (r.all_ids) add("all ids");
  if (r.names) add("names");
  if (r.life) add("life");
  return text;
}

}  // namespace kith::core
