#include "query/model/print.hpp"

#include <utility>

#include <kith/detail/error.hpp>

#include "query/model/words.hpp"

namespace kith::core {

namespace {

bool is_plain_this(const ref& r) {
  return r.is == ref::kind::variable && r.text == "this" && !r.parameter && r.lookup.empty();
}

class printer {
 public:
  explicit printer(const entity_namer& names) : names_(names) {}

  // Keeps open scopes in a vector instead of recursing, so that their depth is not limited.
  void print(const expression& e) {
    std::vector<level> levels{{&e}};
    while (!levels.empty()) {
      level& top = levels.back();
      const std::vector<chain>& chains = top.content->chains;
      if (top.chain == chains.size()) {
        levels.pop_back();
        if (!levels.empty()) out_ += '}';
        continue;
      }
      const std::vector<term>& alternatives = chains[top.chain].alternatives;
      if (top.alternative == alternatives.size()) {
        ++top.chain;
        top.alternative = 0;
        continue;
      }
      if (top.alternative > 0)
        out_ += " || ";
      else if (top.chain > 0)
        out_ += ", ";
      const term& t = alternatives[top.alternative++];
      print_head(t);
      if (t.is == term::kind::scope) levels.push_back({&t.scope});
    }
  }

  // Prints all of a predicate or equality; of a scope only its beginning.
  void print_head(const term& t) {
    print_access(t.rights);
    print_oper(t.op);
    switch (t.is) {
      case term::kind::scope:
        out_ += '{';
        break;
      case term::kind::equality:
        print_equality(t);
        break;
      case term::kind::predicate:
        print_predicate(t);
        break;
    }
  }

  void print(const ref& r) {
    switch (r.is) {
      case ref::kind::none:
        break;
      case ref::kind::entity:
        print(r.name);
        break;
      case ref::kind::variable:
        out_ += r.parameter ? '@' : '$';
        out_ += r.text;
        for (const std::string& child : r.lookup) {
          out_ += '.';
          out_ += is_word(child) ? child : quoted_text(child);
        }
        break;
      case ref::kind::wildcard:
        out_ += '*';
        break;
      case ref::kind::any:
        out_ += '_';
        break;
      case ref::kind::singleton:
        out_ += '$';
        break;
      case ref::kind::text:
        out_ += quoted_text(r.text);
        break;
    }
    print_suffix(r);
  }

  std::string take() { return std::move(out_); }

 private:
  struct level {
    const expression* content;
    std::size_t chain = 0;
    std::size_t alternative = 0;
  };

  void print_access(term::access rights) {
    switch (rights) {
      case term::access::normal:
        break;
      case term::access::in:
        out_ += "[in] ";
        break;
      case term::access::out:
        out_ += "[out] ";
        break;
      case term::access::inout:
        out_ += "[inout] ";
        break;
      case term::access::none:
        out_ += "[none] ";
        break;
      case term::access::filter:
        out_ += "[filter] ";
        break;
    }
  }

  void print_oper(term::oper op) {
    switch (op) {
      case term::oper::and_:
        break;
      case term::oper::not_:
        out_ += '!';
        break;
      case term::oper::optional:
        out_ += '?';
        break;
      case term::oper::and_from:
        out_ += "AND | ";
        break;
      case term::oper::or_from:
        out_ += "OR | ";
        break;
      case term::oper::not_from:
        out_ += "NOT | ";
        break;
    }
  }

  void print_equality(const term& t) {
    print(t.first);
    out_ += t.compare == term::comparison::equal       ? " == "
            : t.compare == term::comparison::different ? " != "
                                                       : " ~= ";
    if (t.second.is == ref::kind::entity) {
      out_ += written_path_beside_texts(path_of(t.second.name));
      print_suffix(t.second);
    } else {
      print(t.second);
    }
  }

  void print_predicate(const term& t) {
    const bool is_about_this = is_plain_this(t.source);
    const bool has_target = t.second.is != ref::kind::none;
    const bool has_source = t.source.is != ref::kind::none;
    if (has_target && (!has_source || (is_about_this && !t.source.flags))) {
      out_ += '(';
      print(t.first);
      out_ += ", ";
      print(t.second);
      out_ += ')';
      return;
    }
    print(t.first);
    if (!has_source) return;
    out_ += '(';
    if (is_about_this && t.source.flags)
      print(*t.source.flags);
    else
      print(t.source);
    if (has_target) {
      out_ += ", ";
      print(t.second);
    }
    out_ += ')';
  }

  std::string path_of(const entity_name& name) const {
    return name.entity ? names_.name_of(name.entity) : name.path;
  }

  void print(const entity_name& name) { out_ += written_path(path_of(name)); }

  void print_suffix(const ref& r) {
    if (!r.flags) return;
    out_ += '[';
    print(*r.flags);
    out_ += ']';
  }

  void print(const substitution& flags) {
    const std::size_t start = out_.size();
    const auto separate = [&] {
      if (out_.size() > start) out_ += '|';
    };
    if (flags.self) out_ += "self";
    if (flags.all) {
      separate();
      out_ += "all";
    }
    for (const walk& w : flags.walks) {
      separate();
      print(w);
    }
    if (flags.descending) {
      separate();
      out_ += "desc";
    }
  }

  void print(const walk& w) {
    out_ += w.cascade ? "cascade(" : w.direction == walk::way::up ? "up(" : "down(";
    print(w.relation);
    if (w.min > 1) out_ += concat(", ", std::to_string(w.min));
    if (w.min > 1 || w.max != walk::no_limit) out_ += concat(", ", std::to_string(w.max));
    out_ += ')';
  }

  const entity_namer& names_;
  std::string out_;
};

}  // namespace

std::string to_text(const expression& e, const entity_namer& names) {
  printer p(names);
  p.print(e);
  return p.take();
}

std::string to_text(const term& t, const entity_namer& names) {
  printer p(names);
  p.print_head(t);
  if (t.is == term::kind::scope) {
    p.print(t.scope);
    return p.take() + '}';
  }
  return p.take();
}

std::string to_text(const ref& r, const entity_namer& names) {
  printer p(names);
  p.print(r);
  return p.take();
}

}  // namespace kith::core
