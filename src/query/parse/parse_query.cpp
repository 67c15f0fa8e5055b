#include <array>
#include <utility>

#include "base/spelling.hpp"
#include "query/model/words.hpp"
#include "query/parse/cursor.hpp"
#include "query/parse/parse.hpp"
#include "query/parse/parse_ref.hpp"

namespace kith::core {

namespace {

// Keeps open scopes in a vector instead of recursing, so that a text cannot exhaust the stack.
class query_parser {
 public:
  query_parser(std::string_view text, bool one_chain) : at_(text, false), one_chain_(one_chain) {}

  result<std::vector<chain>> parse() {
    if (!parse_terms()) return at_.error();
    return std::move(levels_.front().chains);
  }

 private:
  // The part of a term before its content: `[in]`, `!`, `?`, `AND |`.
  struct prefix {
    term::access rights = term::access::normal;
    term::oper op = term::oper::and_;
    std::size_t start = 0;
    text_range at;
  };
  // A scope that is still open; the first one is the query itself.
  struct level {
    std::vector<chain> chains;
    prefix before;
    text_range brace;
  };

  bool parse_terms() {
    levels_.emplace_back();
    bool starts_chain = true;
    for (;;) {
      if (starts_chain) levels_.back().chains.emplace_back();
      prefix before;
      if (!parse_prefix(before)) return false;
      if (at_.is_sign("{")) {
        levels_.emplace_back();
        levels_.back().before = before;
        levels_.back().brace = at_.now().at;
        at_.step();
        starts_chain = true;
        continue;
      }
      term t = term_with(before);
      if (!parse_simple_term(t)) return false;
      add(std::move(t), before);
      while (levels_.size() > 1 && at_.is_sign("}")) close_scope();
      if (levels_.size() == 1 && at_.is_end()) return true;
      starts_chain = !at_.accept("||");
      if (starts_chain && !accept_comma()) return fail_after_term();
    }
  }

  bool accept_comma() {
    const bool may_follow = levels_.size() > 1 || !one_chain_;
    return may_follow && at_.accept(",");
  }

  static term term_with(const prefix& before) {
    term t;
    t.op = before.op;
    t.rights = before.rights;
    return t;
  }

  void add(term t, const prefix& before) {
    t.at = at_.range_from(before.start, before.at);
    levels_.back().chains.back().alternatives.push_back(std::move(t));
  }

  void close_scope() {
    at_.step();
    level closed = std::move(levels_.back());
    levels_.pop_back();
    term t = term_with(closed.before);
    t.is = term::kind::scope;
    t.scope.chains = std::move(closed.chains);
    add(std::move(t), closed.before);
  }

  bool fail_after_term() {
    if (levels_.size() > 1)
      return at_.fail_expected("',', '||' or '}'", not_closed("{", levels_.back().brace));
    return at_.fail_expected(
        one_chain_ ? "'||' or the end of the text" : "',', '||' or the end of the text",
        hint_about_words());
  }

  // Hints for operators of other languages.
  std::string_view hint_about_words() const {
    if (at_.is_word("and")) return "terms that must all hold are written A, B";
    if (at_.is_word("or")) return "alternatives are written A || B";
    const term& before = levels_.back().chains.back().alternatives.back();
    const bool is_not = is_keyword(before.first.name.path, "not") &&
                        before.source.is == ref::kind::none && before.second.is == ref::kind::none;
    return is_not ? "what must not hold is written !A" : "";
  }

  // --- prefixes of terms ---

  bool parse_prefix(prefix& out) {
    out.start = at_.now().start;
    out.at = at_.now().at;
    return parse_access(out.rights) && parse_oper(out.op);
  }

  bool parse_access(term::access& out) {
    using word = std::pair<std::string_view, term::access>;
    if (!at_.accept("[")) return true;
    for (const auto& [name, rights] :
         {word{"in", term::access::in}, word{"out", term::access::out},
          word{"inout", term::access::inout}, word{"none", term::access::none},
          word{"filter", term::access::filter}}) {
      if (!at_.is_word(name)) continue;
      out = rights;
      at_.step();
      return at_.expect("]");
    }
    if (at_.now().is != token::kind::name) return at_.fail_expected("an access");
    constexpr std::array<std::string_view, 5> words = {"in", "out", "inout", "none", "filter"};
    return at_.fail(
        at_.now().at, concat("unknown access ", in_apostrophes(at_.now().text)),
        did_you_mean(nearest_word(at_.now().text, words), "access: in out inout none filter"));
  }

  bool parse_oper(term::oper& out) {
    using word = std::pair<std::string_view, term::oper>;
    if (at_.accept("!")) {
      out = term::oper::not_;
    } else if (at_.accept("?")) {
      out = term::oper::optional;
    } else {
      for (const auto& [name, op] :
           {word{"and", term::oper::and_from}, word{"or", term::oper::or_from},
            word{"not", term::oper::not_from}}) {
        if (!at_.is_word(name) || !is_bar(at_.ahead())) continue;
        out = op;
        at_.step();
        at_.step();
        break;
      }
    }
    if (out != term::oper::and_ && (at_.is_sign("!") || at_.is_sign("?")))
      return at_.fail(at_.now().at, "a term has only one operator",
                      "a scope can have another: !{!A}");
    return true;
  }

  static bool is_bar(const token& t) { return t.is == token::kind::sign && t.text == "|"; }

  // --- predicates and equalities ---

  bool parse_simple_term(term& t) {
    if (at_.accept("(")) return parse_pair(t);
    if (!starts_ref()) return at_.fail_expected("a term");
    if (!parse_ref(at_, ref_place::predicate, t.first)) return false;
    if (at_.is_sign("==") || at_.is_sign("!=") || at_.is_sign("~=")) return parse_equality(t);
    return !at_.accept("(") || parse_arguments(t);
  }

  bool starts_ref() const {
    switch (at_.now().is) {
      case token::kind::name:
      case token::kind::variable:
      case token::kind::parameter:
      case token::kind::dollar:
        return true;
      default:
        return at_.is_sign("*");
    }
  }

  // After `(`.
  bool parse_pair(term& t) {
    t.source.is = ref::kind::variable;
    t.source.text = "this";
    return parse_ref(at_, ref_place::predicate, t.first) && at_.expect(",") &&
           parse_ref(at_, ref_place::target, t.second) && at_.expect(")");
  }

  // After `P(`.
  bool parse_arguments(term& t) {
    if (!parse_ref(at_, ref_place::source, t.source)) return false;
    if (at_.accept(")")) return true;
    if (!at_.accept(",")) return at_.fail_expected("',' or ')'");
    return parse_ref(at_, ref_place::target, t.second) && at_.expect(")");
  }

  bool parse_equality(term& t) {
    t.is = term::kind::equality;
    t.compare = at_.is_sign("==")   ? term::comparison::equal
                : at_.is_sign("!=") ? term::comparison::different
                                    : term::comparison::contains;
    at_.step();
    if (t.compare == term::comparison::contains && !at_.now().is_quoted)
      return at_.fail_expected("a text in quotes");
    return parse_ref(at_, ref_place::right, t.second);
  }

  cursor at_;
  bool one_chain_;
  std::vector<level> levels_;
};

}  // namespace

result<expression> parse_query(std::string_view text) {
  auto chains = query_parser(text, false).parse();
  if (!chains) return chains.error();
  return expression(std::move(*chains));
}

result<chain> parse_chain(std::string_view text) {
  auto chains = query_parser(text, true).parse();
  if (!chains) return chains.error();
  return std::move(chains->front());
}

}  // namespace kith::core
