// What a world prints as facts, and that `define` makes an equal world of it.
#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "support/timing.hpp"
#include "world/vocabulary.hpp"

namespace {

using kith::core::concat;

std::string facts_of(std::string_view text) {
  kith::world world;
  world.define(text);
  return world.facts();
}

// Two worlds are equal if there is a mapping between their entities that keeps names, ids, values
// and the order of entities. Entities are numbered through in their order; values are compared as
// facts.
std::string picture(kith::world& world) {
  std::map<kith::entity_t, std::string> number;
  for (kith::entity e : world_tests::entities_of(world))
    number[e.id()] = std::to_string(number.size());
  const auto name = [&](kith::entity_t e) {
    return kith::core::is_builtin(e) ? std::to_string(e) + "!" : number.at(e);
  };
  std::string text;
  for (kith::entity e : world_tests::entities_of(world)) {
    text += concat(name(e.id()), " '", e.name(), "':");
    std::vector<std::string> ids;
    for (kith::id i : e.type())
      ids.push_back(i.is_pair() ? concat("(", name(i.first().id()), ",", name(i.second().id()), ")")
                                : name(i.raw_id()));
    std::sort(ids.begin(), ids.end());
    for (const std::string& i : ids) text += concat(" ", i);
    if (e.has(kith::OrderedChildren)) {
      text += " children";
      for (kith::entity c : e.children()) text += concat(" ", name(c.id()));
    }
    for (const kith::member_info& m : world.members(e)) text += concat(" ", m.type, " ", m.name);
    text += "\n";
  }
  return text;
}

// "" if the world reads back to an equal one.
std::string difference(kith::world& world) {
  const std::string facts = world.facts();
  kith::world again;
  const auto read = again.try_define(facts);
  if (!read) return concat(read.error().what(), "\nin\n", facts);
  if (picture(again) != picture(world))
    return concat(picture(world), "->\n", picture(again), "by\n", facts);
  if (again.facts() != facts) return concat(facts, "->\n", again.facts());
  return "";
}

std::string difference_of(std::string_view text) {
  kith::world world;
  world.define(text);
  return difference(world);
}

TEST(facts, of_an_empty_world_are_none) { EXPECT_EQ(facts_of(""), ""); }

TEST(facts, are_one_in_a_line) {
  EXPECT_EQ(facts_of("Likes(bob, alice), Npc(bob)"),
            "Likes\nbob\nalice\nNpc(bob)\nLikes(bob, alice)\n");
  EXPECT_EQ(facts_of("Likes(bob, alice)\nLikes(alice, bob)"),
            "Likes(bob, alice)\nLikes(alice, bob)\n");
}

TEST(facts, an_entity_without_facts_is_a_name) {
  EXPECT_EQ(facts_of("a\nb.c"), "a\nb\nChildOf(c, b)\n");
}

TEST(facts, traits_come_after_what_they_are_about) {
  EXPECT_EQ(
      facts_of("Transitive(LocatedIn)\nLocatedIn(SanFrancisco, US), LocatedIn(Mission, "
               "SanFrancisco)"),
      "LocatedIn(SanFrancisco, US)\nLocatedIn(Mission, SanFrancisco)\nTransitive(LocatedIn)\n");
}

TEST(facts, values_are_part_of_them) {
  EXPECT_EQ(
      facts_of("struct P {f32 x, text t, bool b, entity e}\nP(a) {0.1, \"\\\"\\n\", true, a}"),
      "struct P {f32 x, text t, bool b, entity e}\nP(a) {0.1, \"\\\"\\n\", true, a}\n");
}

TEST(facts, a_type_without_members_has_no_values) {
  kith::world world;
  world.entity("a").set(Position{1, 2});
  EXPECT_EQ(world.facts(), "a\nPosition(a)\nFinal(Position)\n");
}

TEST(facts, what_is_switched_off_is_not_a_fact) {
  kith::world world;
  world.define("A(b), C(b)");
  world.lookup("b").disable(world.lookup("A"));
  EXPECT_EQ(world.facts(), "A\nb\nC(b)\n");
}

TEST(facts, come_in_pieces_too) {
  kith::world world;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += concat("Tag(e", std::to_string(i), ")\n");
  world.define(text);
  std::size_t pieces = 0;
  std::string joined;
  world.facts([&](std::string_view piece) {
    ++pieces;
    joined += piece;
  });
  EXPECT_GT(pieces, 1u);
  EXPECT_EQ(joined, text);
}

TEST(facts, built_in_entities_show_what_they_were_told) {
  EXPECT_EQ(facts_of("Traversable(ChildOf)\nNpc(IsA)"), "Traversable(ChildOf)\nNpc(IsA)\n");
  EXPECT_EQ(difference_of("Transitive(ChildOf)\nNpc(IsA)\nWith(Prefab, x)"), "");
}

TEST(facts, a_name_that_is_built_in_is_found_again) {
  kith::world world;
  const kith::entity own = world.entity("Target"), rel = world.entity("Rel").add(kith::Target);
  world.entity("x").add(own);
  world.entity("game::Exclusive").add(own).add(kith::Exclusive);
  EXPECT_EQ(difference(world), "");
  EXPECT_NE(world.facts().find("kith.Target(Rel)"), std::string::npos) << world.facts();
  EXPECT_TRUE(rel.has(kith::Target));
}

TEST(facts, odd_names_are_found_again) {
  kith::world world;
  const kith::entity tag = world.entity("self");
  for (const char* name :
       {"odd name", "a\nb", "up", "struct", "true", "7",  "0",   "1.5",  "\"",   "\\", "#1",
        "$x",       "This", "_a", "größe",  "*",    "//", "a.b", "a::b", "kith", "NOT"})
    if (!world.lookup(name)) world.entity().set_name(name).add(tag).add(tag, tag);
  world.define("struct E {entity e, entity f}\nE(x) {7, \"1.5\"}");
  for (const char* name : {"0", "inf", "-1", "5"}) {
    const kith::entity e =
        world.entity().set_name(name + std::string("!")).child_of(world.entity("p"));
    const kith::entity_t both[] = {e.id(), world.entity().set_name("6").child_of(e).id()};
    e.set_ptr(world.lookup("E"), both);
  }
  EXPECT_EQ(difference(world), "");
}

TEST(facts, the_same_name_under_different_parents_is_found_again) {
  EXPECT_EQ(difference_of("a.x, b.x, b.x.x, c.x.y, T(a.x), T(b.x.x), x"), "");
  EXPECT_EQ(difference_of("ChildOf(x, a)\nb.x\nT(b.x)"), "");
}

TEST(facts, children_that_are_older_than_their_parents_stay_so) {
  EXPECT_EQ(difference_of("wheel, car, bike.wheel, ChildOf(wheel, car), T(wheel)"), "");
  kith::world world;
  std::vector<kith::entity> wheels;
  for (int i = 0; i < 5; ++i) wheels.push_back(world.entity());
  for (int i = 0; i < 5; ++i)
    wheels[i].child_of(world.entity(concat("car", std::to_string(i)))).set_name("wheel");
  world.entity().child_of(wheels[3]).set_name("wheel");
  EXPECT_EQ(difference(world), "");
}

TEST(facts, the_order_of_ordered_children_stays) {
  kith::world world;
  const kith::entity p = world.entity("p").add(kith::OrderedChildren);
  world.entity("q::a"), world.entity("q::b");
  const kith::entity a = world.entity("p::a"), b = world.entity("p::b"), c = world.entity("p::c");
  const kith::entity d = world.entity().child_of(p);
  const kith::entity order[] = {d, c, b, a};
  p.set_child_order(order);
  EXPECT_EQ(difference(world), "");
  world.entity("empty").add(kith::OrderedChildren);
  EXPECT_EQ(difference(world), "");
}

TEST(facts, entities_without_names_keep_their_numbers) {
  kith::world world;
  const kith::entity tag = world.entity("Tag");
  const kith::entity gone = world.entity();
  const kith::entity e = world.entity().add(tag);
  world.entity().child_of(e);
  gone.destruct();
  EXPECT_NE(world.facts().find(concat("Tag(#", std::to_string(e.id()), ")")), std::string::npos);
  EXPECT_EQ(difference(world), "");
}

TEST(facts, entities_are_counted_through_if_their_order_would_be_lost_otherwise) {
  kith::world world;
  const kith::entity gone = world.entity(), e = world.entity("e"), nameless = world.entity();
  const kith::entity last = world.entity("last").add(nameless).add(e, nameless);
  gone.destruct();
  EXPECT_EQ(difference(world), "");
  EXPECT_EQ(world.facts(), "#257\ne\n#257(last)\ne(last, #257)\n");
  EXPECT_TRUE(last.has(nameless));
}

TEST(facts, instances_of_prefabs_are_not_instantiated_again) {
  const char* text =
      "struct P {f32 x}\nOnInstantiate(P, Override)\nPrefab(Tank), P(Tank) {1}\n"
      "ChildOf(turret, Tank), P(turret) {2}, ChildOf(barrel, turret)\n"
      "Prefab(Fast), IsA(Fast, Tank), IsA(t1, Fast), IsA(t2, Tank), P(t2.turret) {5}";
  EXPECT_EQ(difference_of(text), "");
  kith::world world;
  world.define(text);
  world.lookup("t1::turret").destruct();
  world.lookup("t2").remove(world.lookup("P"));
  EXPECT_EQ(difference(world), "");
}

TEST(facts, slots_are_found_again) {
  kith::world world;
  const kith::entity ship = world.prefab("Ship");
  const kith::entity engine = world.prefab("Ship::Engine").slot_of(ship);
  const kith::entity mine = world.entity("mine").is_a(ship);
  EXPECT_TRUE(mine.target(engine));
  EXPECT_EQ(difference(world), "");
}

TEST(facts, what_traits_would_add_is_not_added) {
  kith::world world;
  // A without B, though With came to A later; likewise Override.
  world.define("A(x), R(x, y)\nstruct C {f32 n}\nC(base) {1}\nIsA(k, base)");
  world.define("With(A, B), With(R, S), OnInstantiate(C, Override)");
  EXPECT_EQ(difference(world), "");
}

TEST(facts, every_trait_reads_back) {
  EXPECT_EQ(difference_of(R"(
    struct V {f32 x}
    Exclusive(R1), R1(a, b)
    Acyclic(R2), R2(a, b), R2(b, c)
    Symmetric(R3), Exclusive(R3), R3(a, b)
    Transitive(R4), Reflexive(R4), R4(a, b)
    PairIsTag(R5), R5(a, V)
    R6(a, V) {3}
    OneOf(R7, colors), ChildOf(red, colors), R7(a, red)
    OneOf(R8), ChildOf(one, R8), R8(a, one)
    Relationship(R9), R9(a, b), Trait(R10), R10(a, R9)
    kith.Target(T1), R11(a, T1)
    Singleton(G), G($)
    Union(R12), R12(a, b)
    Sparse(V), DontFragment(R13), Fragment(R14), V(a) {4}, R13(a, b), R14(a, b)
    Final(F), Inheritable(V), IsA(W, V)
    With(A, B), A(a)
    OnDelete(R15, Panic), OnDeleteTarget(R15, Delete), OnInstantiate(R15, DontInherit), R15(a, b)
    Disabled(a), Prefab(pre), ChildOf(child, pre), CanToggle(V), Traversable(R1)
  )"),
            "");
  EXPECT_EQ(difference_of("struct V {f32 x}\n!Final(V)\nIsA(W, V)"), "");
}

TEST(facts, kinds_may_go_round_in_a_circle) {
  EXPECT_EQ(difference_of("IsA(a, b), IsA(b, c), IsA(c, a), P(a)"), "");
}

TEST(facts, structs_come_before_what_is_made_of_them) {
  EXPECT_EQ(difference_of("Outer, struct Inner {f32 x}, struct ns.Inner2 {Inner i}\n"
                          "struct Outer {Inner a, ns.Inner2 b}, Outer(x) {{1}, {{2}}}"),
            "");
}

TEST(facts, numbers_are_exact) {
  kith::world world;
  world.define("struct N {i8 a, u8 b, i16 c, u16 d, i32 e, u32 f, i64 g, u64 h, f32 i, f64 j}");
  const auto check = [&](const char* value) {
    world.define(concat("N(x) ", value));
    EXPECT_NE(world.facts().find(concat("N(x) ", value, "\n")), std::string::npos) << world.facts();
  };
  check(
      "{-128, 255, -32768, 65535, -2147483648, 4294967295, -9223372036854775808, "
      "18446744073709551615, 3.4028235e+38, 1.7976931348623157e+308}");
  check("{127, 0, 32767, 0, 2147483647, 0, 9223372036854775807, 0, 1e-45, 5e-324}");
  check("{0, 0, 0, 0, 0, 0, 0, 0, inf, -inf}");
  check("{0, 0, 0, 0, 0, 0, 0, 0, nan, -0}");
}

TEST(facts, a_dead_entity_in_a_value_is_none) {
  kith::world world;
  world.define("struct A {entity e}\nA(x) {gone}");
  world.lookup("gone").destruct();
  EXPECT_EQ(world.facts(), "struct A {entity e}\nA(x) {0}\n");
}

TEST(facts, deep_hierarchies_are_short) {
  kith::world world;
  kith::entity at = world.entity("top");
  for (int i = 0; i < 20'000; ++i)
    at = world.entity().child_of(at).set_name(concat("n", std::to_string(i)));
  const std::string facts = world.facts();
  EXPECT_LT(facts.size(), 20'000u * 40);
  kith::world again;
  again.define(facts);
  EXPECT_EQ(again.facts(), facts);
}

TEST(facts, a_deep_hierarchy_with_a_common_name_reads_back_in_time) {
  kith::world world;
  kith::entity at = world.entity("top");
  for (int i = 0; i < 20'000; ++i) {
    at = world.entity().child_of(at).set_name(concat("n", std::to_string(i)));
    world.entity().child_of(at).set_name("wheel");
  }
  kith::world again;
  again.define(world.facts());
  EXPECT_EQ(again.facts(), world.facts());
}

// --- random worlds ---

class random_world {
 public:
  explicit random_world(unsigned seed) : random_(seed) {
    world.define(
        "struct P {f32 x, f32 y}\nstruct L {text t, entity e, i16 n}\nstruct B {P p, L l}\nstruct "
        "E {u8 a}");
    for (int i = 0; i < 8; ++i) things_.push_back(world.entity());
    for (int i = 0; i < 200; ++i) step();
  }
  kith::world world;

 private:
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  kith::entity thing() {
    std::erase_if(things_, [](kith::entity e) { return !e.is_alive(); });
    while (things_.size() < 4) things_.push_back(world.entity());
    return things_[below(static_cast<unsigned>(things_.size()))];
  }
  kith::entity any() {
    static constexpr kith::entity_t builtins[] = {kith::ChildOf, kith::IsA, kith::Disabled,
                                                  kith::SlotOf};
    return below(12) ? thing() : world.entity(builtins[below(4)]);
  }
  kith::entity trait() {
    static constexpr kith::entity_t all[] = {
        kith::Exclusive,    kith::Acyclic,     kith::Transitive,      kith::Reflexive,
        kith::Symmetric,    kith::Final,       kith::OneOf,           kith::Relationship,
        kith::Target,       kith::Singleton,   kith::Sparse,          kith::PairIsTag,
        kith::DontFragment, kith::Fragment,    kith::Union,           kith::Trait,
        kith::Traversable,  kith::Inheritable, kith::OrderedChildren, kith::Prefab};
    return world.entity(all[below(20)]);
  }
  std::string name() { return std::string(1, static_cast<char>('a' + below(6))); }

  // Most of what is asked for at random is refused.
  void step() {
    try {
      change();
    } catch (const kith::error&) {
    }
  }
  void change() {
    switch (below(20)) {
      case 0:
        things_.push_back(world.entity());
        return;
      case 1:
        things_.push_back(world.entity(name()));
        return;
      case 2:
        things_.push_back(world.entity(concat(name(), "::", name())));
        return;
      case 3:
        thing().set_name(below(4) ? name() : "");
        return;
      case 4:
      case 5:
        thing().child_of(thing());
        return;
      case 6:
        thing().remove(kith::ChildOf, kith::Wildcard);
        return;
      case 7:
        if (below(3) == 0) thing().destruct();
        return;
      case 8:
      case 9:
        thing().add(trait());
        return;
      case 10:
        thing().remove(trait());
        return;
      case 11:
        thing().is_a(thing());
        return;
      case 12: {
        static constexpr kith::entity_t policies[][2] = {{kith::OnInstantiate, kith::Override},
                                                         {kith::OnInstantiate, kith::DontInherit},
                                                         {kith::OnDelete, kith::Remove},
                                                         {kith::OnDeleteTarget, kith::Delete}};
        const auto& p = policies[below(4)];
        (below(2) ? thing() : world.lookup("P")).add(p[0], p[1]);
        return;
      }
      case 13:
        thing().add(below(2) ? kith::With : kith::OneOf, thing());
        return;
      case 14:
        value(world.id(world.lookup(below(2) ? "P" : "L")));
        return;
      case 15:
        value(world.pair(world.lookup(below(2) ? "B" : "E"), thing()));
        return;
      case 16:
        value(world.pair(thing(), world.lookup("P")));
        return;
      case 17:
        thing().remove(any(), kith::Wildcard);
        return;
      default:
        if (below(2))
          thing().add(any());
        else
          thing().add(any(), thing());
    }
  }
  void value(kith::id id) {
    const kith::entity e = thing();
    e.add(id);
    if (const kith::entity type = id.type_id(); type && e.owns(id)) {
      void* v = e.get_mut(id);
      if (type.name() == "P")
        static_cast<float*>(v)[below(2)] = 1.0f / static_cast<float>(below(9) + 1);
      if (type.name() == "L") {
        *static_cast<std::string*>(v) = std::string(below(30), static_cast<char>(below(256)));
        *reinterpret_cast<kith::entity_t*>(static_cast<std::byte*>(v) + sizeof(std::string)) =
            thing().id();
      }
    }
  }

  std::mt19937 random_;
  std::vector<kith::entity> things_;
};

TEST(facts, random_worlds_read_back_to_equal_worlds) {
  for (unsigned seed = 0; seed < (kith::test::is_sanitized ? 60 : 300); ++seed) {
    random_world w(seed);
    // Without its parts a struct cannot be written.
    if (!w.world.lookup("P") || !w.world.lookup("L")) continue;
    const std::string wrong = difference(w.world);
    ASSERT_EQ(wrong, "") << "seed " << seed;
  }
}

TEST(facts, random_texts_that_fail_leave_random_worlds_as_they_were) {
  constexpr unsigned seeds = kith::test::is_sanitized ? 12 : 60;
  std::size_t failed = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    random_world w(seed), other(seed + 1000);
    // The facts of another world in another order contradict this one sooner or later.
    std::vector<std::string> lines;
    const std::string all = other.world.facts();
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = all.find('\n', at);
      lines.push_back(all.substr(at, end - at));
      at = end + 1;
    }
    std::mt19937 random(seed);
    std::shuffle(lines.begin(), lines.end(), random);
    std::string text;
    for (const std::string& line : lines) {
      const std::string before = w.world.facts() + picture(w.world);
      const std::string longer = concat(text, random() % 4 ? "" : "!", line, "\n");
      if (random() % 8 == 0) {
        ASSERT_FALSE(w.world.try_define(concat(longer, "ChildOf(q, q)"))) << longer;
      } else if (w.world.try_define(longer)) {
        text.clear();
        continue;
      }
      ++failed;
      ASSERT_EQ(w.world.facts() + picture(w.world), before) << "seed " << seed << "\n" << longer;
      if (random() % 2) text = longer;
      if (text.size() > 400) text.clear();
    }
  }
  EXPECT_GT(failed, seeds * 17);
}

}  // namespace
