#include "relations/inherit.hpp"

#include <algorithm>

#include <kith/detail/builtins.hpp>

namespace kith::core {

bool inherit::is_base(entity_t e) const {
  const id_record* kinds = store_.ids().find(make_pair(IsA, e));
  return kinds && store_.count(*kinds) > 0;
}

template <class Visit>
void inherit::each_base(entity_t e, const entity_record& r, Visit visit) const {
  std::vector<std::uint32_t> open;
  // The entity itself comes before all its bases, also if it is one of them.
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

entity_t inherit::find_on_bases(entity_t e, const entity_record& r, id_t id, bool exclusive) const {
  entity_t found = 0;
  each_base(e, r, [&](entity_t base, const entity_record& b) {
    if (store_.owns(b, id)) {
      const bool off = store_.is_off(b, id);
      if (!off) found = base;
      return off && !exclusive ? next::pass : next::stop;
    }
    const bool hides = exclusive && !store_.pairs_of(b, relation_of(id)).empty();
    return hides ? next::stop : next::deeper;
  });
  return found;
}

bool inherit::inherits(std::uint32_t flags) const {
  using namespace trait;
  if (flags & (dont_inherit | inherit_on_instantiate | override_on_instantiate))
    return !(flags & dont_inherit);
  return by_default_;
}

entity_t inherit::owner(entity_t e, const entity_record& r, id_t id) const {
  if (store_.owns(r, id)) return store_.is_off(r, id) ? 0 : e;
  if (!has_bases(r)) return 0;
  const std::uint32_t flags = traits_.of_id(id);
  if (!inherits(flags)) return 0;
  const bool exclusive = is_pair(id) && flags & trait::exclusive;
  if (exclusive && !store_.pairs_of(r, relation_of(id)).empty()) return 0;

  // Rows of one table have the same bases, unless bases are kept apart or switched off.
  const bool same_for_table =
      !kinds_.toggled && store_.loose().pairs_of(r.loose, index_of(IsA)).empty();
  if (!same_for_table) return find_on_bases(e, r, id, exclusive);
  // Both only grow, so their sum changes with each of them.
  const std::uint64_t now = version_ + store_.tables().erasures();
  const entity_t self = r.referenced && is_base(e) ? e : 0;
  if (frozen_) {
    const auto known = known_version_ == now ? known_.find({r.table, self, id}) : known_.end();
    return known != known_.end() ? known->second : find_on_bases(e, r, id, exclusive);
  }
  if (known_version_ != now) {
    known_.clear();
    known_version_ = now;
  }
  const auto [known, fresh] = known_.try_emplace({r.table, self, id}, 0);
  if (fresh) known.value() = find_on_bases(e, r, id, exclusive);
  return known->second;
}

std::vector<id_t> inherit::visible_ids(entity_t e, const entity_record& r, id_t pattern) const {
  std::vector<id_t> ids;
  const auto collect = [&](const entity_record& of) {
    if (is_pair(pattern) && !is_wildcard(relation_of(pattern))) {
      const auto pairs = store_.pairs_of(of, relation_of(pattern));
      ids.insert(ids.end(), pairs.begin(), pairs.end());
    } else {
      const std::vector<id_t> all = store_.owned_ids(of);
      ids.insert(ids.end(), all.begin(), all.end());
    }
  };
  collect(r);
  // A relation that is not handed on has nothing to show from bases.
  const bool one_relation = is_pair(pattern) && !is_wildcard(relation_of(pattern));
  const bool bases = has_bases(r) && (!one_relation || inherits(traits_.of(relation_of(pattern))));
  if (bases)
    each_base(e, r, [&](entity_t, const entity_record& b) {
      collect(b);
      return next::deeper;
    });
  std::erase_if(ids, [&](id_t id) { return !matches(id, pattern); });
  if (bases) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  if (bases || store_.toggles_used())
    std::erase_if(ids, [&](id_t id) { return !is_visible(e, r, id); });
  return ids;
}

bool inherit::any_visible(entity_t e, const entity_record& r, id_t pattern) const {
  if (is_pair(pattern) && !is_wildcard(relation_of(pattern)) && is_wildcard(target_of(pattern)) &&
      !store_.was_toggled(relation_of(pattern))) {
    if (!store_.pairs_of(r, relation_of(pattern)).empty()) return true;
    if (!has_bases(r)) return false;
  }
  return !visible_ids(e, r, pattern).empty();
}

}  // namespace kith::core
