#include "reactive/system_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include <kith/detail/builtins.hpp>

#include "base/hash_map.hpp"

namespace kith::core {

namespace {

using declared_pairs = std::vector<std::pair<std::size_t, std::size_t>>;

std::string phase_of(const placed_system& s) {
  return s.phase_name.empty() ? concat(s.name, " without a phase")
                              : concat(s.name, " of the phase ", s.phase_name);
}

// The systems that are left wait for each other: names some that do so in a circle.
error contradiction(const std::vector<placed_system>& systems, const declared_pairs& pairs,
                    const std::vector<bool>& is_done) {
  const auto waits_for = [&](std::size_t n) {
    return std::ranges::find_if(pairs,
                                [&](const auto& p) { return p.second == n && !is_done[p.first]; })
        ->first;
  };
  std::size_t at = 0;
  while (is_done[at]) ++at;
  std::vector<std::size_t> way;
  while (std::ranges::find(way, at) == way.end()) {
    way.push_back(at);
    at = waits_for(at);
  }
  way.erase(way.begin(), std::ranges::find(way, at));
  // The way goes from later systems to earlier ones.
  std::ranges::reverse(way);
  const auto first =
      std::ranges::min_element(way, {}, [&](std::size_t n) { return systems[n].number; });
  std::rotate(way.begin(), first, way.end());
  std::string text;
  for (std::size_t i = 0; i < way.size(); ++i)
    text += concat(i ? ", " : "", systems[way[i]].name, " before ",
                   systems[way[(i + 1) % way.size()]].name);
  return error(errc::constraint, concat("the order of systems contradicts itself: ", text));
}

}  // namespace

declared_pairs declared_order(const std::vector<placed_system>& systems) {
  hash_map<entity_t, std::size_t> place;
  for (std::size_t n = 0; n < systems.size(); ++n) place[systems[n].system] = n;
  declared_pairs pairs;
  for (std::size_t n = 0; n < systems.size(); ++n) {
    for (entity_t other : systems[n].before)
      if (const auto found = place.find(other); found != place.end())
        pairs.emplace_back(n, found->second);
    for (entity_t other : systems[n].after)
      if (const auto found = place.find(other); found != place.end())
        pairs.emplace_back(found->second, n);
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

result<std::vector<std::size_t>> order_systems(const std::vector<placed_system>& systems) {
  const declared_pairs pairs = declared_order(systems);
  std::vector<std::size_t> waits(systems.size());
  for (const auto& [a, b] : pairs) {
    if (systems[a].phase > systems[b].phase)
      return error(errc::constraint, concat(phase_of(systems[a]), " shall run before ",
                                            phase_of(systems[b]), ", but its phase comes later"));
    ++waits[b];
  }
  using key = std::pair<std::pair<std::size_t, std::uint64_t>, std::size_t>;
  std::priority_queue<key, std::vector<key>, std::greater<>> ready;
  const auto push = [&](std::size_t n) { ready.push({{systems[n].phase, systems[n].number}, n}); };
  for (std::size_t n = 0; n < systems.size(); ++n)
    if (!waits[n]) push(n);
  std::vector<std::size_t> order;
  std::vector<bool> is_done(systems.size());
  while (!ready.empty()) {
    const std::size_t n = ready.top().second;
    ready.pop();
    order.push_back(n);
    is_done[n] = true;
    const auto first = std::ranges::lower_bound(pairs, std::pair(n, std::size_t{0}));
    for (auto p = first; p != pairs.end() && p->first == n; ++p)
      if (--waits[p->second] == 0) push(p->second);
  }
  if (order.size() != systems.size()) return contradiction(systems, pairs, is_done);
  // A system that waited for one of its phase may have let systems of later phases go first.
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return systems[n].phase; });
  return order;
}

std::vector<std::size_t> order_phases(const std::vector<entity_t>& phases,
                                      const std::vector<std::vector<std::size_t>>& depends_on) {
  // DependsOn is Acyclic, so some phase is always ready but for built-in ones, of which the user
  // may have said the contrary: then the first of those that are left goes on.
  std::vector<std::size_t> order;
  std::vector<bool> is_done(phases.size());
  const auto is_ready = [&](std::size_t n) {
    return !is_done[n] &&
           std::ranges::all_of(depends_on[n], [&](std::size_t other) { return is_done[other]; }) &&
           (n == 0 || is_done[is_builtin(phases[n]) ? n - 1 : 0]);
  };
  while (order.size() < phases.size()) {
    std::size_t next = phases.size();
    // Phases of the user come before the next built-in one.
    for (std::size_t n = phases.size(); n-- > 0;)
      if (is_ready(n) &&
          (next == phases.size() || is_builtin(phases[next]) || !is_builtin(phases[n])))
        next = n;
    if (next == phases.size())
      next = static_cast<std::size_t>(std::ranges::find(is_done, false) - is_done.begin());
    is_done[next] = true;
    order.push_back(next);
  }
  return order;
}

}  // namespace kith::core
