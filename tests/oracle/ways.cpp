#include "oracle/ways.hpp"

#include <algorithm>

namespace kith_oracle {

namespace {

bool contains(const std::vector<entity_t>& list, entity_t e) {
  return std::find(list.begin(), list.end(), e) != list.end();
}

std::size_t position(const std::vector<entity_t>& list, entity_t e) {
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), e) - list.begin());
}

void add_once(std::vector<entity_t>& list, entity_t e) {
  if (!contains(list, e)) list.push_back(e);
}

// "Results are a set": the first way decides what the field shows.
void add_way(std::vector<way>& ways, way w) {
  for (const way& known : ways)
    if (known.slots == w.slots) return;
  ways.push_back(std::move(w));
}

}  // namespace

// --- places --------------------------------------------------------------------------------------

// "$x.cockpit: the child named cockpit of $x; no such child: the term is false"
entity_t term_ways::entity_at(const place& at, const assignment& values) {
  entity_t e =
      at.is == place::kind::var ? values[static_cast<std::size_t>(at.variable)] : at.entity;
  for (const std::string& name : at.lookup)
    if (e) e = world_.world().child(e, name);
  return e;
}

// "`ref[flags]` replaces ref, in any position, by the entities reached from it": self first, then
// walk by walk.
std::vector<entity_t> term_ways::reached_at(const place& at, entity_t e) {
  if (!at.flags) return {e};
  std::vector<entity_t> result;
  if (at.flags->self) result.push_back(e);
  for (const step_walk& w : at.flags->walks)
    for (entity_t to : world_.reached(e, w)) add_once(result, to);
  return result;
}

// "`self` alone, and flags that follow IsA, replace the implicit inheritance: each entity reached
// is tested on its owned ids. Flags that follow another relation keep it. If any flag follows
// another relation than IsA, self is tested on its visible ids too."
std::vector<term_ways::source_item> term_ways::sources_at(const place& at,
                                                          const assignment& values) {
  std::vector<source_item> result;
  // "As a source, `*` ranges over entities that are not built in."
  if (at.is_wild()) {
    for (entity_t e : world_.world().entities)
      if (!is_builtin(e)) result.push_back({e, false});
    return result;
  }
  const entity_t e = entity_at(at, values);
  if (!e) return {};
  if (!at.flags) return {{e, false}};
  const auto add = [&](entity_t to, bool owned_only) {
    for (const source_item& s : result)
      if (s.entity == to && s.owned_only == owned_only) return;
    result.push_back({to, owned_only});
  };
  const auto& walks = at.flags->walks;
  const bool only_is_a = std::all_of(walks.begin(), walks.end(),
                                     [](const step_walk& w) { return w.relation == kith::IsA; });
  if (at.flags->self) add(e, only_is_a);
  for (const step_walk& w : walks)
    for (entity_t to : world_.reached(e, w)) add(to, w.relation == kith::IsA);
  return result;
}

const std::vector<found_id>& term_ways::ids_of(const source_item& s) {
  return s.owned_only ? world_.owned(s.entity) : world_.visible(s.entity);
}

// --- terms ---------------------------------------------------------------------------------------

std::vector<way> term_ways::of(const part& p, const assignment& values) {
  if (p.is == part::model::kind::equality) return ways_of_equality(p, values);
  if (p.is_from()) return ways_of_list(p, values);
  return p.is_wild() ? ways_of_wild(p, values) : ways_of_predicate(p, values);
}

// All ids of one source that fit, "the first by source, then predicate, then target".
void term_ways::matches_of(const source_item& s, const std::vector<entity_t>& predicates,
                           const std::vector<entity_t>& targets, bool pair,
                           std::vector<match>& result) {
  std::vector<entity_t> owners;
  std::vector<match> found;
  for (const found_id& f : ids_of(s)) {
    add_once(owners, f.owner);
    if (f.id.is_pair() != pair || !contains(predicates, f.id.first)) continue;
    if (pair && !contains(targets, f.id.second)) continue;
    found.push_back({f, s.entity, f.id.first, f.id.second});
  }
  std::stable_sort(found.begin(), found.end(), [&](const match& a, const match& b) {
    const auto key = [&](const match& m) {
      return std::tuple(position(owners, m.found.owner), position(predicates, m.predicate),
                        position(targets, m.target));
    };
    return key(a) < key(b);
  });
  result.insert(result.end(), found.begin(), found.end());
}

std::optional<found_id> term_ways::find(const source_item& s, entity_t predicate, entity_t target) {
  const auto key = std::tuple(s.entity, s.owned_only, predicate, target);
  const auto known = found_.find(key);
  if (known != found_.end()) return known->second;
  std::vector<match> matches;
  const std::vector<entity_t> targets =
      target ? world_.targets_meant(predicate, target) : std::vector<entity_t>{};
  matches_of(s, world_.self_and_kinds(predicate), targets, target != 0, matches);
  std::optional<found_id> result;
  if (!matches.empty()) result = matches.front().found;
  // "If R is Reflexive: or s = T, for every entity s."
  else if (target && s.entity == target && world_.has_trait(predicate, kith::Reflexive))
    result = found_id{s.entity, {}};
  return found_[key] = result;
}

// "P(s) holds when P or a kind of P is in visible(s)." "R(s, T) holds when (R', T) is in visible(s)
// for R' = R or a kind of R", Transitive and Reflexive, with flags in any place.
std::vector<way> term_ways::ways_of_predicate(const part& p, const assignment& values) {
  const bool pair = p.second.is != place::kind::none;
  const entity_t predicate = entity_at(p.first, values);
  const entity_t target = pair ? entity_at(p.second, values) : 0;
  if (!predicate || (pair && !target)) return {};

  const bool plain = !p.first.flags && !p.source.flags && !p.second.flags && p.slots.empty() &&
                     !p.source.is_wild();
  if (plain) {
    const entity_t source = entity_at(p.source, values);
    if (!source) return {};
    const auto found = find({source, false}, predicate, target);
    if (!found) return {};
    return {{{}, {found->id, found->owner, true}}};
  }

  // "Written-out flags on a predicate or target replace the implicit IsA or Transitive
  // substitution"
  const std::vector<entity_t> predicates =
      p.first.flags ? reached_at(p.first, predicate) : world_.self_and_kinds(predicate);
  std::vector<entity_t> targets, written_targets;
  if (pair) {
    written_targets = reached_at(p.second, target);
    targets = p.second.flags ? written_targets : world_.targets_meant(predicate, target);
  }

  const std::vector<source_item> sources = sources_at(p.source, values);
  std::vector<match> matches;
  for (const source_item& s : sources) matches_of(s, predicates, targets, pair, matches);
  // "Only the traits of the relation written in the term count." A proof without an id comes last.
  if (pair && world_.has_trait(predicate, kith::Reflexive))
    for (const source_item& s : sources)
      if (contains(written_targets, s.entity))
        for (entity_t reached : predicates)
          matches.push_back({{s.entity, {}}, s.entity, reached, s.entity});

  std::vector<way> ways;
  for (const match& m : matches) {
    way w{{}, {m.found.id, m.found.owner, true}};
    for (const slot& at : p.slots) {
      if (at.is == slot::kind::star_source || at.is == slot::kind::all_source)
        w.slots[at] = {m.source, 0};
      if (at.is == slot::kind::all_first) w.slots[at] = {m.predicate, 0};
      if (at.is == slot::kind::all_second) w.slots[at] = {m.target, 0};
    }
    add_way(ways, std::move(w));
  }
  return ways;
}

// "`*` ranges over the ids that are there: one result per visible id that fits, without closure (a
// fixed predicate still stands for its kinds). In such a term variables in the other place also
// take exactly the values that are there." "`_` asks whether there is one."
std::vector<way> term_ways::ways_of_wild(const part& p, const assignment& values) {
  const bool pair = p.second.is != place::kind::none;
  const auto candidates = [&](const place& at, bool kinds_count) -> std::vector<entity_t> {
    if (at.is_wild()) return world_.world().entities;
    const entity_t e = entity_at(at, values);
    if (!e) return {};
    if (at.flags) return reached_at(at, e);
    if (kinds_count && at.is == place::kind::entity) return world_.self_and_kinds(e);
    return {e};
  };
  const std::vector<entity_t> predicates = candidates(p.first, true);
  const std::vector<entity_t> targets =
      pair ? candidates(p.second, false) : std::vector<entity_t>{};

  std::vector<way> ways;
  for (const source_item& s : sources_at(p.source, values)) {
    std::vector<match> matches;
    matches_of(s, predicates, targets, pair, matches);
    for (const match& m : matches) {
      way w{{}, {m.found.id, m.found.owner, true}};
      for (const slot& at : p.slots) {
        switch (at.is) {
          case slot::kind::star_id:
            // "`_` never multiplies results": beside it only the half of the `*` counts. It is a
            // pair nevertheless, and no plain id.
            w.slots[at] = {p.first.is == place::kind::any ? kith::Any : m.predicate,
                           p.second.is == place::kind::any ? kith::Any : m.target};
            break;
          case slot::kind::star_source:
          case slot::kind::all_source:
            w.slots[at] = {m.source, 0};
            break;
          case slot::kind::all_first:
            w.slots[at] = {m.predicate, 0};
            break;
          case slot::kind::all_second:
            w.slots[at] = {m.target, 0};
            break;
        }
      }
      add_way(ways, std::move(w));
    }
  }
  return ways;
}

// "`AND | E`, `OR | E`, `NOT | E`: for all, at least one, none of the ids E owns, DontInherit ones
// aside. An empty list: AND and NOT hold, OR does not."
std::vector<way> term_ways::ways_of_list(const part& p, const assignment& values) {
  const entity_t list = entity_at(p.first, values);
  if (!list) return {};
  std::vector<way> ways;
  for (const source_item& s : sources_at(p.source, values))
    for (entity_t e : reached_at(p.first, list)) {
      std::size_t asked = 0, held = 0;
      for (const found_id& f : world_.owned(e)) {
        if (world_.is_dont_inherit(f.id)) continue;
        ++asked;
        held += find(s, f.id.first, f.id.second) ? 1 : 0;
      }
      const bool holds = p.op == part::model::oper::and_from  ? held == asked
                         : p.op == part::model::oper::or_from ? held > 0
                                                              : held == 0;
      if (!holds) continue;
      way w;
      for (const slot& at : p.slots) {
        if (at.is == slot::kind::all_first) w.slots[at] = {e, 0};
        if (at.is == slot::kind::all_source || at.is == slot::kind::star_source)
          w.slots[at] = {s.entity, 0};
      }
      add_way(ways, std::move(w));
    }
  return ways;
}

// "`$x == E`, `$x != $y`, `$x == "name"`, `$x ~= "part"` (substring; a leading `!` in the text
// negates)." Texts are compared "with the entity's own name, case-sensitively".
std::vector<way> term_ways::ways_of_equality(const part& p, const assignment& values) {
  using comparison = part::model::comparison;
  const entity_t left = entity_at(p.first, values);
  if (!left) return {};
  const auto text_fits = [&](entity_t e) {
    const std::string name = world_.world().name_of(e);
    if (p.compare == comparison::equal) return name == p.second.text;
    if (p.compare == comparison::different) return name != p.second.text;
    if (p.second.text.starts_with('!')) return name.find(p.second.text.substr(1)) == name.npos;
    return name.find(p.second.text) != name.npos;
  };
  std::vector<entity_t> rights{0};
  if (p.second.is != place::kind::text) {
    const entity_t right = entity_at(p.second, values);
    if (!right) return {};
    rights = reached_at(p.second, right);
  }
  std::vector<way> ways;
  for (entity_t l : reached_at(p.first, left))
    for (entity_t r : rights) {
      const bool holds = r ? (l == r) == (p.compare == comparison::equal) : text_fits(l);
      if (!holds) continue;
      way w;
      for (const slot& at : p.slots) w.slots[at] = {at.is == slot::kind::all_first ? l : r, 0};
      add_way(ways, std::move(w));
    }
  return ways;
}

}  // namespace kith_oracle
