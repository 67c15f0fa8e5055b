#include "support/query_text.hpp"

#include <utility>

#include <gtest/gtest.h>

#include <kith/detail/builtins.hpp>

#include "query/parse/parse.hpp"

namespace kith::test {

using namespace core;
using core::ref;
using core::term;

namespace {

std::string first_line(std::string_view message) {
  return std::string(message.substr(0, message.find('\n')));
}

std::string written(const statement& s) {
  if (const auto* definition = std::get_if<struct_definition>(&s)) {
    std::string text = "struct " + definition->name.path + " {";
    for (const auto& m : definition->members) {
      if (text.back() != '{') text += ", ";
      text += m.type + " " + m.name;
    }
    return text + "}";
  }
  const fact& f = std::get<fact>(s);
  std::string text = f.removed ? "!" : "";
  if (f.predicate.is == ref::kind::none) return text + f.source.name.path;
  text += f.predicate.name.path + "(";
  text += f.source.is == ref::kind::singleton ? "$" : f.source.name.path;
  if (f.target.is != ref::kind::none) text += ", " + f.target.name.path;
  text += ")";
  if (f.value) text += " " + test::to_text(*f.value);
  return text;
}

}  // namespace

std::string numbers_as_names::name_of(entity_t e) const {
  if (e == ChildOf) return "ChildOf";
  if (e == IsA) return "IsA";
  return "#" + std::to_string(e);
}

std::string printed(std::string_view query) {
  const auto parsed = parse_query(query);
  if (!parsed) return first_line(parsed.error().what());
  return core::to_text(parsed.value(), numbers_as_names());
}

std::string error_of_query(std::string_view query) {
  const auto parsed = parse_query(query);
  return parsed ? "no error" : parsed.error().what();
}

std::string read_facts(std::string_view facts) {
  const auto parsed = parse_facts(facts);
  if (!parsed) return first_line(parsed.error().what());
  std::string text;
  for (const statement& s : parsed.value()) text += (text.empty() ? "" : " ; ") + written(s);
  return text;
}

std::string error_of_facts(std::string_view facts) {
  const auto parsed = parse_facts(facts);
  return parsed ? "no error" : parsed.error().what();
}

std::string to_text(const value_text& value) {
  switch (value.is) {
    case value_text::kind::number:
      return value.text;
    case value_text::kind::text:
      return '"' + value.text + '"';
    case value_text::kind::name:
      return "<" + value.text + ">";
    case value_text::kind::list:
      break;
  }
  std::string text = "{";
  for (const value_text::member& m : value.members) {
    if (text.size() > 1) text += ", ";
    if (!m.name.empty()) text += m.name + ": ";
    text += to_text(m.value);
  }
  return text + "}";
}

std::string place(const text_range& at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column) + "+" +
         std::to_string(at.length);
}

expression expression_of(std::string_view query) {
  auto parsed = parse_query(query);
  if (!parsed) ADD_FAILURE() << parsed.error().what();
  return parsed ? std::move(*parsed) : expression();
}

term term_of(std::string_view query) {
  expression e = expression_of(query);
  if (e.chains.size() == 1 && e.chains[0].alternatives.size() == 1)
    return std::move(e.chains[0].alternatives[0]);
  ADD_FAILURE() << query << " is not one term";
  return {};
}

}  // namespace kith::test
