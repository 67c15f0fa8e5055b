// Entities and relations for Graphviz: `kith graph -w city.facts | dot -Tsvg`.
//
//   digraph kith {
//     "bob" [label="bob\nNpc"]              an entity and its tags
//     "bob" -> "alice" [label="Likes"]      a pair
//   }
//
// What serves only as a component, tag or relation of others is a word on them and no node of its own.
#include <optional>
#include <unordered_set>

#include "commands.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

// The entities in the results of a query.
class chosen_entities {
 public:
  explicit chosen_entities(const query_view<>& q) {
    std::vector<int> variables;
    for (const std::string& name : q.vars()) variables.push_back(q.find_var(name));
    for (iter& it : q) {
      for (std::size_t row : it) add(it.entity(row));
      for (int variable : variables) add(it.get_var(variable));
    }
  }

  bool has(entity e) const { return known_.contains(e.id()); }
  const std::vector<entity>& in_order() const { return list_; }

 private:
  void add(entity e) {
    if (e && known_.insert(e.id()).second) list_.push_back(e);
  }

  std::vector<entity> list_;
  std::unordered_set<entity_t> known_;
};

class graph_printer {
 public:
  graph_printer(world& in, const chosen_entities* chosen, output& out)
      : world_(in), builtin_(in.entity(BuiltinScope)), chosen_(chosen), out_(out) {}

  void print() {
    out_ << "digraph kith {\n  node [shape=box, style=rounded]\n";
    each_node([&](entity e) { print_node(e); });
    each_node([&](entity e) { print_edges(e); });
    out_ << "}\n";
  }

 private:
  template <class Visit>
  void each_node(Visit visit) {
    if (chosen_) {
      for (entity e : chosen_->in_order()) visit(e);
      return;
    }
    // Optional terms name what a query leaves out otherwise.
    world_.filter("?Prefab, ?Disabled").each([&](entity e) {
      if (is_node(e)) visit(e);
    });
  }

  bool is_node(entity e) const {
    if (chosen_) return chosen_->has(e);
    if (is_builtin(e)) return false;
    return is_related(e) || !is_word(e);
  }

  bool is_builtin(entity e) const { return e == builtin_ || e.parent() == builtin_; }

  // Others have it as a tag, component or relation, or it is a type.
  bool is_word(entity e) const {
    return e.has(Component) || world_.count(e) > 0 || world_.count(e, Wildcard) > 0;
  }

  // Some relation leads to it, or from it to an entity of the user.
  bool is_related(entity e) const {
    if (world_.count(Wildcard, e) > 0) return true;
    bool found = false;
    e.each([&](id i) { found = found || (i.is_pair() && !is_builtin(i.second())); });
    return found;
  }

  void print_node(entity e) {
    std::string label = quoted(text_of(e));
    label.pop_back();
    const char* before = "\\n";
    e.each([&](id i) {
      if (i.is_pair() && is_node(i.second())) return;
      label += before;
      const std::string word = quoted(text_of(i));
      label.append(word, 1, word.size() - 2);
      before = ", ";
    });
    out_ << "  " << quoted(text_of(e)) << " [label=" << label << "\"]\n";
  }

  void print_edges(entity e) {
    e.each([&](id i) {
      if (!i.is_pair() || !is_node(i.second())) return;
      // The two pairs of a symmetric relation are one line.
      const bool is_symmetric = i.first().has(Symmetric);
      if (is_symmetric && i.second() < e) return;
      out_ << "  " << quoted(text_of(e)) << " -> " << quoted(text_of(i.second()))
           << " [label=" << quoted(text_of(i.first())) << (is_symmetric ? ", dir=none" : "")
           << (i.first() == ChildOf || i.first() == IsA ? ", style=dashed" : "") << "]\n";
    });
  }

  world& world_;
  entity builtin_;
  const chosen_entities* chosen_;  // null: all
  output& out_;
};

}  // namespace

void print_graph(world& in, const question* asked, output& out) {
  std::optional<chosen_entities> chosen;
  if (asked) {
    const query_view<> q = ask(in, *asked);
    require_parameters(q, *asked);
    chosen.emplace(q);
  }
  graph_printer(in, chosen ? &*chosen : nullptr, out).print();
}

}  // namespace kith::cli
