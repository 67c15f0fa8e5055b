// Prints entities and relations for Graphviz: `kith graph -w city.facts | dot -Tsvg`.
//
//   digraph kith {
//     "bob" [label="bob\nNpc"]              an entity and its tags
//     "bob" -> "alice" [label="Likes"]      a pair
//   }
//
// An entity that is only a component, tag or relation of others appears in their labels and has no
// node.
#include <unordered_set>
#include <vector>

#include "commands.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

// The nodes of a graph, each once, in the order of their first add().
class node_list {
 public:
  void add(entity e) {
    if (e && known_.insert(e.id()).second) list_.push_back(e);
  }
  bool has(entity e) const { return known_.contains(e.id()); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::vector<entity> list_;
  std::unordered_set<entity_t> known_;
};

// The entities in the results of a query.
node_list nodes_in(const query_view<>& q) {
  std::vector<int> variables;
  for (const std::string& name : q.vars()) variables.push_back(q.find_var(name));
  node_list nodes;
  for (iter& it : q) {
    for (std::size_t row : it) nodes.add(it.entity(row));
    for (int variable : variables) nodes.add(it.get_var(variable));
  }
  return nodes;
}

bool is_builtin(entity e, entity scope) { return e == scope || e.parent() == scope; }

// Whether `e` is a type, or other entities have it as a tag, component or relation.
bool is_word(world& in, entity e) {
  return e.has(Component) || in.count(e) > 0 || in.count(e, Wildcard) > 0;
}

// Whether a pair has `e` as its target, or `e` has a pair whose target is an entity of the user.
bool is_related(world& in, entity e, entity builtin_scope) {
  if (in.count(Wildcard, e) > 0) return true;
  bool found = false;
  e.each([&](id i) { found = found || (i.is_pair() && !is_builtin(i.second(), builtin_scope)); });
  return found;
}

// All entities of the user except the words. Computed once for each entity, because counting the
// entities that have an id takes time in proportion to their number.
node_list nodes_in(world& in) {
  const entity scope = in.entity(BuiltinScope);
  node_list nodes;
  // A query leaves out prefabs and disabled entities unless a term names these tags.
  in.filter("?Prefab, ?Disabled").each([&](entity e) {
    if (!is_builtin(e, scope) && (is_related(in, e, scope) || !is_word(in, e))) nodes.add(e);
  });
  return nodes;
}

class graph_printer {
 public:
  graph_printer(const node_list& nodes, output& out) : nodes_(nodes), out_(out) {}

  void print() {
    out_ << "digraph kith {\n  node [shape=box, style=rounded]\n";
    for (entity e : nodes_) print_node(e);
    for (entity e : nodes_) print_edges(e);
    out_ << "}\n";
  }

 private:
  bool is_edge(id i) const { return i.is_pair() && nodes_.has(i.second()); }

  void print_node(entity e) {
    std::string label = quoted(on_one_line(text_of(e)));
    label.pop_back();
    const char* before = "\\n";
    e.each([&](id i) {
      if (is_edge(i)) return;
      label += before;
      const std::string word = quoted(on_one_line(text_of(i)));
      label.append(word, 1, word.size() - 2);
      before = ", ";
    });
    out_ << "  " << node(e) << " [label=" << label << "\"]\n";
  }

  void print_edges(entity e) {
    e.each([&](id i) {
      if (!is_edge(i)) return;
      // A symmetric relation has two pairs and gets one edge.
      const bool is_symmetric = i.first().has(Symmetric);
      if (is_symmetric && i.second() < e) return;
      out_ << "  " << node(e) << " -> " << node(i.second())
           << " [label=" << quoted(on_one_line(text_of(i.first())))
           << (is_symmetric ? ", dir=none" : "")
           << (i.first() == ChildOf || i.first() == IsA ? ", style=dashed" : "") << "]\n";
    });
  }

  static std::string node(entity e) { return quoted(escaped(text_of(e))); }

  const node_list& nodes_;
  output& out_;
};

// The entities in the results of a question.
node_list nodes_in(world& in, const question& asked) {
  const query_view<> q = ask(in, asked);
  require_parameters(q, asked);
  return nodes_in(q);
}

}  // namespace

void print_graph(world& in, const question* asked, output& out) {
  graph_printer(asked ? nodes_in(in, *asked) : nodes_in(in), out).print();
}

}  // namespace kith::cli
