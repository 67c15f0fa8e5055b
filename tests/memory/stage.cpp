#include "memory/stage.hpp"

#include <algorithm>
#include <sstream>

namespace kith::test {

namespace {

constexpr const char* query_texts[] = {
    "Place",
    "Place, Mass",
    "Place, !Npc",
    "Npc || Red",
    "?Title, Place",
    "(Likes, $x)",
    "(Likes, *)",
    "(Likes, bob)",
    "Likes($this, $x), Likes($x, $y)",
    "(Owns, $x), !Red($x)",
    "(Loose, _)",
    "(Sparse, $x)",
    "(Fragments, $x)",
    "(Only, $x)",
    "(Mutual, $x)",
    "(Near, leaf)",
    "(ChildOf, root)",
    "(ChildOf, $p), (ChildOf, $q)($p)",
    "Place[up ChildOf]",
    "(IsA, $b)",
    "Mass[up IsA]",
    "Leads($this, $x)",
    "(Rule, *)",
    "Red, Green",
    "Green",
    "Blue",
    "Extra",
    "Disabled",
    "Prefab",
    "Wide",
    "Boxed",
    "(Amount, *)",
    "Place, ?{(Likes, $x), Red($x)}",
    "Place, !{(Likes, $x), Red($x)}",
    "!Place, Npc",
};
constexpr std::size_t kept_queries[] = {0, 1, 2, 4, 5, 8, 9, 16, 18, 20, 21, 24, 25, 32};

constexpr const char* paths[] = {"alice",
                                 "bob",
                                 "carol",
                                 "dave",
                                 "eve",
                                 "root",
                                 "root::left",
                                 "leaf",
                                 "part",
                                 "model",
                                 "model::part",
                                 "root::right",
                                 "root::left::leaf",
                                 "new_name",
                                 "n1",
                                 "n1::n2",
                                 "n1::n2::a_rather_long_name_of_an_entity",
                                 "instance::part",
                                 "Late",
                                 "a_very_long_new_name_for_an_entity",
                                 "instance",
                                 "f1",
                                 "f2"};

// A number after '#' says nothing.
std::string without_numbers(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '#') continue;
    while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') ++i;
  }
  return out;
}

void append_sorted(std::string& text, std::string_view head, std::vector<std::string>& lines) {
  std::ranges::sort(lines);
  for (const std::string& line : lines) {
    text += head;
    text += line;
    text += '\n';
  }
  lines.clear();
}

std::string label(kith::entity e) {
  if (!e) return "-";
  return e.name().empty() ? "#" : e.path();
}

std::string values_of(kith::entity e) {
  std::ostringstream out;
  if (const auto* v = e.get<Place>()) out << " place " << v->x << "," << v->y;
  if (const auto* v = e.get<Mass>()) out << " mass " << v->kilograms;
  if (const auto* v = e.get<Title>()) out << " title " << v->text;
  if (const auto* v = e.get<Wide>()) out << " wide " << v->value;
  if (const auto* v = e.get<Boxed>()) out << " boxed " << v->number;
  e.match(e.world().pair(e.world().lookup("Amount"), kith::Wildcard), [&](kith::id id) {
    if (const auto* v = e.get<Amount>(id.second())) out << " amount " << v->text;
  });
  return out.str();
}

std::string ids_of(kith::entity e) {
  std::vector<std::string> ids;
  e.each([&](kith::id id) {
    ids.push_back(std::string(e.enabled(id) ? " " : " -") + without_numbers(id.str()));
  });
  std::ranges::sort(ids);
  std::string text;
  for (const std::string& id : ids) text += id;
  return text;
}

void append_rows(std::string& text, const std::string& head, const kith::query<>& q) {
  std::vector<std::string> rows;
  const std::vector<std::string> vars = q.vars();
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        std::string row = label(it.entity(i));
        for (const std::string& name : vars) row += " " + name + "=" + label(it.get_var(name));
        rows.push_back(std::move(row));
      }
  });
  append_sorted(text, head, rows);
}

}  // namespace

stage::stage() {
  w.component<Place>("Place").member("x", &Place::x).member("y", &Place::y);
  w.component<Mass>("Mass").member("kilograms", &Mass::kilograms);
  w.component<Title>("Title").member("text", &Title::text);
  w.component<Wide>("Wide");
  w.component<Boxed>("Boxed");
  w.component<Amount>("Amount");
  w.component<Npc>("Npc");
  // An operation that writes these allocates nothing.
  answer.reserve(4096);
  made.reserve(64);
  const auto make = [&](const char* path) { return w.entity(path); };
  Likes = make("Likes"), Owns = make("Owns"), Loose = make("Loose"), Sparse = make("Sparse");
  Fragments = make("Fragments"), Only = make("Only"), Mutual = make("Mutual");
  Near = make("Near"), Leads = make("Leads"), Kind = make("Kind"), Rule = make("Rule");
  Red = make("Red"), Green = make("Green"), Blue = make("Blue"), Extra = make("Extra");
  Loose.add(kith::DontFragment);
  Sparse.add(kith::Sparse);
  Only.add(kith::Exclusive);
  Mutual.add(kith::Symmetric);
  Leads.add(kith::Transitive);
  Blue.add(kith::With, Extra);
  alice = make("alice"), bob = make("bob"), carol = make("carol");
  dave = make("dave"), eve = make("eve");
  root = make("root"), left = make("root::left"), right = make("root::right");
  leaf = make("root::left::leaf");
  root.set(Place{1, 1}).add(kith::OrderedChildren);
  alice.set(Place{1, 2}).set(Title{"the first one of them all"}).add<Npc>();
  bob.set(Place{3, 4}).set(Mass{5}).add(Red);
  carol.set(Mass{6}).set(Wide{7}).set(Boxed{8}).add(Green);
  dave.set(Place{9, 9}).add(Red).add(Green);
  alice.add(Likes, bob).add(Likes, carol).add(Only, bob).add(Mutual, carol);
  bob.add(Likes, carol).add(Loose, alice).add(Sparse, carol).add(Leads, carol);
  carol.add(Leads, dave).add(Owns, alice).add(Near, leaf);
  dave.set<Amount>(alice, {"more than a few of them"}).add(Owns, bob).add(Loose, bob);
  eve.add(Sparse, bob).add(Fragments, alice).add(Only, alice);
  model = w.prefab("model").set(Mass{10}).set(Place{2, 2});
  part = w.prefab("model::part").set(Title{"a part that is copied"}).add(Red);
  base = make("base").set(Mass{20}).add(Green);
  derived = make("derived").is_a(base);
  for (std::size_t i : kept_queries) {
    queries.push_back(w.query(query_texts[i]));
    queries.back().count();
    queries.back().count();
  }
}

std::string text_of(stage& s) {
  std::string text = "answer " + s.answer + "\n";
  text += "entities " + std::to_string(s.w.entity_count()) + "\n";
  std::vector<std::string> lines;
  s.w.each([&](kith::entity e) {
    lines.push_back(label(e) + ":" + ids_of(e) + values_of(e) + " parent " + label(e.parent()));
  });
  append_sorted(text, "entity ", lines);
  if (s.root.is_alive())
    for (kith::entity child : s.root.children()) text += "child " + label(child) + "\n";
  if (s.bob.is_alive() && s.Leads.is_alive())
    for (kith::entity e : s.bob.reached(s.Leads)) lines.push_back(label(e));
  append_sorted(text, "reached ", lines);
  std::istringstream facts(s.w.facts());
  for (std::string line; std::getline(facts, line);)
    if (line.find('(') != line.npos || line.starts_with("struct"))
      lines.push_back(without_numbers(line));
  append_sorted(text, "fact ", lines);
  for (const char* path : paths)
    text += std::string("lookup ") + path + " " + label(s.w.lookup(path)) + "\n";
  for (std::size_t i = 0; i < std::size(query_texts); ++i) {
    // A name may be gone: then there is no such query.
    if (auto q = s.w.try_query({.expr = query_texts[i], .cache = kith::cache_kind::never}))
      append_rows(text, std::string("query ") + query_texts[i] + " ", q.value());
  }
  for (std::size_t i = 0; i < s.queries.size(); ++i) {
    try {
      append_rows(text, std::string("kept ") + query_texts[kept_queries[i]] + " ", s.queries[i]);
    } catch (const kith::error& e) {
      text += std::string("kept ") + query_texts[kept_queries[i]] + " " + e.what() + "\n";
    }
  }
  return text;
}

std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream a(expected), b(found);
  std::vector<std::string> left, right;
  for (std::string line; std::getline(a, line);) left.push_back(line);
  for (std::string line; std::getline(b, line);) right.push_back(line);
  for (const std::string& line : left)
    if (std::ranges::count(left, line) > std::ranges::count(right, line))
      return "missing '" + line + "'";
  for (const std::string& line : right)
    if (std::ranges::count(right, line) > std::ranges::count(left, line))
      return "too much '" + line + "'";
  return "another order";
}

}  // namespace kith::test
