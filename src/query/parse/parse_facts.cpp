#include <utility>

#include "query/model/words.hpp"
#include "query/parse/cursor.hpp"
#include "query/parse/parse.hpp"
#include "query/parse/parse_value.hpp"

namespace kith::core {

namespace {

class facts_parser {
 public:
  facts_parser(std::string_view text, const std::function<bool(const statement&)>& take)
      : at_(text, true), take_(take) {}

  std::optional<error> parse() {
    if (parse_statements() || !at_.has_failed()) return {};
    return at_.error();
  }

 private:
  bool parse_statements() {
    for (;;) {
      skip_empty_lines();
      if (at_.is_end()) return true;
      do {
        skip_empty_lines();
        if (!parse_statement()) return false;
      } while (at_.accept(","));
      const bool is_ended = is_new_line() || at_.is_end() || at_.accept(";");
      if (!is_ended) return fail_after_statement();
    }
  }

  bool is_new_line() const { return at_.now().is == token::kind::new_line; }

  void skip_empty_lines() {
    while (is_new_line()) at_.step();
  }

  bool parse_statement() {
    const token first = at_.now();
    if (at_.is_word("struct") && at_.ahead().is == token::kind::name) {
      struct_definition definition;
      if (!parse_struct(definition)) return false;
      definition.at = at_.range_from(first);
      return take_(std::move(definition));
    }
    fact f;
    if (!parse_fact(f)) return false;
    f.at = at_.range_from(first);
    return take_(std::move(f));
  }

  bool fail_after_statement() {
    return is_query_sign()
               ? fail_query_sign()
               : at_.fail_expected("',', ';' or the end of the line",
                                   at_.is_sign("{") ? "a value follows P(s) or R(s, t)" : "");
  }

  // --- facts ---

  bool parse_fact(fact& f) {
    f.removed = at_.accept("!");
    if (at_.is_sign("("))
      return at_.fail(at_.now().at, "a fact is about an entity", "write R(s, t)");
    if (!parse_name(f.removed ? f.predicate : f.source, f.removed ? "a fact" : "a statement"))
      return false;
    if (!at_.is_sign("(")) {
      if (!f.removed) return true;
      return fail_expected("'('", "only a fact can be removed: !P(s)");
    }
    if (!f.removed) f.predicate = std::exchange(f.source, ref{});
    if (!parse_arguments(f)) return false;
    if (!at_.is_sign("{")) return true;
    if (f.removed) return at_.fail(at_.now().at, "a fact that is removed has no value");
    return parse_value(at_, f.value.emplace());
  }

  bool parse_arguments(fact& f) {
    const text_range open = at_.now().at;
    at_.set_lines_count(false);
    at_.step();
    if (!parse_source(f.source)) return false;
    if (at_.accept(",")) {
      if (!parse_name(f.target, "a name")) return false;
      if (!at_.is_sign(")")) return fail_expected("')'", not_closed("(", open));
    } else if (!at_.is_sign(")")) {
      return fail_expected("',' or ')'", not_closed("(", open));
    }
    at_.set_lines_count(true);
    at_.step();
    return true;
  }

  bool parse_source(ref& out) {
    if (at_.now().is == token::kind::dollar) {
      out.is = ref::kind::singleton;
      out.at = at_.now().at;
      at_.step();
      return true;
    }
    if (at_.is_plain_word() && is_flag_word(at_.now().text))
      return at_.fail(at_.now().at,
                      concat("a fact has no flags, and here '", at_.now().text, "' is one"),
                      "put quotes around an entity of that name");
    return parse_name(out, "a name");
  }

  bool parse_name(ref& out, std::string_view what) {
    switch (at_.now().is) {
      case token::kind::variable:
      case token::kind::parameter:
        return at_.fail(at_.now().at, "a fact has no variables");
      case token::kind::dollar:
        return at_.fail(at_.now().at, "'$' can stand only for a source, as in Game($)");
      default:
        break;
    }
    if (at_.is_sign("*") || at_.is_word("_"))
      return at_.fail(at_.now().at, "a fact has no wildcards");
    if (is_query_sign()) return fail_query_sign();
    out.is = ref::kind::entity;
    out.at = at_.now().at;
    return at_.take_entity(out.name, what);
  }

  // --- structs ---

  bool parse_struct(struct_definition& definition) {
    at_.step();
    if (!at_.take_entity(definition.name, "a name")) return false;
    if (!at_.is_sign("{")) return at_.fail_expected("'{'");
    const text_range open = at_.now().at;
    at_.set_lines_count(false);
    at_.step();
    if (!at_.is_sign("}")) {
      do {
        if (!parse_struct_member(definition.members.emplace_back())) return false;
      } while (at_.accept(","));
    }
    if (!at_.is_sign("}")) return at_.fail_expected("',' or '}'", not_closed("{", open));
    at_.set_lines_count(true);
    at_.step();
    return true;
  }

  bool parse_struct_member(struct_definition::member& m) {
    const token first = at_.now();
    entity_name type;
    if (!at_.take_entity(type, "the type of a member") ||
        !at_.take_plain_name(m.name, "the name of a member"))
      return false;
    m.type = std::move(type.path);
    m.at = at_.range_from(first);
    return true;
  }

  // --- what only queries have ---

  bool is_query_sign() const { return is_flag_sign() || is_operator(); }
  bool is_flag_sign() const { return at_.is_sign("[") || at_.is_sign("|") || at_.is_sign(":"); }
  bool is_operator() const {
    for (std::string_view sign : {"?", "||", "==", "!=", "~="})
      if (at_.is_sign(sign)) return true;
    return false;
  }

  bool fail_query_sign() {
    return at_.fail(at_.now().at,
                    is_flag_sign() ? "a fact has no flags" : "a fact has no operator but '!'");
  }

  bool fail_expected(std::string_view what, std::string_view hint) {
    return is_query_sign() ? fail_query_sign() : at_.fail_expected(what, hint);
  }

  cursor at_;
  const std::function<bool(const statement&)>& take_;
};

}  // namespace

std::optional<error> parse_facts(std::string_view text,
                                 const std::function<bool(const statement&)>& take) {
  return facts_parser(text, take).parse();
}

result<std::vector<statement>> parse_facts(std::string_view text) {
  std::vector<statement> statements;
  const auto wrong = parse_facts(text, [&](const statement& s) {
    statements.push_back(s);
    return true;
  });
  if (wrong) return *wrong;
  return statements;
}

}  // namespace kith::core
