// A family tree: marriages go both ways, descent goes any number of generations.
// M13
#include <iostream>
#include <string_view>
#include <vector>

#include <kith/kith.hpp>

struct Born {
  int year;
};

namespace {

void print(std::string_view before, const std::vector<kith::entity>& people) {
  std::cout << before;
  for (std::size_t i = 0; i < people.size(); ++i) std::cout << (i ? ", " : "") << people[i];
  if (people.empty()) std::cout << "nobody";
  std::cout << "\n";
}

}  // namespace

int main() {
  kith::world world;

  // Traits define what the relations mean.
  const kith::entity Married = world.entity("Married").add(kith::Symmetric).add(kith::Exclusive);
  const kith::entity AncestorOf = world.entity("AncestorOf").add(kith::Transitive);
  // A parent is a kind of ancestor, and no person is an ancestor of itself.
  const kith::entity ParentOf = world.entity("ParentOf").is_a(AncestorOf).add(kith::Acyclic);

  const auto person = [&](const char* name, int year) {
    return world.entity(name).set(Born{year});
  };
  const kith::entity edith = person("Edith", 1931), walter = person("Walter", 1929);
  const kith::entity ruth = person("Ruth", 1955), paul = person("Paul", 1958);
  const kith::entity hans = person("Hans", 1954);
  const kith::entity mia = person("Mia", 1983), tom = person("Tom", 1986);
  const kith::entity lena = person("Lena", 2012);

  const auto have_child = [&](kith::entity a, kith::entity b, kith::entity child) {
    a.add(ParentOf, child);
    b.add(ParentOf, child);
  };
  edith.add(Married, walter);
  ruth.add(Married, hans);
  have_child(edith, walter, ruth);
  have_child(edith, walter, paul);
  have_child(ruth, hans, mia);
  have_child(ruth, hans, tom);
  mia.add(ParentOf, lena);

  std::cout << "Edith is married to " << edith.target(Married) << ", and Walter to "
            << walter.target(Married) << "\n";

  const auto children_of = [&](kith::entity who) {
    std::vector<kith::entity> children;
    for (const kith::entity child : who.targets(ParentOf)) children.push_back(child);
    return children;
  };
  print("Children of Ruth: ", children_of(ruth));

  std::cout << "\nDescendants of Edith, generation by generation:\n";
  for (const kith::entity who : edith.reached(ParentOf))
    std::cout << "  " << who << ", born " << who.get<Born>()->year << "\n";
  print("Ancestors of Lena: ", lena.reached_by(ParentOf));
  print("Ancestors of Hans: ", hans.reached_by(ParentOf));

  // `has` sees the pairs that were added; `related` also sees what follows from them.
  const auto yes = [](bool b) { return b ? "yes" : "no"; };
  std::cout << "\nWas it said that Edith is an ancestor of Lena? "
            << yes(edith.has(AncestorOf, lena)) << "\n";
  std::cout << "Is she? " << yes(edith.related(AncestorOf, lena)) << "\n";
  std::cout << "Is Paul? " << yes(paul.related(AncestorOf, lena)) << "\n";
  std::cout << "Is Edith a parent of Lena? " << yes(edith.related(ParentOf, lena)) << "\n";

  // A new marriage removes the old pairs of both persons and of their former partners.
  const kith::entity anna = person("Anna", 1960), vera = person("Vera", 1961);
  paul.add(Married, anna);
  paul.add(Married, vera);
  std::cout << "\nVera is married to " << vera.target(Married) << ". Is Anna still married? "
            << yes(anna.has(Married, kith::Wildcard)) << "\n";

  // A cycle of parents is an error.
  try {
    lena.add(ParentOf, edith);
  } catch (const kith::error& e) {
    std::cout << "\nNo: " << e.what() << "\n";
  }

  // Deleting a person removes all pairs with that person.
  mia.destruct();
  print("Without Mia, the ancestors of Lena: ", lena.reached_by(ParentOf));
  print("and the children of Ruth: ", children_of(ruth));
}
