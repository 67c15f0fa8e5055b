#include "query/model/random_expression.hpp"

#include <array>
#include <string>

namespace kith::test {

using namespace core;
using core::ref;
using core::term;

namespace {

// As they are stored: in quotes if they are no words.
constexpr std::array<std::string_view, 24> stored_names = {
    "A",  "Position", "x1",      "1234",   "_y",    "größe",        "位置",       "self",
    "up", "parent",   "This",    "this",   "_",     "and",          "OR",         "struct",
    "in", "\"a b\"",  "\"a.b\"", "\"#1\"", "\"*\"", "\"\\\"\\\\\"", "\"\n\x01\"", "\"\xff\""};
constexpr std::array<std::string_view, 6> variables = {"x", "y", "this", "THIS", "_", "ünder"};
constexpr std::array<std::string_view, 6> texts = {"",           "name",     "!part",
                                                   "a \"b\" \\", "\n\t\x7f", "\xff\xc2"};

}  // namespace

std::string random_expressions::name() { return std::string(stored_names[below(24)]); }

entity_name random_expressions::entity() {
  entity_name e;
  if (chance(10)) e.path = "::";
  if (e.path.empty() && chance(10)) e.path = "#" + std::to_string(1 + below(1000));
  if (e.path.starts_with('#') && chance(50)) return e;
  if (e.path.starts_with('#')) e.path += '.';
  e.path += name();
  while (chance(20)) e.path += "." + name();
  return e;
}

walk random_expressions::walk() {
  core::walk w;
  w.direction = chance(50) ? walk::way::up : walk::way::down;
  w.relation = entity();
  if (chance(40)) w.min = static_cast<std::uint32_t>(1 + below(5));
  if (chance(40)) w.max = w.min + static_cast<std::uint32_t>(below(5));
  return w;
}

substitution random_expressions::flags() {
  substitution s;
  for (std::size_t n = below(4); n > 0; --n) s.walks.push_back(walk());
  s.self = s.walks.empty() || chance(50);
  s.all = !s.walks.empty() && chance(30);
  if (!s.walks.empty() && chance(30)) {
    core::walk& w = s.walks[below(s.walks.size())];
    w.direction = walk::way::up;
    w.cascade = true;
    s.descending = chance(50);
  }
  return s;
}

ref random_expressions::ref(bool with_flags) {
  core::ref r;
  switch (below(6)) {
    case 0:
      r.is = ref::kind::wildcard;
      return r;
    case 1:
      r.is = ref::kind::any;
      return r;
    case 2:
    case 3:
      r.is = ref::kind::variable;
      r.text = variables[below(variables.size())];
      r.parameter = chance(20);
      while (chance(20)) r.lookup.push_back(chance(80) ? "cockpit" : "odd \"name\"");
      break;
    default:
      r.is = ref::kind::entity;
      r.name = entity();
  }
  if (with_flags && chance(30)) r.flags = flags();
  return r;
}

// Of an equality. One name in quotes would be a text, so no text makes such an entity.
ref random_expressions::right() {
  core::ref r;
  if (chance(40)) {
    r.is = ref::kind::text;
    r.text = texts[below(texts.size())];
    return r;
  }
  r = ref();
  if (r.is == ref::kind::entity) r.name.path.insert(0, r.name.path.starts_with("::") ? "" : "::");
  if (r.name.path.starts_with("::#")) r.name.path.erase(0, 2);
  return r;
}

term random_expressions::term(std::size_t depth) {
  core::term t;
  t.op = static_cast<term::oper>(chance(50) ? 0 : below(6));
  t.rights = static_cast<term::access>(chance(70) ? 0 : below(6));
  if (depth > 0 && chance(25)) {
    t.is = term::kind::scope;
    t.scope = expression(depth - 1);
    return t;
  }
  t.first = ref();
  if (chance(20)) {
    t.is = term::kind::equality;
    t.compare = static_cast<term::comparison>(below(3));
    do t.second = right();
    while (t.compare == term::comparison::contains && t.second.is != ref::kind::text);
    return t;
  }
  if (chance(30)) return t;
  t.source = ref();
  if (chance(10)) {
    t.source = core::ref();
    t.source.is = ref::kind::singleton;
    if (chance(20)) t.source.flags = flags();
  }
  if (chance(50)) t.second = ref();
  return t;
}

expression random_expressions::expression(std::size_t depth) {
  core::expression e;
  do {
    chain& c = e.chains.emplace_back();
    do c.alternatives.push_back(term(depth));
    while (chance(25));
  } while (chance(55));
  return e;
}

expression random_expressions::next() { return expression(4); }

}  // namespace kith::test
