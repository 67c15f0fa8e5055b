#include "memory/operations.hpp"

#include <thread>

namespace kith::test {

namespace {

void answer_number(stage& s, std::size_t n) { s.answer = std::to_string(n); }

// Text of at most what `answer` has room for.
void answer_rows(stage& s, const kith::query<>& q) {
  s.answer.clear();
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        s.answer += it.entity(i).name();
        s.answer += ' ';
      }
  });
}

// Makes a query of a text and counts its results three times: the later ones come from what it
// keeps.
template <const char* const& Text>
void count_query(stage& s, unsigned) {
  const kith::query<> q = s.w.query(Text);
  std::size_t n = 0;
  for (int i = 0; i < 3; ++i) n = n * 100 + q.count();
  answer_number(s, n);
}

void many_rows(stage& s) {
  for (int i = 0; i < 20; ++i) s.w.entity().set(Place{float(i), 0}).add(s.Red).add(s.Likes, s.bob);
}

void many_targets(stage& s) {
  for (int i = 0; i < 8; ++i) s.eve.add(s.Owns, s.w.entity(("t" + std::to_string(i)).c_str()));
}

void wide_entity(stage& s) {
  for (int i = 0; i < 62; ++i) s.eve.add(s.w.entity(("tag" + std::to_string(i)).c_str()));
}

void instances(stage& s) {
  for (const char* name : {"instance", "i2", "i3"}) s.w.entity(name).is_a(s.model);
}

void model_with_slot(stage& s) {
  s.w.prefab("model::arm").slot();
  s.w.prefab("model::arm::hand").set(Title{"the hand at the end of an arm"});
}

#define KITH_QUERY(name, text)                    \
  constexpr const char* const name##_text = text; \
  constexpr auto name = count_query<name##_text>

KITH_QUERY(query_plain, "Place, Mass");
KITH_QUERY(query_pair, "(Likes, $x)");
KITH_QUERY(query_join, "Likes($this, $x), Likes($x, $y), Place($y) || Mass($y)");
KITH_QUERY(query_not, "Place, !Npc, !(Owns, _)");
KITH_QUERY(query_optional, "Place, ?(Likes, $x), ?Title($x)");
KITH_QUERY(query_scope, "R0($this), ?{Red, (Likes, $x)}, !{Green, Owns($this, $x)}");
KITH_QUERY(query_nested, "Place, !{Likes($this, $x), !{Red($x), !{Mass($x)}}}");
KITH_QUERY(query_closure, "Leads($this, $x), Leads(bob, $x)");
KITH_QUERY(query_walk, "Place[up ChildOf], (ChildOf, $p)");
KITH_QUERY(query_inherited, "Mass[up IsA], (IsA, $b)");
KITH_QUERY(query_any, "(*, bob) || (_, carol)");
KITH_QUERY(query_compare, "Place($x), Mass($y), $x != $y");
KITH_QUERY(query_wildcards, "(Likes, *), (*, *)");

const operation all_operations[] = {
    // --- entities
    {"create", [](stage& s, unsigned) { s.made.push_back(s.w.entity()); }},
    {"create 40 one by one",
     [](stage& s, unsigned) {
       while (s.made.size() < 40) s.made.push_back(s.w.entity());
     }, 0},
    {"create named", [](stage& s, unsigned) { s.w.entity("new_name"); }},
    {"create by a path",
     [](stage& s, unsigned) { s.w.entity("n1::n2::a_rather_long_name_of_an_entity"); }},
    {"create below a parent",
     [](stage& s, unsigned) { s.w.entity("root::left::a_child_with_a_long_name"); }},
    {"create in a scope", [](stage& s, unsigned) { s.w.entity(); }, 1,
     [](stage& s) { s.w.set_scope(s.root); }},
    {"create with values",
     [](stage& s, unsigned) {
       s.w.entity(Place{1, 1}, Title{"with a text that is long"}, Npc{}, Boxed{3});
     }},
    {"create with values in a scope",
     [](stage& s, unsigned) { s.w.entity(Wide{1}, Title{"with a text that is long"}); }, 1,
     [](stage& s) { s.w.set_scope(s.left); }},
    {"bulk", [](stage& s, unsigned) { s.w.bulk(30, Place{1, 1}, Title{"a text that is long"}); }},
    {"bulk in a scope", [](stage& s, unsigned) { s.w.bulk(5, Boxed{2}, Npc{}); }, 1,
     [](stage& s) { s.w.set_scope(s.root); }},
    {"make_alive", [](stage& s, unsigned) { s.w.make_alive(70'000); }},
    {"clone", [](stage& s, unsigned) { s.alice.clone(); }},
    {"clone of boxed and wide", [](stage& s, unsigned) { s.carol.clone(); }},
    {"clone without values", [](stage& s, unsigned) { s.dave.clone(false); }},
    {"clone into", [](stage& s, unsigned) { s.bob.clone(true, s.Extra); }},
    {"clone of an instance", [](stage& s, unsigned) { s.w.lookup("instance").clone(); }, 1,
     instances},

    // --- ids
    {"add a tag", [](stage& s, unsigned) { s.alice.add(s.Blue); }},
    {"add a tag that nobody has", [](stage& s, unsigned) { s.dave.add(s.Kind); }},
    {"add a tag to a row among many", [](stage& s, unsigned) { s.bob.add(s.Green); }, 1, many_rows},
    {"add a trivial component", [](stage& s, unsigned) { s.eve.set(Place{5, 5}); }},
    {"add a component with a text",
     [](stage& s, unsigned) { s.bob.set(Title{"a text that is rather long"}); }},
    {"add an over-aligned component", [](stage& s, unsigned) { s.bob.set(Wide{4}); }},
    {"add a boxed component", [](stage& s, unsigned) { s.bob.set(Boxed{4}); }},
    {"emplace", [](stage& s, unsigned) { s.dave.emplace<Boxed>(12); }},
    {"ensure", [](stage& s, unsigned) { s.eve.ensure<Title>(); }},
    {"set again",
     [](stage& s, unsigned) { s.alice.set(Title{"another text that is rather long"}); }},
    {"set again a boxed one", [](stage& s, unsigned) { s.carol.set(Boxed{99}); }},
    {"remove a tag", [](stage& s, unsigned) { s.alice.remove<Npc>(); }},
    {"remove a component", [](stage& s, unsigned) { s.alice.remove<Title>(); }},
    {"remove a boxed component", [](stage& s, unsigned) { s.carol.remove<Boxed>(); }},
    {"remove all pairs of a relation",
     [](stage& s, unsigned) { s.alice.remove(s.Likes, kith::Wildcard); }},
    {"add a pair kept in tables", [](stage& s, unsigned) { s.dave.add(s.Likes, s.eve); }},
    {"add a pair of a new relation", [](stage& s, unsigned) { s.dave.add(s.Kind, s.eve); }},
    {"add a pair with a value",
     [](stage& s, unsigned) { s.bob.set<Amount>(s.carol, {"some more of those things"}); }},
    {"remove a pair kept in tables", [](stage& s, unsigned) { s.alice.remove(s.Likes, s.bob); }},
    {"remove a pair with a value", [](stage& s, unsigned) { s.dave.remove<Amount>(s.alice); }},
    {"add a DontFragment pair", [](stage& s, unsigned) { s.eve.add(s.Loose, s.carol); }},
    {"add a DontFragment pair to an entity that has some",
     [](stage& s, unsigned) { s.bob.add(s.Loose, s.carol); }},
    {"remove a DontFragment pair", [](stage& s, unsigned) { s.bob.remove(s.Loose, s.alice); }},
    {"add a Sparse pair", [](stage& s, unsigned) { s.dave.add(s.Sparse, s.alice); }},
    {"remove a Sparse pair", [](stage& s, unsigned) { s.eve.remove(s.Sparse, s.bob); }},
    {"add an Exclusive pair", [](stage& s, unsigned) { s.alice.add(s.Only, s.dave); }},
    {"add a Symmetric pair", [](stage& s, unsigned) { s.bob.add(s.Mutual, s.dave); }},
    {"remove a Symmetric pair", [](stage& s, unsigned) { s.alice.remove(s.Mutual, s.carol); }},
    {"add With", [](stage& s, unsigned) { s.bob.add(s.Blue); }},
    {"add a ninth target", [](stage& s, unsigned) { s.eve.add(s.Owns, s.carol); }, 1, many_targets},
    {"add to a table of many ids", [](stage& s, unsigned) { s.eve.add(s.Kind); }, 1, wide_entity},
    {"clear", [](stage& s, unsigned) { s.carol.clear(); }},
    {"clear of an instance", [](stage& s, unsigned) { s.w.lookup("instance").clear(); }, 1,
     instances},
    {"remove_all", [](stage& s, unsigned) { s.w.remove_all(s.Likes, kith::Wildcard); }},
    {"remove_all of a component", [](stage& s, unsigned) { s.w.remove_all<Place>(); }},
    {"delete_with", [](stage& s, unsigned) { s.w.delete_with(s.Red); }},
    {"disable an id", [](stage& s, unsigned) { s.alice.disable<Place>(); }},
    {"enable an id", [](stage& s, unsigned) { s.alice.enable<Place>(); }, 1,
     [](stage& s) { s.alice.disable<Place>(); }},
    {"disable a pair in a pool", [](stage& s, unsigned) { s.bob.disable(s.Loose, s.alice); }},
    {"add a tag where an id is off", [](stage& s, unsigned) { s.alice.add(s.Green); }, 1,
     [](stage& s) {
       s.alice.disable<Place>().disable(s.Likes, s.bob).disable(s.Only, s.bob);
       s.bob.disable(s.Loose, s.alice);
     }},
    {"destruct where an id is off", [](stage& s, unsigned) { s.alice.destruct(); }, 1,
     [](stage& s) { s.alice.disable<Place>().disable(s.Likes, s.bob); }},
    {"disable an entity", [](stage& s, unsigned) { s.alice.disable(); }},

    // --- what follows from ids
    {"is_a", [](stage& s, unsigned) { s.eve.is_a(s.base); }},
    {"is_a with overriding", [](stage& s, unsigned) { s.eve.is_a(s.base); }, 1,
     [](stage& s) { s.w.component<Mass>().add(kith::OnInstantiate, kith::Override); }},
    {"override by set", [](stage& s, unsigned) { s.derived.set(Mass{1}); }},
    {"add to a base", [](stage& s, unsigned) { s.base.add(s.Red); }},
    {"remove from a base", [](stage& s, unsigned) { s.base.remove<Mass>(); }},
    {"instantiate a prefab with a child", [](stage& s, unsigned) { s.eve.is_a(s.model); }},
    {"instantiate a prefab with slots", [](stage& s, unsigned) { s.eve.is_a(s.model); }, 1,
     model_with_slot},
    {"instantiate a second time", [](stage& s, unsigned) { s.eve.is_a(s.model); }, 1, instances},
    {"add a child", [](stage& s, unsigned) { s.eve.child_of(s.root); }},
    {"add a child to a parent without one", [](stage& s, unsigned) { s.eve.child_of(s.alice); }},
    {"move a child", [](stage& s, unsigned) { s.leaf.child_of(s.right); }},
    {"take a child out", [](stage& s, unsigned) { s.leaf.remove(kith::ChildOf, s.left); }},
    {"OrderedChildren", [](stage& s, unsigned) { s.left.add(kith::OrderedChildren); }},
    {"set_child_order",
     [](stage& s, unsigned) {
       const kith::entity order[] = {s.right, s.left};
       s.root.set_child_order(order);
     }},
    {"remove OrderedChildren", [](stage& s, unsigned) { s.root.remove(kith::OrderedChildren); }},
    {"destruct", [](stage& s, unsigned) { s.eve.destruct(); }},
    {"destruct a target", [](stage& s, unsigned) { s.bob.destruct(); }},
    {"destruct a relation", [](stage& s, unsigned) { s.Likes.destruct(); }},
    {"destruct a relation in pools", [](stage& s, unsigned) { s.Loose.destruct(); }},
    {"destruct a tag", [](stage& s, unsigned) { s.Red.destruct(); }},
    {"destruct a component",
     [](stage& s, unsigned) { s.w.component<Title>().destruct(); }},
    {"destruct a parent", [](stage& s, unsigned) { s.root.destruct(); }},
    {"destruct a prefab", [](stage& s, unsigned) { s.model.destruct(); }, 1, instances},
    {"destruct a base", [](stage& s, unsigned) { s.base.destruct(); }},
    {"late DontFragment", [](stage& s, unsigned) { s.Likes.add(kith::DontFragment); }},
    {"late Sparse", [](stage& s, unsigned) { s.Likes.add(kith::Sparse); }},
    {"late Sparse of a component",
     [](stage& s, unsigned) { s.w.component<Title>().add(kith::Sparse); }},
    {"late DontFragment of a boxed component",
     [](stage& s, unsigned) { s.w.component<Boxed>().add(kith::DontFragment); }},
    {"late Symmetric", [](stage& s, unsigned) { s.Owns.add(kith::Symmetric); }},
    {"late Exclusive", [](stage& s, unsigned) { s.Owns.add(kith::Exclusive); }},
    {"late Transitive", [](stage& s, unsigned) { s.Likes.add(kith::Transitive); }},
    {"late With", [](stage& s, unsigned) { s.Red.add(kith::With, s.Extra); }},
    {"late PairIsTag", [](stage& s, unsigned) { s.Kind.add(kith::PairIsTag); }},
    {"late Prefab", [](stage& s, unsigned) { s.base.add(kith::Prefab); }},
    {"trait that goes", [](stage& s, unsigned) { s.Loose.remove(kith::DontFragment); }},
    {"trait that goes, Transitive", [](stage& s, unsigned) { s.Leads.remove(kith::Transitive); }},
    {"OnDeleteTarget", [](stage& s, unsigned) { s.Likes.add(kith::OnDeleteTarget, kith::Delete); }},
    {"destruct by OnDeleteTarget", [](stage& s, unsigned) { s.carol.destruct(); }, 1,
     [](stage& s) { s.Likes.add(kith::OnDeleteTarget, kith::Delete); }},

    // --- names and texts
    {"set_name", [](stage& s, unsigned) { s.eve.set_name("a_very_long_new_name_for_an_entity"); }},
    {"set_name of a nameless one", [](stage& s, unsigned) { s.made[0].set_name("new_name"); }, 1,
     [](stage& s) { s.made.push_back(s.w.entity().child_of(s.root)); }},
    {"set_name takes it away", [](stage& s, unsigned) { s.eve.set_name(""); }},
    {"lookup",
     [](stage& s, unsigned) { answer_number(s, s.w.lookup("root::left::leaf").is_alive()); }},
    {"path", [](stage& s, unsigned) { answer_number(s, s.leaf.path().size()); }},
    {"define",
     [](stage& s, unsigned) {
       s.w.define(
           "Place(f1) {3, 4}\nLikes(f1, alice)\nLoose(f1, f2)\nTitle(f2) {\"a long text for a "
           "title\"}\nstruct Fact {f32 x, text name}\nFact(f2) {1, \"name of the long kind\"}\n"
           "ChildOf(f2, f1)\n!Likes(alice, bob)\nSymmetric(Near)\nMass(bob) {77}");
     }},
    {"define with an error",
     [](stage& s, unsigned) {
       const auto done = s.w.try_define(
           "Place(f1) {3, 4}\nLikes(f1, alice)\nTitle(alice) {\"a long text for a title\"}\n"
           "!Likes(alice, bob)\nTransitive(Near)\nPlace(f2) {\"no number\"}");
       s.answer = done ? "done" : "error";
     }},
    {"facts", [](stage& s, unsigned) { answer_number(s, s.w.facts().size()); }},

    // --- deferred
    {"defer adds",
     [](stage& s, unsigned parts) {
       s.w.defer([&] {
         if (parts & 1) s.eve.add(s.Red);
         if (parts & 2) s.eve.set(Title{"a text that waits for its time"});
         if (parts & 4) s.alice.add(s.Likes, s.dave);
         if (parts & 8) s.bob.set(Boxed{17});
       });
     }, 4},
    {"defer removes",
     [](stage& s, unsigned parts) {
       s.w.defer([&] {
         if (parts & 1) s.alice.remove<Title>();
         // Repeated after a failure, it may be gone already.
         if (parts & 2 && s.carol.is_alive()) s.carol.destruct();
         if (parts & 4) s.bob.clear();
         if (parts & 8) s.eve.set_name("a_very_long_new_name_for_an_entity");
       });
     }, 4},
    {"defer and leave by next",
     [](stage& s, unsigned parts) {
       s.w.query("Red").each([&](kith::entity e) {
         if (e == s.bob && (parts & 1)) e.add(s.Blue);
         if (e == s.dave && (parts & 2)) e.set(Title{"a text that waits for its time"});
       });
     }, 2},
    {"readonly stage",
     [](stage& s, unsigned parts) {
       s.w.readonly_begin();
       try {
         if (parts & 1) s.eve.add(s.Red);
         if (parts & 2) s.alice.set(Title{"a text that waits for its time"});
       } catch (const std::bad_alloc&) {
         s.w.readonly_end();
         throw;
       }
       s.w.readonly_end();
     }, 2},
    {"readonly stages of threads",
     [](stage& s, unsigned parts) {
       s.w.readonly_begin();
       bool failed = false;
       // std::thread allocates too: one that cannot start does nothing.
       for (unsigned part : {1u, 2u}) try {
           std::thread([&] {
             try {
               if (parts & part & 1) s.eve.add(s.Red);
               if (parts & part & 2) s.alice.set(Title{"a text that waits for its time"});
             } catch (const std::bad_alloc&) {
               failed = true;
             }
           }).join();
         } catch (const std::bad_alloc&) {
           failed = true;
         }
       s.w.readonly_end();
       if (failed) throw std::bad_alloc();
     }, 2},

    // --- types
    {"register a component", [](stage& s, unsigned) { s.w.component<Late>("Late"); }},
    {"register a component by use",
     [](stage& s, unsigned) { s.eve.set(Late{"a text that is rather long"}); }, 0},
    {"register a component of run time",
     [](stage& s, unsigned) { s.w.component({.name = "Late", .size = 8, .alignment = 8}); }},
    {"member", [](stage& s, unsigned) { s.w.component<Late>().member("text", &Late::text); }, 1,
     [](stage& s) { s.w.component<Late>("Late"); }},
    {"singleton", [](stage& s, unsigned) { s.w.set(Mass{3}); }},

    // --- asking
    {"targets and related",
     [](stage& s, unsigned) {
       answer_number(s, s.bob.related(s.Leads, s.dave) * 10 + s.bob.reached(s.Leads).size() +
                            s.derived.has<Mass>());
     }},
    {"reached_by and reaches",
     [](stage& s, unsigned) {
       answer_number(s, s.dave.reached_by(s.Leads).size() * 10 +
                            s.leaf.reaches(kith::ChildOf, s.root));
     }},
    {"world::each of an id",
     [](stage& s, unsigned) {
       std::size_t n = 0;
       s.w.each(s.Red, [&](kith::entity) { ++n; });
       answer_number(s, n);
     }},
    {"world::each with values",
     [](stage& s, unsigned) {
       float sum = 0;
       s.w.each([&](kith::entity, Place& p) { sum += p.x; });
       answer_number(s, static_cast<std::size_t>(sum));
     }},
    {"query plain", query_plain},
    {"query pair", query_pair},
    {"query join", query_join},
    {"query not", query_not},
    {"query optional", query_optional},
    {"query scope", query_scope, 1, [](stage& s) { s.alice.add(s.w.entity("R0")); }},
    {"query nested", query_nested},
    {"query closure", query_closure},
    {"query walk", query_walk},
    {"query inherited", query_inherited},
    {"query any", query_any},
    {"query compare", query_compare},
    {"query wildcards", query_wildcards},
    {"query typed each",
     [](stage& s, unsigned) {
       std::size_t n = 0;
       s.w.query<Place, const Mass>().each([&](Place&, const Mass&) { ++n; });
       answer_number(s, n);
     }},
    {"query sorted",
     [](stage& s, unsigned) {
       auto q = s.w.query_builder<Place>()
                    .order_by<Place>([](const Place& a, const Place& b) { return a.x < b.x; })
                    .build();
       s.answer.clear();
       for (int i = 0; i < 2; ++i)
         q.each([&](kith::entity e, Place&) { s.answer += e.name(); });
     }},
    {"query grouped",
     [](stage& s, unsigned) {
       auto q = s.w.query_builder<>().with(s.Likes, kith::Wildcard).group_by(s.Likes).build();
       std::size_t n = q.set_group(s.bob).count();
       answer_number(s, n * 100 + q.count());
     }},
    {"query with parameters",
     [](stage& s, unsigned) {
       auto q = s.w.query("(Likes, $x)");
       std::size_t n = 0;
       for (int i = 0; i < 3; ++i) n = n * 10 + q.set_var("x", s.carol).count();
       answer_number(s, n);
     }},
    {"query changed",
     [](stage& s, unsigned) {
       auto q = s.w.query("Place");
       std::size_t n = q.changed();
       q.count();
       n = n * 10 + q.changed();
       answer_number(s, n);
     }},
    {"query detects changes",
     [](stage& s, unsigned) {
       auto q = s.w.query_builder<Place>().detect_changes().build();
       std::size_t n = 0;
       for (int i = 0; i < 2; ++i)
         q.run([&](kith::iter& it) {
           while (it.next())
             for (auto row : it) n = n * 2 + it.changed(row);
         });
       answer_number(s, n);
     }},
    {"query that is kept, after a change",
     [](stage& s, unsigned) {
       std::size_t n = 0;
       for (const auto& q : s.queries) n = n * 3 + q.count();
       answer_number(s, n);
     }, 1,
     [](stage& s) {
       s.eve.set(Place{4, 4}).add(s.Likes, s.alice).add(s.Green);
       s.alice.remove(s.Likes, s.bob).remove<Npc>();
     }},
    {"query text and plan",
     [](stage& s, unsigned) {
       auto q = s.w.query("Place, ?{(Likes, $x), Red($x)}");
       answer_number(s, q.str().size() + 1000 * (q.plan().size() > 0));
     }},
    {"query with an error",
     [](stage& s, unsigned) {
       s.answer = s.w.try_query("Place, (Likes, $x), Nowhere") ? "made" : "error";
     }},
    {"iterate a query", [](stage& s, unsigned) { answer_rows(s, s.queries[4]); }},

    // --- worlds
    {"make and destroy a world",
     [](stage& s, unsigned) {
       kith::world other;
       other.entity("a");
       answer_number(s, other.entity_count());
     }},
    {"delete_empty_tables", [](stage& s, unsigned) { s.w.delete_empty_tables(); }, 1,
     [](stage& s) { s.dave.remove(s.Red).remove(s.Green).remove<Place>(); }},
};

}  // namespace

std::span<const operation> operations() { return all_operations; }

}  // namespace kith::test
