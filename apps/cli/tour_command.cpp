// `kith tour` prints a small world and then queries with their results, each with an explanation.
#include <span>

#include "commands.hpp"
#include "results.hpp"
#include "text.hpp"
#include "tour_world.hpp"

namespace kith::cli {

namespace {

struct step {
  const char* title;
  const char* expression;
  const char* why;
  bool with_ids = false;
  std::vector<binding> values = {};
};

const step steps[] = {
    {"Who has a component?", "Position",
     "A name alone finds every entity that has it. Components have values, tags have none;\n"
     "queries find both in the same way."},
    {"Both, and not", "Position, !Station",
     "Terms are joined by commas, and all of them must hold. `!` asks that one does not."},
    {"A relation", "(DockedTo, Tycho)",
     "Entities are related by pairs: here all that have the pair (DockedTo, Tycho)."},
    {"Anything at all", "(*, Tycho)",
     "`*` stands for any id. The column 1 is the id that the first term matched: every pair\n"
     "with Tycho as its target.",
     true},
    {"A variable", "(DockedTo, $at), Runs($boss, $at)",
     "A variable is the same entity in every place, so it joins terms: where a ship is\n"
     "docked, and who runs that place."},
    {"A longer way", "(DockedTo, $at), (Captain, $who), Runs($boss, $at), Dislikes($who, $boss)",
     "Ships at a place whose boss their captain dislikes. Terms may come in any order; the\n"
     "query decides where to begin."},
    {"Maybe", "Ship, ?(DockedTo, $at), !{(Captain, $who), Wanted($who)}",
     "`?` makes a term optional: without a match its variable stays unset (-). The terms in\n"
     "braces belong together: no captain who is wanted."},
    {"Kinds", "Ship",
     "No entity has the tag Ship. But frigates and freighters are kinds of ship (IsA), so the\n"
     "query finds entities with one of these tags; column 1 shows which.",
     true},
    {"Inheritance", "Armed, (Captain, $who)",
     "The model of all frigates is Armed, and its instances share what it has. The model\n"
     "itself is a Prefab, which queries leave out."},
    {"Transitivity", "Station, (In, System)",
     "Tycho is in the Belt and the Belt is in the System. In is Transitive, so Tycho is in\n"
     "the System, too."},
    {"Looking up", "Room, Pressurised(self|up)",
     "Flags replace an entity by those that a relation leads to: rooms that are pressurised\n"
     "themselves or have a pressurised ancestor."},
    {"In order", "Room, ?Room(cascade)",
     "`cascade` sorts by depth: parents come before their children. Use it to compute\n"
     "positions or sums along a hierarchy."},
    {"A parameter",
     "DockedTo($ship, @place)",
     "@place gets its value when the query is run: -a place=Ceres on the command line.",
     false,
     {{"place", "Ceres"}}},
    {"Yes or no", "Likes(Holden, Fred), Likes(Fred, Holden)",
     "The query has no variables, so the answer is true or false; the exit status of\n"
     "`kith query` is then 0 or 1, for scripts."},
};

constexpr const char* planned =
    "(DockedTo, $at), (Captain, $who), Runs($boss, $at), Dislikes($who, $boss)";

constexpr const char* farewell = R"(What to try next:

  kith shell -w examples/worlds/station.facts      ask this world yourself
  kith query -w examples/worlds/packages.facts 'DependsOn($what, glibc)'
  kith graph -w examples/worlds/family.facts | dot -Tsvg > family.svg
  kith help
  docs/queries.md                                  the language, all of it
)";

// Prints the facts without the first line, which is for readers of the file.
void print_world(output& out) {
  const std::vector<std::string_view> lines = lines_of(tour_world);
  for (std::string_view line : std::span(lines).subspan(1)) {
    const std::string shown = line.empty() ? "" : "    " + std::string(line);
    out << (line.starts_with("//") ? out.dim(shown) : shown) << "\n";
  }
}

std::string shown_command(const step& s) {
  std::string command = "kith query";
  for (const binding& b : s.values) command += " -a " + b.variable + "=" + b.entity;
  return command + (s.with_ids ? " --ids '" : " '") + s.expression + "'";
}

void run(const step& s, std::size_t number, world& in, output& out) {
  out << out.bold(std::to_string(number) + ". " + s.title) << "\n\n$ " << shown_command(s)
      << "\n\n";
  write_results(ask(in, {s.expression, s.values}), s.with_ids, *make_table_writer(out, false));
  out << "\n" << s.why << "\n\n";
}

}  // namespace

void run_tour(output& out) {
  out << out.bold("A tour of kith") << "\n\n"
      << "A world is a set of facts: entities that have components, tags and relations to other\n"
         "entities. This is a small one, as a text:\n\n";
  print_world(out);
  out << "\nQueries find patterns in it. To run a command below, add\n"
         "`-w examples/worlds/station.facts`, the file of this world.\n\n";
  world station;
  station.define(tour_world);
  std::size_t number = 0;
  for (const step& s : steps) run(s, ++number, station, out);

  out << out.bold(std::to_string(++number) + ". The plan") << "\n\n$ kith explain '" << planned
      << "'\n\n";
  const query_view<> q = ask(station, {planned});
  q.count();
  print_plan(q, out);
  out << "\nRead the steps for the query of number 6 from top to bottom: `~` is the number of "
         "rows\n"
         "that a step was expected to give, `seen` the number that it gave. The first step is\n"
         "the one with the fewest rows.\n\n"
      << farewell;
}

}  // namespace kith::cli
