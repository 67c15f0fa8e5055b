#include "plans/skewed_world.hpp"

#include <algorithm>
#include <cmath>

namespace kith_plans {

namespace {

// Small numbers are frequent: the n-th has about the share 1 / n^s of the first.
class zipf {
 public:
  zipf(std::size_t count, double s) {
    double sum = 0;
    for (std::size_t n = 1; n <= count; ++n)
      shares_.push_back(sum += 1 / std::pow(static_cast<double>(n), s));
  }
  std::size_t operator()(kith_oracle::dice& random) const {
    const double at = shares_.back() * static_cast<double>(random.below(1 << 20)) / (1 << 20);
    return static_cast<std::size_t>(std::ranges::upper_bound(shares_, at) - shares_.begin());
  }

 private:
  std::vector<double> shares_;
};

}  // namespace

skewed_world::skewed_world(std::uint64_t seed, std::size_t entities) {
  kith_oracle::dice random(seed);
  for (std::size_t i = 0; i < entities; ++i) {
    things.push_back("e" + std::to_string(i));
    entities_.push_back(world.entity(things.back().c_str()));
  }
  const zipf groups(10 + random.below(40), 1.0);
  for (std::size_t i = 0; i < entities; ++i) group_.push_back(groups(random));
  add_attributes(random);
  add_links(random);
  add_tree(random);
  add_tags(random);
}

void skewed_world::add_attributes(kith_oracle::dice& random) {
  const std::size_t sizes[] = {4 + random.below(8), 30 + random.below(100),
                               entities_.size() / (4 + random.below(12))};
  for (std::size_t n = 0; n < 3; ++n) {
    attributes.push_back("A" + std::to_string(n));
    const kith::entity relation = world.entity(attributes.back().c_str());
    if (random.chance(50)) relation.add(kith::Exclusive);
    std::vector<kith::entity> targets;
    for (std::size_t i = 0; i < sizes[n]; ++i) {
      values.push_back("v" + std::to_string(n) + "_" + std::to_string(i));
      targets.push_back(world.entity(values.back().c_str()));
    }
    const zipf pick(targets.size(), static_cast<double>(random.below(14)) / 10);
    // How often the value follows from the group, and how many have one at all.
    const int follows = random.chance(40) ? 80 : 0;
    const int filled = random.chance(70) ? 100 : 30;
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      if (!random.chance(filled)) continue;
      const std::size_t value = random.chance(follows) ? group_[i] % targets.size() : pick(random);
      thing(i).add(relation, targets[value]);
    }
  }
}

void skewed_world::add_links(kith_oracle::dice& random) {
  const std::size_t count = entities_.size();
  for (std::size_t n = 0; n < 3; ++n) {
    links.push_back("L" + std::to_string(n));
    const kith::entity relation = world.entity(links.back().c_str());
    const zipf sources(count, static_cast<double>(random.below(10)) / 10);
    const zipf targets(count, static_cast<double>(random.below(13)) / 10);
    const std::size_t shape = random.below(4), rows = count / 2 + random.below(2 * count);
    for (std::size_t i = 0; i < rows; ++i) {
      std::size_t from = sources(random), to = targets(random);
      if (shape == 1) {  // cliques
        from = random.below(count);
        to = from - from % 24 + random.below(24);
      } else if (shape == 2) {  // a chain, with a few that lead elsewhere
        from = i % count;
        to = random.chance(90) ? from + 1 : targets(random);
      } else if (shape == 3) {  // within groups
        for (int tries = 0; tries < 8 && group_[from] != group_[to]; ++tries)
          to = random.below(count);
      }
      if (to < count) thing(from).add(relation, thing(to));
    }
  }
}

void skewed_world::add_tree(kith_oracle::dice& random) {
  tree = "In";
  const kith::entity in = world.entity(tree.c_str());
  in.add(kith::Transitive).add(kith::Exclusive);
  const std::size_t count = entities_.size() / 8 + 4, wide = 1 + random.below(12);
  std::vector<kith::entity> made;
  for (std::size_t i = 0; i < count; ++i) {
    nodes.push_back("n" + std::to_string(i));
    made.push_back(world.entity(nodes.back().c_str()));
    if (i) made[i].add(in, made[wide == 1 ? i - 1 : (i - 1) / wide]);
  }
  const zipf pick(count, static_cast<double>(random.below(12)) / 10);
  for (std::size_t i = 0; i < entities_.size(); ++i)
    if (random.chance(60)) thing(i).add(in, made[pick(random)]);
}

void skewed_world::add_tags(kith_oracle::dice& random) {
  for (std::size_t share : {500, 100, 20, 3}) {
    tags.push_back("T" + std::to_string(tags.size()));
    const kith::entity tag = world.entity(tags.back().c_str());
    const std::size_t favoured = random.below(6);
    const bool follows = random.chance(50);
    for (std::size_t i = 0; i < entities_.size(); ++i) {
      const std::size_t here = !follows                ? share
                               : group_[i] == favoured ? std::min<std::size_t>(950, share * 6)
                                                       : share / 4;
      if (random.below(1000) < here) thing(i).add(tag);
    }
    thing(random.below(entities_.size())).add(tag);
  }
}

}  // namespace kith_plans
