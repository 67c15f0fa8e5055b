#include "oracle/query_writer.hpp"

#include <algorithm>
#include <cctype>

namespace kith_oracle {

namespace model = kith::core;

namespace {

using model::ref;
using model::term;

class writer {
 public:
  explicit writer(dice* random) : random_(random) {}

  std::string text(const model::expression& e) {
    std::string out;
    for (const model::chain& c : e.chains) {
      if (&c != &e.chains.front()) out += pick({", ", ",", " , ", ",\n", ", // and\n"});
      for (const term& t : c.alternatives) {
        if (&t != &c.alternatives.front()) out += pick({" || ", "||"});
        out += text(t);
      }
    }
    return out;
  }

 private:
  // Without dice the first spelling.
  std::string pick(const std::vector<std::string>& spellings) {
    if (!random_ || random_->chance(50)) return spellings.front();
    return random_->one_of(spellings);
  }
  bool maybe(int percent) { return random_ && random_->chance(percent); }

  std::string keyword(std::string word) {
    if (maybe(10))
      for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return word;
  }

  std::string name(const model::entity_name& n) {
    if (!maybe(20)) return n.path;
    std::string path;
    for (char c : n.path) path += c == '.' ? std::string("::") : std::string(1, c);
    return path;
  }

  std::string text(const model::walk& w, bool bare_cascade) {
    const std::string relation = w.relation.path;
    const bool up = w.direction == model::walk::way::up;
    const bool unlimited = w.min == 1 && w.max == model::walk::no_limit;
    const bool with_cascade = w.cascade && !bare_cascade;
    std::string reach = "(" + name(w.relation);
    if (w.min != 1) reach += ", " + std::to_string(w.min);
    if (w.max != model::walk::no_limit) reach += ", " + std::to_string(w.max);
    reach += ")";
    if (unlimited && maybe(20)) reach = " " + name(w.relation);
    if (unlimited && relation == "ChildOf" && maybe(50) && !with_cascade)
      return keyword(up ? pick({"up", "parent"}) : "down");
    if (unlimited && relation == "IsA" && maybe(50) && !with_cascade)
      return keyword(up ? pick({"super", "superset"}) : pick({"sub", "subset"}));
    if (with_cascade) return keyword("cascade") + reach;
    return keyword(up ? pick({"up", "super", "superset"}) : pick({"down", "sub", "subset"})) +
           reach;
  }

  std::string text(const model::substitution& s) {
    // A bare `cascade` belongs to the first walk that goes up.
    const auto first_up = std::find_if(s.walks.begin(), s.walks.end(), [](const model::walk& w) {
      return w.direction == model::walk::way::up;
    });
    const bool bare = first_up != s.walks.end() && first_up->cascade && maybe(50);
    std::vector<std::string> words;
    if (s.self) words.push_back(keyword("self"));
    if (s.all) words.push_back(keyword("all"));
    if (bare) words.push_back(keyword("cascade"));
    if (s.descending) words.push_back(keyword("desc"));
    // Walks keep their order; other flags may come anywhere between them.
    std::vector<std::string> walks;
    for (const model::walk& w : s.walks) walks.push_back(text(w, bare));
    for (const std::string& w : walks) words.push_back(w);
    if (maybe(30)) {
      words.resize(words.size() - walks.size());
      words.insert(words.begin(), walks.begin(), walks.end());
    }
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : "|") + w;
    return out;
  }

  std::string suffix(const ref& r, bool in_brackets = false) {
    if (!r.flags) return "";
    const std::string inside = text(*r.flags);
    const std::string open = in_brackets ? "[" : pick({"[", "|", ":"});
    return open + inside + (open == "[" ? "]" : "");
  }

  std::string plain(const ref& r) {
    switch (r.is) {
      case ref::kind::none:
        return "";
      case ref::kind::entity:
        return name(r.name);
      case ref::kind::variable: {
        std::string out = r.parameter ? "@" : "$";
        if (r.text == "this" && r.lookup.empty()) return pick({"$this", "This", "$This"});
        out += r.text;
        for (const std::string& child : r.lookup) out += "." + child;
        return out;
      }
      case ref::kind::wildcard:
        return "*";
      case ref::kind::any:
        return "_";
      case ref::kind::singleton:
        return "$";
      case ref::kind::text:
        return "\"" + r.text + "\"";
    }
    return "";
  }

  std::string text(const ref& r) { return plain(r) + suffix(r); }

  static bool is_this(const ref& r) {
    return r.is == ref::kind::variable && r.text == "this" && r.lookup.empty();
  }

  std::string predicate(const term& t) {
    const bool pair = t.second.is != ref::kind::none;
    if (pair && is_this(t.source) && !t.source.flags && !maybe(30))
      return "(" + text(t.first) + pick({", ", ","}) + text(t.second) + ")";
    if (t.source.is == ref::kind::none) return text(t.first);
    // `P|up(x)` would be read as a walk along x.
    std::string out = plain(t.first) + suffix(t.first, true);
    out += pick({"(", " ("});
    // In the place of a source flags alone mean $this.
    if (is_this(t.source) && t.source.flags && !maybe(30))
      out += text(*t.source.flags);
    else
      out += text(t.source);
    if (pair) out += ", " + text(t.second);
    return out + ")";
  }

  std::string text(const term& t) {
    static const std::vector<std::string> access{"",         "[in] ",   "[out] ",
                                                 "[inout] ", "[none] ", "[filter] "};
    std::string out = access[static_cast<std::size_t>(t.rights)];
    switch (t.op) {
      case term::oper::and_:
        break;
      case term::oper::not_:
        out += pick({"!", "! "});
        break;
      case term::oper::optional:
        out += pick({"?", "? "});
        break;
      case term::oper::and_from:
        out += pick({"AND | ", "and|", "And| "});
        break;
      case term::oper::or_from:
        out += pick({"OR | ", "or|"});
        break;
      case term::oper::not_from:
        out += pick({"NOT | ", "not|"});
        break;
    }
    if (t.is == term::kind::scope) return out + pick({"{", "{ "}) + text(t.scope) + "}";
    if (t.is == term::kind::predicate) return out + predicate(t);
    const std::string sign = t.compare == term::comparison::equal       ? "=="
                             : t.compare == term::comparison::different ? "!="
                                                                        : "~=";
    return out + text(t.first) + pick({" " + sign + " ", sign}) + text(t.second);
  }

  dice* random_;
};

}  // namespace

std::string written(const model::expression& e) { return writer(nullptr).text(e); }

std::string written(const model::expression& e, dice& random) { return writer(&random).text(e); }

}  // namespace kith_oracle
