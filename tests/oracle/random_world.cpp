#include "oracle/random_world.hpp"

#include <algorithm>

#include "world/engine_state.hpp"

namespace kith_oracle {

namespace {

const std::vector<std::string> all_tags{"A", "B", "C", "Pos", "Num", "Clock"};
const std::vector<std::string> all_relations{"R", "S", "T", "Len"};
const std::vector<std::string> all_objects{"a", "b", "c", "d", "e", "f", "g"};
const std::vector<std::string> relation_traits{
    "Transitive", "Transitive",   "Reflexive", "Symmetric", "Exclusive", "Acyclic",     "Union",
    "Fragment",   "DontFragment", "Sparse",    "Final",     "PairIsTag", "Relationship"};
const std::vector<std::string> cleanups{"Delete", "Remove", "Panic"};
const std::vector<std::string> instantiations{"Inherit", "Override", "DontInherit"};

class world_dice {
 public:
  explicit world_dice(dice& random) : random_(random) {}
  world_dice(dice& random, const scripted_world& world)
      : random_(random), tags_(world.tags), relations_(world.relations), objects_(world.objects) {}

  script write() {
    choose_vocabulary();
    declare();
    traits(2);
    kinds();
    const std::size_t facts = 8 + random_.below(12);
    for (std::size_t i = 0; i < facts; ++i) fact();
    if (random_.chance(30)) prefab();
    if (random_.chance(25)) recycle();
    if (random_.chance(40)) traits(1);
    for (std::size_t i = random_.below(4); i > 0; --i) fact();
    for (std::size_t i = random_.below(3); i > 0; --i) switch_off();
    if (random_.chance(25)) hide();
    if (random_.chance(40)) place();
    return std::move(script_);
  }

  script write_changes(const std::vector<scripted_world::fact>& known) {
    if (tags_.empty() || relations_.empty() || objects_.empty()) return {};
    for (std::size_t i = 1 + random_.below(5); i > 0; --i) {
      const std::size_t which = random_.below(100);
      if (which < 40) {
        fact();
      } else if (which < 75 && !known.empty()) {
        const auto& f = random_.one_of(known);
        const bool off = random_.chance(25) && may_be_switched(f.first);
        script_.push_back(
            {off ? step::kind::off : step::kind::remove, f.subject, f.first, f.second});
      } else if (which < 85) {
        add(random_.one_of(relations_), random_.one_of(relation_traits));
      } else if (which < 90) {
        recycle();
      } else if (which < 95) {
        hide();
      } else {
        place();
      }
    }
    return std::move(script_);
  }

  script write_changes_of_all_kinds(const std::vector<scripted_world::fact>& known) {
    if (tags_.empty() || relations_.empty() || objects_.empty()) return {};
    using kind = step::kind;
    const auto about = [&](kind k) {
      if (known.empty()) return;
      const auto& f = random_.one_of(known);
      if ((k == kind::off || k == kind::on) && !may_be_switched(f.first)) return;
      script_.push_back({k, f.subject, f.first, f.second});
    };
    const auto value = [&](kind k) {
      std::vector<scripted_world::fact> with_values;
      for (const auto& f : known)
        if (has_value(f.first)) with_values.push_back(f);
      if (!with_values.empty() && random_.chance(60)) {
        const auto& f = random_.one_of(with_values);
        script_.push_back({k, f.subject, f.first, f.second});
      } else if (random_.chance(70)) {
        script_.push_back({k, random_.one_of(objects_), random_.one_of(tags_), ""});
      } else {
        script_.push_back(
            {k, random_.one_of(objects_), random_.one_of(relations_), random_.one_of(objects_)});
      }
    };
    const auto object = [&](kind k) { script_.push_back({k, random_.one_of(objects_), "", ""}); };
    for (std::size_t i = 1 + random_.below(5); i > 0; --i) {
      const std::size_t which = random_.below(100);
      if (which < 24) {
        fact();
      } else if (which < 38) {
        about(kind::remove);
      } else if (which < 42) {
        about(kind::off);
      } else if (which < 46) {
        about(kind::on);
      } else if (which < 60) {
        value(kind::set);
      } else if (which < 66) {
        value(random_.chance(70) ? kind::write : kind::touch);
      } else if (which < 69) {
        value(kind::ensure);
      } else if (which < 73) {
        add(random_.one_of(relations_), random_.one_of(relation_traits));
      } else if (which < 76) {
        rare_trait();
      } else if (which < 80) {
        recycle();
      } else if (which < 83) {
        hide();
      } else if (which < 85) {
        const std::string shown = random_.chance(50) ? "Prefab" : "Disabled";
        script_.push_back({kind::remove, random_.one_of(objects_), shown, ""});
      } else if (which < 87) {
        place();
      } else if (which < 89) {
        object(kind::clear);
      } else if (which < 92) {
        script_.push_back({kind::clone, random_.one_of(objects_), random_.one_of(objects_), ""});
      } else if (which < 94) {
        const kind k = random_.chance(60) ? kind::with : kind::bulk;
        script_.push_back({k, random_.one_of(objects_), random_.one_of(tags_),
                           random_.chance(60) ? random_.one_of(tags_) : ""});
      } else if (which < 95) {
        script_.push_back({kind::remove_all, "", random_.one_of(tags_), ""});
      } else if (which < 96) {
        script_.push_back(
            {kind::delete_with, "", random_.one_of(relations_), random_.one_of(objects_)});
      } else if (which < 98) {
        object(kind::rename);
      } else {
        prefab();
      }
    }
    return std::move(script_);
  }

 private:
  void add(const std::string& subject, const std::string& first, const std::string& second = "") {
    script_.push_back({step::kind::add, subject, first, second});
  }

  void choose_vocabulary() {
    const auto some = [&](const std::vector<std::string>& all, std::size_t least,
                          std::size_t most) {
      std::vector<std::string> chosen = all;
      random_.shuffle(chosen);
      chosen.resize(std::min(all.size(), least + random_.below(most - least + 1)));
      return chosen;
    };
    tags_ = some(all_tags, 2, 3);
    relations_ = some(all_relations, 2, 3);
    objects_ = some(all_objects, 4, 6);
  }

  static bool has_value(const std::string& name) {
    return name == "Pos" || name == "Num" || name == "Clock" || name == "Len";
  }

  // The order of declarations decides the ids, so it is random too.
  void declare() {
    script names;
    const auto declare_all = [&](const std::vector<std::string>& list) {
      for (const std::string& n : list) {
        names.push_back({has_value(n) ? step::kind::component : step::kind::make, n, "", ""});
      }
    };
    declare_all(tags_);
    declare_all(relations_);
    declare_all(objects_);
    random_.shuffle(names);
    script_ = std::move(names);
    for (const std::string& t : tags_)
      if (t == "Clock") {
        if (random_.chance(70)) add("Clock", "Singleton");
        if (random_.chance(70)) add("Clock", "Clock");
      }
  }

  void traits(std::size_t most) {
    for (const std::string& r : relations_) {
      for (std::size_t i = random_.below(most + 1); i > 0; --i)
        add(r, random_.one_of(relation_traits));
      if (random_.chance(12)) add(r, "OnInstantiate", random_.one_of(instantiations));
    }
    for (const std::string& t : tags_) {
      if (random_.chance(15)) add(t, "OnInstantiate", random_.one_of(instantiations));
      if (random_.chance(8)) add(t, random_.chance(50) ? "Sparse" : "DontFragment");
      if (random_.chance(8)) add(t, "Inheritable");
    }
  }

  // What is deleted with what, and what comes with what.
  void rare_trait() {
    const std::string r = random_.one_of(relations_);
    const std::size_t which = random_.below(6);
    if (which < 2)
      add(random_.chance(50) ? r : random_.one_of(tags_), "OnDelete", random_.one_of(cleanups));
    else if (which < 4)
      add(r, "OnDeleteTarget", random_.one_of(cleanups));
    else if (which < 5)
      add(random_.one_of(tags_), "With", random_.one_of(tags_));
    else
      add(random_.one_of(tags_), "OnInstantiate", random_.one_of(instantiations));
  }

  void kinds() {
    if (random_.chance(45)) add(random_.one_of(tags_), "IsA", random_.one_of(tags_));
    if (random_.chance(35)) add(random_.one_of(relations_), "IsA", random_.one_of(relations_));
    if (random_.chance(10)) add(random_.one_of(objects_), "IsA", random_.one_of(tags_));
  }

  std::string anything() {
    const std::size_t which = random_.below(10);
    if (which == 0) return random_.one_of(tags_);
    if (which == 1) return random_.one_of(relations_);
    return random_.one_of(objects_);
  }

  void fact() {
    const std::size_t which = random_.below(100);
    if (which < 30)
      add(anything(), random_.one_of(tags_));
    else if (which < 70)
      add(anything(), random_.one_of(relations_), anything());
    else if (which < 83)
      add(random_.one_of(objects_), "IsA", random_.one_of(objects_));
    else if (which < 96)
      add(random_.one_of(objects_), "ChildOf", random_.one_of(objects_));
    else if (which < 98)
      add(random_.one_of(objects_), random_.one_of(tags_), random_.one_of(objects_));
    else
      script_.push_back({step::kind::remove, random_.one_of(objects_), random_.one_of(relations_),
                         random_.one_of(objects_)});
  }

  // A prefab with a child, and an instance of it.
  void prefab() {
    const std::string p = random_.one_of(objects_), child = random_.one_of(objects_);
    add(p, "Prefab");
    add(child, "ChildOf", p);
    if (random_.chance(50)) add(child, random_.one_of(tags_));
    add(random_.one_of(objects_), "IsA", p);
  }

  // Deletes an entity and makes one that uses its index again.
  void recycle() {
    const std::string gone = random_.one_of(objects_);
    script_.push_back({step::kind::destroy, gone, "", ""});
    if (random_.chance(70)) script_.push_back({step::kind::make, gone, "", ""});
  }

  void switch_off() {
    std::vector<step> added;
    for (const step& s : script_)
      if (s.is == step::kind::add) added.push_back(s);
    if (added.empty()) return;
    step s = random_.one_of(added);
    if (may_be_switched(s.first)) {
      s.is = step::kind::off;
      script_.push_back(s);
    }
  }

  // The tests switch no built-in ids off.
  bool may_be_switched(const std::string& first) {
    return std::count(tags_.begin(), tags_.end(), first) ||
           std::count(relations_.begin(), relations_.end(), first) ||
           (first == "IsA" && random_.chance(30));
  }

  void hide() { add(random_.one_of(objects_), random_.chance(50) ? "Prefab" : "Disabled"); }

  void place() {
    for (const std::string& r : relations_)
      if (random_.chance(40))
        script_.push_back({random_.chance(60) ? step::kind::pools : step::kind::tables, r, "", ""});
    for (const std::string& t : tags_)
      if (random_.chance(30)) script_.push_back({step::kind::pools, t, "", ""});
    if (random_.chance(20)) script_.push_back({step::kind::pools, "IsA", "", ""});
  }

  dice& random_;
  script script_;
  std::vector<std::string> tags_, relations_, objects_;
};

}  // namespace

script random_script(dice& random) { return world_dice(random).write(); }

script random_changes(const scripted_world& world, dice& random) {
  return world_dice(random, world).write_changes(world.known_facts);
}

script random_changes_of_all_kinds(const scripted_world& world, dice& random) {
  return world_dice(random, world).write_changes_of_all_kinds(world.facts_now());
}

scripted_world::scripted_world(const script& s, const kith::core::shortcuts& open) {
  world_.engine().state().shortcuts = open;
  play(s);

  const auto note = [&](const std::vector<std::string>& names, std::vector<std::string>& alive) {
    for (const std::string& n : names) {
      const kith::entity e = builder_.find(n);
      if (!e || is_builtin(e.id())) continue;
      alive.push_back(n);
      entities_[n] = e.id();
    }
  };
  note(all_tags, tags);
  note(all_relations, relations);
  note(all_objects, objects);
  known_facts = facts_now();
  for (const auto& [e, parent] : snapshot_.parents)
    if (!is_builtin(e) && snapshot_.names.contains(e)) child_names.push_back(snapshot_.names.at(e));
}

std::vector<scripted_world::fact> scripted_world::facts_now() const {
  std::map<entity_t, std::string> name_of;
  for (const std::vector<std::string>* names : {&tags, &relations, &objects})
    for (const std::string& n : *names)
      if (const kith::entity e = builder_.find(n)) name_of[e.id()] = n;
  for (entity_t e : snapshot_.entities)
    if (is_builtin(e)) name_of[e] = snapshot_.name_of(e);

  std::vector<fact> known;
  for (const auto& [e, ids] : snapshot_.owned) {
    if (is_builtin(e) || !name_of.contains(e)) continue;
    for (const owned_id& o : ids)
      if (name_of.contains(o.id.first) && (!o.id.second || name_of.contains(o.id.second)))
        known.push_back({name_of[e], name_of[o.id.first], o.id.second ? name_of[o.id.second] : ""});
  }
  return known;
}

void scripted_world::play(const script& more) {
  builder_.play(more);
  snapshot_ = snapshot_of(world_);
}

std::string scripted_world::path_of(const std::string& name) const {
  const auto e = entities_.find(name);
  return e == entities_.end() ? name : snapshot_.text_of(e->second);
}

entity_t scripted_world::entity(const std::string& name) const {
  const auto e = entities_.find(name);
  return e == entities_.end() ? 0 : e->second;
}

}  // namespace kith_oracle
