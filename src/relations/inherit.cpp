#include "relations/inherit.hpp"

#include <algorithm>
#include <iterator>

#include <kith/detail/builtins.hpp>

namespace kith::core {

namespace {

bool is_about_one_relation(id_t pattern) {
  return is_pair(pattern) && !is_wildcard(relation_of(pattern));
}

// The n-th id of `all` without the ids of `less`. Both ascending, `less` a part of `all`.
id_t nth_without(std::span<const id_t> all, std::span<const id_t> less, std::size_t n) {
  if (n >= all.size() - less.size()) return 0;
  std::size_t at = n;
  for (id_t id : less) {
    if (all[at] < id) break;
    ++at;
  }
  return all[at];
}

}  // namespace

// --- bases ---------------------------------------------------------------------------------------

bool inherit::is_base(entity_t e) const {
  const id_record* kinds = store_.ids().find(make_pair(IsA, e));
  return kinds && store_.is_used(*kinds);
}

bool inherit::inherits(std::uint32_t flags) const {
  using namespace trait;
  if (flags & (dont_inherit | inherit_on_instantiate | override_on_instantiate))
    return !(flags & dont_inherit);
  return by_default_;
}

entity_t inherit::only_base(const entity_record& r) const {
  const owned_pairs bases = own_pairs(r, index_of(IsA));
  if (bases.on() != 1) return 0;
  return store_.entities().alive_at(target_of(nth_without(bases.all, bases.off, 0)));
}

template <class Visit>
void inherit::each_base(entity_t e, const entity_record& r, Visit visit) const {
  std::vector<std::uint32_t> open;
  // `e` counts as seen: it comes before all its bases, also if a cycle makes it one of them.
  hash_map<std::uint32_t, bool> seen{{index_of(e), true}};
  const auto push_bases = [&](const entity_record& of) {
    const auto pairs = store_.pairs_of(of, index_of(IsA));
    // The first base is visited first, so it goes on the stack last.
    for (std::size_t i = pairs.size(); i-- > 0;)
      if (!store_.is_off(of, pairs[i])) open.push_back(target_of(pairs[i]));
  };
  push_bases(r);
  while (!open.empty()) {
    const std::uint32_t index = open.back();
    open.pop_back();
    if (!seen.try_emplace(index, true).second) continue;
    const entity_record& base = store_.entities().at_index(index);
    switch (visit(store_.entities().alive_at(index), base)) {
      case next::stop:
        return;
      case next::deeper:
        push_bases(base);
        break;
      case next::pass:
        break;
    }
  }
}

std::vector<entity_t> inherit::in_order(entity_t e, const entity_record& r) const {
  std::vector<entity_t> found;
  each_base(e, r, [&](entity_t base, const entity_record&) {
    found.push_back(base);
    return next::deeper;
  });
  return found;
}

entity_t inherit::find_on_bases(entity_t e, const entity_record& r, id_t question) const {
  const bool about_pairs = has_wildcard(question);
  const bool exclusive = about_pairs && is_exclusive(relation_of(question));
  // Along a chain all entities have the same answer, up to the one that gives it, so it is
  // remembered for each. This does not hold for "the only base that owns pairs of R".
  std::vector<entity_t> way;
  bool is_chain = (!about_pairs || exclusive) && only_base(r);
  entity_t found = 0;
  each_base(e, r, [&](entity_t base, const entity_record& b) {
    if (about_pairs) {
      if (!store_.pairs_of(b, relation_of(question)).empty()) {
        found = found ? several : base;
        if (exclusive || found == several) return next::stop;
      }
    } else if (store_.owns(b, question)) {
      if (store_.is_off(b, question)) return next::pass;
      found = base;
      return next::stop;
    }
    is_chain = is_chain && only_base(b);
    if (is_chain) way.push_back(base);
    return next::deeper;
  });
  for (entity_t on : way) remember(on, question, found);
  return found;
}

entity_t inherit::on_only_base(entity_t base, id_t question) const {
  const entity_record& b = *store_.entities().find(base);
  if (!has_wildcard(question)) {
    if (store_.owns(b, question)) return store_.is_off(b, question) ? 0 : base;
    return has_bases(b) ? on_bases(base, b, question) : 0;
  }
  const bool owns = !store_.pairs_of(b, relation_of(question)).empty();
  if (owns && is_exclusive(relation_of(question))) return base;
  const entity_t others = has_bases(b) ? on_bases(base, b, question) : 0;
  if (!owns) return others;
  return others ? several : base;
}

entity_t inherit::on_bases(entity_t e, const entity_record& r, id_t question) const {
  const bool base_itself = r.referenced && is_base(e);
  const bool loose = r.loose && !store_.loose().pairs_of(r.loose, index_of(IsA)).empty();
  const bool same_for_table = !loose && store_.off_pairs_of(r, index_of(IsA)).empty();
  if (!same_for_table && !base_itself)
    if (const entity_t base = only_base(r)) return on_only_base(base, question);

  const std::uint64_t who = same_for_table && !base_itself ? number_of_table(r.table) : e;
  if (const auto known = remembered(who, question)) return *known;
  const entity_t found = find_on_bases(e, r, question);
  remember(who, question, found);
  return found;
}

std::optional<entity_t> inherit::remembered(std::uint64_t who, id_t question) const {
  const std::uint64_t when = now();
  if (known_version_ != when) {
    if (frozen_) return std::nullopt;
    known_.clear();
    known_version_ = when;
  }
  const std::size_t at = place_of(who, question);
  if (!lately_.empty() && lately_[at].is_about(who, question, when)) return lately_[at].base;
  const auto known = known_.find({who, question});
  if (known == known_.end()) return std::nullopt;
  if (!frozen_) {
    if (lately_.empty()) lately_.resize(places);
    lately_[at] = {when, who, question, known->second};
  }
  return known->second;
}

void inherit::remember(std::uint64_t who, id_t question, entity_t base) const {
  if (frozen_) return;
  if (known_.size() >= max_known) known_.clear();
  known_[{who, question}] = base;
}

// --- what is visible -----------------------------------------------------------------------------

entity_t inherit::base_with(entity_t e, const entity_record& r, id_t id) const {
  const std::uint32_t flags = traits_.of_id(id);
  if (!inherits(flags)) return 0;
  if (!is_pair(id) || !(flags & trait::exclusive)) return on_bases(e, r, id);

  const std::uint32_t relation = relation_of(id);
  if (!store_.pairs_of(r, relation).empty()) return 0;
  const entity_t owner = on_bases(e, r, make_pair_of(relation, index_of(Wildcard)));
  if (!owner) return 0;
  const entity_record& o = *store_.entities().find(owner);
  return store_.owns(o, id) && !store_.is_off(o, id) ? owner : 0;
}

std::optional<inherit::owned_pairs> inherit::pairs_of_one_owner(entity_t e, const entity_record& r,
                                                                std::uint32_t relation) const {
  const owned_pairs own = own_pairs(r, relation);
  if (!has_bases(r)) return own;
  const std::uint32_t flags = traits_.of(relation);
  if (!inherits(flags) || (!own.all.empty() && flags & trait::exclusive)) return own;
  const entity_t owner = on_bases(e, r, make_pair_of(relation, index_of(Wildcard)));
  if (!owner) return own;
  if (owner == several || !own.all.empty()) return std::nullopt;
  return own_pairs(*store_.entities().find(owner), relation);
}

std::vector<std::span<const id_t>> inherit::pairs_to_merge(entity_t e, const entity_record& r,
                                                           std::uint32_t relation) const {
  std::vector<std::span<const id_t>> lists;
  const auto collect = [&](const entity_record& of) {
    if (const auto pairs = store_.pairs_of(of, relation); !pairs.empty()) lists.push_back(pairs);
  };
  collect(r);
  each_base(e, r, [&](entity_t, const entity_record& b) {
    collect(b);
    return next::deeper;
  });
  return lists;
}

id_t inherit::find_nth_visible(entity_t e, const entity_record& r, std::uint32_t relation,
                               std::size_t n) const {
  if (!has_bases(r)) {
    const owned_pairs own = own_pairs(r, relation);
    return nth_without(own.all, own.off, n);
  }
  if (const auto pairs = pairs_of_one_owner(e, r, relation))
    return nth_without(pairs->all, pairs->off, n);

  std::vector<std::span<const id_t>> lists = pairs_to_merge(e, r, relation);
  const auto later = [](const auto& a, const auto& b) { return a.front() > b.front(); };
  std::ranges::make_heap(lists, later);
  id_t last = 0;
  while (!lists.empty()) {
    std::ranges::pop_heap(lists, later);
    const id_t id = lists.back().front();
    if (lists.back().size() > 1) {
      lists.back() = lists.back().subspan(1);
      std::ranges::push_heap(lists, later);
    } else {
      lists.pop_back();
    }
    if (id == last) continue;
    last = id;
    if (store_.was_toggled(relation) && !is_visible(e, r, id)) continue;
    if (n-- == 0) return id;
  }
  return 0;
}

std::vector<id_t> inherit::visible_ids(entity_t e, const entity_record& r, id_t pattern) const {
  std::vector<id_t> ids;
  const auto keep_matching = [&] {
    std::erase_if(ids, [&](id_t id) { return !matches(id, pattern); });
  };
  if (is_about_one_relation(pattern)) {
    const std::uint32_t relation = relation_of(pattern);
    if (const auto pairs = pairs_of_one_owner(e, r, relation)) {
      std::ranges::set_difference(pairs->all, pairs->off, std::back_inserter(ids));
      keep_matching();
      return ids;
    }
    for (const auto& list : pairs_to_merge(e, r, relation))
      ids.insert(ids.end(), list.begin(), list.end());
  } else {
    ids = store_.owned_ids(r);
    if (!has_bases(r)) {
      const auto off = store_.off_ids_of(r);
      std::erase_if(ids, [&](id_t id) { return std::ranges::binary_search(off, id); });
      keep_matching();
      return ids;
    }
    each_base(e, r, [&](entity_t, const entity_record& b) {
      const std::vector<id_t> all = store_.owned_ids(b);
      ids.insert(ids.end(), all.begin(), all.end());
      return next::deeper;
    });
  }
  keep_matching();
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::erase_if(ids, [&](id_t id) { return !is_visible(e, r, id); });
  return ids;
}

}  // namespace kith::core
