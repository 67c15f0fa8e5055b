#include "query/parse/parse_value.hpp"

#include <utility>
#include <vector>

namespace kith::core {

namespace {

// Keeps open lists in a vector instead of recursing, so that a text cannot exhaust the stack.
class value_parser {
 public:
  value_parser(cursor& at, value_text& out) : at_(at) { open_list(out); }

  bool parse() {
    while (!open_.empty()) {
      if (!parse_member()) return false;
      while (!open_.empty() && at_.is_sign("}")) close_list();
      if (open_.empty() || is_at_start()) continue;
      if (!at_.accept(","))
        return at_.fail_expected("',' or '}'", not_closed("{", open_.back().list->at));
    }
    return true;
  }

 private:
  // The pointers stay valid: a list gets no further member while a list inside it is open.
  struct level {
    value_text* list;
    std::size_t start;  // in characters
    // The member that contains the list; null for the outermost list.
    value_text::member* member;
    std::size_t member_start;
  };

  void open_list(value_text& list, value_text::member* member = nullptr,
                 std::size_t member_start = 0) {
    list.is = value_text::kind::list;
    list.at = at_.now().at;
    open_.push_back({&list, at_.now().start, member, member_start});
    at_.set_lines_count(false);
    at_.step();
  }

  void close_list() {
    const level closed = open_.back();
    open_.pop_back();
    at_.set_lines_count(open_.empty());
    at_.step();
    closed.list->at = at_.range_from(closed.start, closed.list->at);
    if (closed.member) closed.member->at = at_.range_from(closed.member_start, closed.member->at);
  }

  // Just after a `{`.
  bool is_at_start() const { return open_.back().list->members.empty(); }

  bool parse_member() {
    if (is_at_start() && at_.is_sign("}")) return true;
    value_text::member& m = open_.back().list->members.emplace_back();
    const std::size_t start = at_.now().start;
    m.at = at_.now().at;
    if ((at_.is_plain_word() || at_.now().is_quoted) && is_colon(at_.ahead())) {
      if (!at_.take_plain_name(m.name, "the name of a member") || !at_.expect(":")) return false;
    }
    if (at_.is_sign("{")) {
      open_list(m.value, &m, start);
      return true;
    }
    if (!parse_plain_value(m.value)) return false;
    m.at = at_.range_from(start, m.at);
    return true;
  }

  static bool is_colon(const token& t) { return t.is == token::kind::sign && t.text == ":"; }

  bool parse_plain_value(value_text& out) {
    at_.read_as_value();
    const token& now = at_.now();
    out.at = now.at;
    if (now.is == token::kind::number) {
      out.is = value_text::kind::number;
      out.text = now.text;
      at_.step();
      return true;
    }
    if (now.is_quoted) {
      out.is = value_text::kind::text;
      out.text = now.path.names.front();
      at_.step();
      return true;
    }
    out.is = value_text::kind::name;
    entity_name name;
    if (!at_.take_entity(name, "a value")) return false;
    out.text = std::move(name.path);
    return true;
  }

  cursor& at_;
  std::vector<level> open_;
};

}  // namespace

bool parse_value(cursor& at, value_text& out) { return value_parser(at, out).parse(); }

}  // namespace kith::core
