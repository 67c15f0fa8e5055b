#include "query/exec/walk_marks.hpp"

#include <algorithm>

#include "base/scope_exit.hpp"

namespace kith::core {

walk_marks::node walk_marks::number_of(entity_t e) {
  const auto [known, fresh] = numbers_.try_emplace(e, static_cast<node>(nodes_.size()));
  const node number = known->second;
  if (!fresh) return number;
  // If there is no memory for the node, its number must go again.
  scope_exit undo([&] { numbers_.erase(e); });
  nodes_.push_back({.entity = e});
  undo.dismiss();
  return number;
}

// No step leads out of the region, so what is settled stays as it is.
void walk_marks::settle() {
  find_distances();
  const auto count = static_cast<node>(nodes_.size());
  for (node n = settled_; n < count; ++n)
    nodes_[n].from = nodes_[n].distance != unreached && nodes_[n].distance <= far_;
  for (std::uint32_t k = 1; k <= min_; ++k)
    for (node n = settled_; n < count; ++n)
      if (std::ranges::any_of(steps_of(n), [&](node to) { return nodes_[to].from >> (k - 1) & 1; }))
        nodes_[n].from |= std::uint64_t{1} << k;
  settled_ = count;
}

// Goes back from the entities that pass, nearest first.
void walk_marks::find_distances() {
  const auto count = static_cast<node>(nodes_.size());
  // Where steps come from, for the entities that are new: [starts[i], starts[i + 1]) of `sources`.
  std::vector<std::size_t> starts(count - settled_ + 1);
  const auto each_new_edge = [&](auto visit) {
    for (node n = settled_; n < count; ++n)
      for (node to : steps_of(n))
        if (to >= settled_) visit(n, to - settled_);
  };
  each_new_edge([&](node, node to) { ++starts[to + 1]; });
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  std::vector<node> sources(starts.back());
  std::vector<std::size_t> at(starts.begin(), starts.end() - 1);
  each_new_edge([&](node from, node to) { sources[at[to]++] = from; });

  // Those that pass, or from which a step leads to what is settled, have their distance at once.
  std::vector<node> known;
  for (node n = settled_; n < count; ++n) {
    std::uint32_t& distance = nodes_[n].distance;
    for (node to : steps_of(n))
      if (to < settled_ && nodes_[to].distance != unreached)
        distance = std::min(distance, nodes_[to].distance + 1);
    if (distance != unreached) known.push_back(n);
  }
  const auto distance_of = [&](node n) { return nodes_[n].distance; };
  std::ranges::stable_sort(known, {}, distance_of);
  std::vector<node> open;
  std::size_t next_known = 0, next_open = 0;
  while (next_known < known.size() || next_open < open.size()) {
    const bool take_known = next_open == open.size() ||
                            (next_known < known.size() &&
                             distance_of(known[next_known]) <= distance_of(open[next_open]));
    const node here = take_known ? known[next_known++] : open[next_open++];
    const std::uint32_t beyond = nodes_[here].distance + 1;
    for (std::size_t i = starts[here - settled_]; i < starts[here - settled_ + 1]; ++i)
      if (beyond < nodes_[sources[i]].distance) {
        nodes_[sources[i]].distance = beyond;
        open.push_back(sources[i]);
      }
  }
}

// --- the first that passes -----------------------------------------------------------------------

entity_t walk_marks::first_from(node n) {
  return far_ == no_limit ? first_of_all(n) : first_in_limits(n);
}

// An entity that is near enough to one that passes leads there, so the search never turns back.
entity_t walk_marks::first_in_limits(node n) const {
  for (std::uint32_t left = far_;; --left)
    for (node to : steps_of(n)) {
      if (passes(to)) return nodes_[to].entity;
      if (nodes_[to].distance > left) continue;
      n = to;
      break;
    }
}

// Takes the first step that leads on, again and again: a search does the same as long as it does
// not come to where it was before. Then all on the way have the same answer, from wherever a search
// comes to them. Returns false if that way goes around.
bool walk_marks::go_straight(node start) {
  seen_.resize(nodes_.size());
  ++search_;
  std::vector<node> way;
  node here = start;
  entity_t answer = 0;
  bool around = false;
  while (!answer && !around) {
    const node_info& n = nodes_[here];
    if (n.straight) {
      answer = n.first;
    } else if (n.around || seen_[here] == search_) {
      around = true;
    } else {
      seen_[here] = search_;
      way.push_back(here);
      const auto steps = steps_of(here);
      here = *std::ranges::find_if(steps, [&](node to) { return passes(to) || is_marked(to); });
      if (passes(here)) answer = nodes_[here].entity;
    }
  }
  for (node n : way) {
    nodes_[n].straight = !around;
    nodes_[n].around = around;
    if (!around) nodes_[n].first = nodes_[n].first_beyond = answer;
  }
  return !around;
}

// Entities that do not lead back to the one from which the search came have an answer of their own,
// which is remembered. Others must be searched each time: what was seen on the way is not seen
// again.
entity_t walk_marks::first_of_all(node start) {
  if (nodes_[start].first || go_straight(start)) return nodes_[start].first;
  find_groups();
  ++search_;
  struct place {
    node at;
    std::size_t next = 0;
    bool own = false;  // its answer is its own
  };
  std::vector<place> way{{start}};
  entity_t answer = 0;
  while (!answer && !way.empty()) {
    place& here = way.back();
    const auto steps = steps_of(here.at);
    if (here.next == steps.size()) {
      way.pop_back();
      continue;
    }
    const node to = steps[here.next++];
    if (passes(to)) {
      answer = nodes_[to].entity;
    } else if (is_marked(to) && seen_[to] != search_) {
      seen_[to] = search_;
      const bool own = nodes_[to].group != nodes_[here.at].group;
      if (own) answer = nodes_[to].first_beyond;
      if (!answer) way.push_back({.at = to, .own = own});
    }
  }
  for (const place& p : way)
    if (p.own) nodes_[p.at].first_beyond = answer;
  return nodes_[start].first = answer;
}

// Numbers the groups of entities that lead to each other (Tarjan). What is settled later leads to
// what is settled now, but never back.
void walk_marks::find_groups() {
  struct place {
    node at;
    std::size_t next = 0;
  };
  constexpr std::uint32_t unseen = 0;
  const auto count = settled_;
  std::vector<std::uint32_t> order(count - grouped_, unseen), low(count - grouped_);
  std::vector<node> open;
  std::vector<place> way;
  std::uint32_t last = 0;
  // Memory may have ended the last time.
  for (node n = grouped_; n < count; ++n) nodes_[n].group = none;
  const auto enter = [&](node n) {
    order[n - grouped_] = low[n - grouped_] = ++last;
    open.push_back(n);
    way.push_back({n});
  };
  for (node root = grouped_; root < count; ++root) {
    if (order[root - grouped_] != unseen) continue;
    enter(root);
    while (!way.empty()) {
      place& here = way.back();
      const node n = here.at;
      const auto steps = steps_of(n);
      if (here.next < steps.size()) {
        const node to = steps[here.next++];
        if (to < grouped_) continue;
        if (order[to - grouped_] == unseen)
          enter(to);
        else if (nodes_[to].group == none)
          low[n - grouped_] = std::min(low[n - grouped_], order[to - grouped_]);
        continue;
      }
      if (low[n - grouped_] == order[n - grouped_]) {
        for (node member = none; member != n;) {
          member = open.back();
          open.pop_back();
          nodes_[member].group = groups_;
        }
        ++groups_;
      }
      way.pop_back();
      if (!way.empty()) {
        std::uint32_t& outer = low[way.back().at - grouped_];
        outer = std::min(outer, low[n - grouped_]);
      }
    }
  }
  grouped_ = count;
}

}  // namespace kith::core
