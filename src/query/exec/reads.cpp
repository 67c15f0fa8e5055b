#include "query/exec/reads.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>
#include <kith/detail/error.hpp>

namespace kith::core {

namespace {

class read_finder {
 public:
  explicit read_finder(meaning& m) : m_(m) {}

  reads find(const checked_query& q) {
    each_item(q.root, [&](const item& i) {
      if (i.is == item::kind::term) add(i.term);
      return true;
    });
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

  meaning& m_;
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
