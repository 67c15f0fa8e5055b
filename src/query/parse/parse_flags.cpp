#include <charconv>
#include <optional>
#include <utility>

#include <kith/detail/builtins.hpp>

#include "query/model/words.hpp"
#include "query/parse/parse_ref.hpp"

namespace kith::core {

namespace {

bool is_access_word(const cursor& at) {
  for (std::string_view word : {"in", "out", "inout", "none", "filter"})
    if (at.is_word(word)) return true;
  return false;
}

class flags_parser {
 public:
  flags_parser(cursor& at, substitution& out, std::string_view hint)
      : at_(at), out_(out), hint_(hint) {}

  bool parse() {
    const token first = at_.now();
    do {
      if (!parse_flag()) return false;
    } while (at_.accept("|"));
    out_.at = at_.range_from(first);
    return settle();
  }

 private:
  bool parse_flag() {
    if (!at_.is_plain_word()) return at_.fail_expected("a flag");
    if (at_.is_word("self")) return mark(out_.self);
    if (at_.is_word("all")) return mark(out_.all, &all_at_);
    if (at_.is_word("desc")) return mark(out_.descending, &descending_at_);
    if (at_.is_word("parent")) {
      add_walk(walk::way::up, child_of());
      at_.step();
      return true;
    }
    if (at_.is_word("cascade")) return parse_cascade();
    if (at_.is_word("up")) return parse_walk(walk::way::up, child_of());
    if (at_.is_word("down")) return parse_walk(walk::way::down, child_of());
    if (at_.is_word("super") || at_.is_word("superset")) return parse_walk(walk::way::up, is_a());
    if (at_.is_word("sub") || at_.is_word("subset")) return parse_walk(walk::way::down, is_a());
    return at_.fail(at_.now().at, concat("unknown flag ", in_apostrophes(at_.now().text)),
                    is_access_word(at_) ? "access stands before a term: [in] Position"
                                        : did_you_mean(nearest_flag_word(at_.now().text), hint_));
  }

  // Sets a flag that has no argument and steps over its word; `where` gets its position.
  bool mark(bool& flag, text_range* where = nullptr) {
    const token& now = at_.now();
    if (flag) return at_.fail(now.at, concat(in_apostrophes(now.text), " is written twice"));
    flag = true;
    if (where) *where = now.at;
    at_.step();
    return true;
  }

  // The relations that flag words imply are the built-in ones, even if another entity has such a
  // name.
  static entity_name child_of() { return {.path = "ChildOf", .entity = ChildOf, .at = {}}; }
  static entity_name is_a() { return {.path = "IsA", .entity = IsA, .at = {}}; }

  walk& add_walk(walk::way direction, entity_name relation) {
    walk w;
    w.direction = direction;
    w.relation = std::move(relation);
    w.relation.at = at_.now().at;
    return out_.walks.emplace_back(std::move(w));
  }

  bool parse_walk(walk::way direction, entity_name relation) {
    add_walk(direction, std::move(relation));
    at_.step();
    return !has_reach() || parse_reach(out_.walks.back());
  }

  bool parse_cascade() {
    if (!mark(has_cascade_, &cascade_at_)) return false;
    if (has_reach()) {
      walk& w = add_walk(walk::way::up, child_of());
      w.cascade = true;
      return parse_reach(w);
    }
    bare_cascade_ = out_.walks.size();
    return true;
  }

  bool has_reach() const { return at_.is_sign("(") || at_.now().is == token::kind::name; }

  // `(R)`, `(R, max)`, `(R, min, max)` or a name alone.
  bool parse_reach(walk& w) {
    if (!at_.accept("(")) return at_.take_entity(w.relation, "a relation");
    if (!at_.take_entity(w.relation, "a relation")) return false;
    if (at_.accept(")")) return true;
    if (!at_.accept(",")) return at_.fail_expected("',' or ')'");
    const text_range first_at = at_.now().at;
    if (!parse_depth(w.max)) return false;
    if (at_.accept(")")) return true;
    if (!at_.accept(",")) return at_.fail_expected("',' or ')'");
    w.min = w.max;
    if (!parse_depth(w.max)) return false;
    if (w.min > w.max)
      return at_.fail(first_at, "the least depth is larger than the greatest depth");
    return at_.expect(")");
  }

  bool parse_depth(std::uint32_t& depth) {
    const token& now = at_.now();
    if (!at_.is_plain_word() || now.text.find_first_not_of("0123456789") != now.text.npos)
      return at_.fail_expected("a depth");
    const auto [end, code] =
        std::from_chars(now.text.data(), now.text.data() + now.text.size(), depth);
    if (code != std::errc{}) return at_.fail(now.at, "the depth is too large");
    if (depth == 0) return at_.fail(now.at, "a depth is at least 1");
    at_.step();
    return true;
  }

  // Checks and completes the flags after all of them were read.
  bool settle() {
    if (bare_cascade_) settle_bare_cascade();
    if (out_.all && out_.walks.empty())
      return at_.fail(all_at_, "'all' needs a direction", "for example all|up(ChildOf)");
    if (out_.descending && !has_cascade_) return at_.fail(descending_at_, "'desc' needs 'cascade'");
    return true;
  }

  // `cascade` without a relation adds the order to a walk that goes up; if there is none, it is a
  // walk up itself.
  void settle_bare_cascade() {
    for (walk& w : out_.walks) {
      if (w.direction != walk::way::up) continue;
      w.cascade = true;
      return;
    }
    walk w;
    w.relation = child_of();
    w.relation.at = cascade_at_;
    w.cascade = true;
    out_.walks.insert(out_.walks.begin() + static_cast<std::ptrdiff_t>(*bare_cascade_),
                      std::move(w));
  }

  cursor& at_;
  substitution& out_;
  std::string_view hint_;
  text_range all_at_;
  text_range descending_at_;
  text_range cascade_at_;
  bool has_cascade_ = false;
  std::optional<std::size_t> bare_cascade_;  // the number of walks before `cascade`
};

}  // namespace

bool parse_flags(cursor& at, substitution& out, std::string_view hint) {
  return flags_parser(at, out, hint).parse();
}

}  // namespace kith::core
