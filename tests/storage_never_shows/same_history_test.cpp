// The same random history in two worlds, one of which keeps its ids in the storage of this run:
// after every step both show the same, down to which steps are errors.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "storage_never_shows/fixture.hpp"
#include "support/timing.hpp"

namespace {

using namespace storage_tests;

// A world and what the history is about.
class twin {
 public:
  twin(storage how, int population) : place_(world, how) {
    place_.keep(world.entity(kith::IsA));
    for (const char* name : {"Likes", "Knows", "At", "On"}) relations.push_back(world.entity(name));
    relations.push_back(world.component<Eats>());
    for (const char* name : {"Npc", "Pc"}) tags.push_back(world.entity(name));
    for (kith::entity e : relations) place_.keep(e);
    for (kith::entity e : tags) place_.keep(e);
    place_.keep(world.component<Number>());
    for (int i = 0; i < population; ++i) things.push_back(create());
  }

  kith::entity create() { return world.entity("e" + std::to_string(created_++)); }
  void shake() { place_.shake(); }
  // What can be seen of all entities, whatever their numbers.
  std::string text() {
    std::set<std::string> lines;
    std::size_t left = world.entity_count();
    for (std::uint32_t i = kith::core::first_user_index; left > 0; ++i)
      if (const kith::entity_t e = world.engine().alive_at(i)) {
        lines.insert(line(world.entity(e)));
        --left;
      }
    std::string text;
    for (const std::string& each : lines) text += each + "\n";
    return text;
  }

  kith::world world;
  std::vector<kith::entity> relations, tags;
  std::vector<kith::entity> things;  // some may be deleted

 private:
  static std::string join(std::vector<std::string> parts, bool in_order = false) {
    if (!in_order) std::sort(parts.begin(), parts.end());
    std::string text;
    for (const std::string& part : parts) text += " " + part;
    return text;
  }

  std::string line(kith::entity e) {
    std::vector<std::string> owned, seen, children;
    for (kith::id i : e.type()) {
      // The worlds differ in what is pinned.
      const kith::id_t pins[] = {kith::Fragment, kith::DontFragment, kith::Sparse};
      if (std::count(std::begin(pins), std::end(pins), i.raw_id())) continue;
      std::string part = (e.enabled(i) ? "" : "-") + i.str();
      if (i.type_id() && i.type_id().id() != kith::Component)
        part += "=" + std::to_string(*static_cast<const int*>(e.get_mut(i)));
      owned.push_back(part);
    }
    for (kith::entity tag : tags)
      if (e.has(tag)) seen.push_back(tag.str());
    if (const Number* n = e.get<Number>()) seen.push_back("Number=" + std::to_string(n->n));
    for (kith::entity r : relations) {
      std::vector<std::string> targets;
      for (kith::entity t : e.targets(r)) targets.push_back(t.str());
      seen.push_back(r.str() + ":" + join(targets));
      if (!e.has(r, kith::Wildcard) != targets.empty()) seen.push_back("WRONG wildcard");
      std::vector<std::string> reached, reached_by;
      for (kith::entity t : e.reached(r)) {
        reached.push_back(t.str());
        if (!e.reaches(r, t)) reached.push_back("WRONG reaches");
      }
      for (kith::entity t : e.reached_by(r)) reached_by.push_back(t.str());
      seen.push_back("[" + join(reached) + "][" + join(reached_by) + "]");
    }
    for (kith::entity child : e.children()) children.push_back(child.str());
    return e.path() + ":" + join(owned) + " | " + join(seen) + " | " +
           join(children, e.has(kith::OrderedChildren));
  }

  placement place_;
  int created_ = 0;
};

using step = std::function<void(twin&)>;

// What kind of error a step is, or "".
std::string outcome(const step& change, twin& of) {
  of.shake();
  try {
    change(of);
  } catch (const kith::error& e) {
    return std::string(to_text(e.code()));
  }
  return "";
}

class history {
 public:
  history(unsigned seed, bool deletes_by_policy) : random_(seed), policies_(deletes_by_policy) {}

  // A random step; it means the same in every twin.
  step next() {
    const std::size_t a = any(size), b = any(size), r = any(5), t = any(2);
    const int n = static_cast<int>(any(100));
    switch (any(34)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return [=](twin& w) { w.things[a].add(w.relations[r], w.things[b]); };
      case 5:
      case 6:
        return [=](twin& w) { w.things[a].remove(w.relations[r], w.things[b]); };
      case 7:
        return [=](twin& w) { w.things[a].remove(w.relations[r], kith::Wildcard); };
      case 8:
        return [=](twin& w) { w.things[a].remove(kith::Wildcard, w.things[b]); };
      case 9:
      case 10:
        return [=](twin& w) { w.things[a].is_a(w.things[b]); };
      case 11:
        return [=](twin& w) { w.things[a].remove(kith::IsA, w.things[b]); };
      case 12:
      case 13:
        return [=](twin& w) { w.things[a].child_of(w.things[b]); };
      case 14:
        return [=](twin& w) { w.things[a].remove(kith::ChildOf, kith::Wildcard); };
      case 15:
        return [=](twin& w) { w.things[a].set(Number{n}); };
      case 16:
        return [=](twin& w) { w.things[a].ensure<Number>().n += 1; };
      case 17:
        return [=](twin& w) { w.things[a].set<Eats>(w.things[b], {n}); };
      case 18:
        return [=](twin& w) { w.things[a].add(w.tags[t]); };
      case 19:
        return [=](twin& w) { w.things[a].remove(w.tags[t]).remove<Number>(); };
      case 20:
        return [=](twin& w) { w.things[a].disable(w.relations[r], w.things[b]); };
      case 21:
        return [=](twin& w) {
          const kith::type owned = w.things[a].type();
          for (kith::id i : owned)
            if (i.is_pair() && i.first() == w.relations[r]) w.things[a].disable(i);
        };
      case 22:
        return [=](twin& w) {
          for (kith::id i : w.things[a].type()) w.things[a].enable(i);
        };
      case 23:
        return [=](twin& w) { w.things[a].clear(); };
      case 24:
        return [=](twin& w) { w.world.remove_all(w.world.pair(w.relations[r], w.things[b])); };
      case 25:
        if (policies_) return [=](twin& w) { w.things[a].destruct(); };
        return [=](twin& w) {
          w.things[a].destruct();
          for (kith::entity& each : w.things)
            if (!each.is_alive()) each = w.create();
        };
      case 26:
        if (policies_) return [=](twin& w) { w.things[a].add<Number>(); };
        return [=](twin& w) {
          const kith::entity copy = w.things[a].clone();
          copy.set_name("copy" + std::to_string(n));
        };
      case 27:
        return [=](twin& w) {
          w.world.defer_begin();
          w.things[a].add(w.relations[r], w.things[b]);
          w.shake();
          w.things[b].set(Number{n});
          w.things[a].remove(w.relations[(r + 1) % 5], kith::Wildcard);
          w.shake();
          w.things[b].ensure<Eats>(w.things[a]).n += 1;
          w.world.defer_end();
        };
      case 28:
        return [=](twin& w) { w.world.delete_empty_tables(); };
      default:
        return trait_step();
    }
  }

 private:
  step trait_step() {
    const bool on = any(3) != 0;
    const std::size_t r = any(5), other = any(5), t = any(2), a = any(size);
    const auto give = [on](kith::entity e, kith::id_t id) { on ? e.add(id) : e.remove(id); };
    const auto pair = [](kith::entity_t x, kith::entity_t y) { return kith::pair_id(x, y); };
    constexpr kith::entity_t plain[] = {kith::Exclusive,  kith::Symmetric,    kith::Acyclic,
                                        kith::Transitive, kith::Relationship, kith::Final};
    const kith::entity_t trait = plain[any(std::size(plain))];
    constexpr kith::entity_t shares[] = {kith::Inherit, kith::Override, kith::DontInherit};
    const kith::entity_t share = shares[any(3)];
    constexpr kith::entity_t policies[] = {kith::Remove, kith::Delete, kith::Panic};
    const kith::entity_t policy = policies[any(3)];
    switch (any(policies_ ? 8 : 6)) {
      case 0:
        return [=](twin& w) { give(w.relations[r], trait); };
      case 1:
        return [=](twin& w) { give(w.relations[r], pair(kith::With, w.relations[other].id())); };
      case 2:
        return [=](twin& w) { give(w.relations[r], pair(kith::OnInstantiate, share)); };
      case 3:
        return [=](twin& w) { give(w.tags[t], pair(kith::OnInstantiate, share)); };
      case 4:
        return [=, this](twin& w) {
          // What is made after a cascade has numbers that depend on its order.
          give(w.things[a], r % 2 || policies_ ? kith::OrderedChildren : kith::Prefab);
        };
      case 5:
        return [=](twin& w) { give(w.relations[r], pair(kith::IsA, w.relations[other].id())); };
      case 6:
        return [=](twin& w) { give(w.relations[r], pair(kith::OnDeleteTarget, policy)); };
      default:
        return [=](twin& w) { give(w.tags[t], pair(kith::OnDelete, policy)); };
    }
  }
  std::size_t any(std::size_t below) { return random_() % below; }

 public:
  static constexpr std::size_t size = 9;

 private:
  std::mt19937 random_;
  bool policies_;
};

constexpr unsigned lives = kith::test::is_sanitized ? 2 : 5;

class same_history_in_any_storage : public ::testing::TestWithParam<storage> {
 protected:
  void live(unsigned seed, bool policies, int steps) {
    history h(seed, policies);
    twin plain(storage::tables, history::size), other(GetParam(), history::size);
    std::string before = plain.text();
    for (int i = 0; i < steps; ++i) {
      const step change = h.next();
      const std::string expected = outcome(change, plain), found = outcome(change, other);
      ASSERT_EQ(found, expected) << "seed " << seed << ", step " << i << ", in\n" << before;
      other.shake();
      const std::string now = plain.text();
      ASSERT_EQ(other.text(), now) << "seed " << seed << ", step " << i << ", in\n" << before;
      before = now;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(, same_history_in_any_storage, ::testing::ValuesIn(every_storage),
                         storage_name());

// M17 U14
TEST_P(same_history_in_any_storage, leads_to_the_same_world) {
  for (unsigned seed = 1; seed <= lives; ++seed) live(seed, false, 200);
}

TEST_P(same_history_in_any_storage, leads_to_the_same_world_with_cleanup_policies) {
  for (unsigned seed = 101; seed <= 100 + lives; ++seed) live(seed, true, 120);
}

}  // namespace
