#include "ask.hpp"

#include <algorithm>

#include "failure.hpp"

namespace kith::cli {

namespace {

entity find(world& in, const binding& b) {
  const std::string what = "-a " + b.variable + "=" + b.entity + ": ";
  const entity found = in.lookup(b.entity);
  if (found == Wildcard || found == Any)
    throw failure(what + "a value is an entity; a variable without one takes all");
  if (found) return found;
  // The error of a query that is only this name contains a suggestion.
  const auto tried = in.try_query(b.entity);
  if (tried || tried.error().code() != errc::unresolved)
    throw failure(what + "unknown name '" + b.entity + "'");
  // The position in that query would mean nothing to the user.
  const std::string message = tried.error().what();
  throw failure(what + message.substr(message.find(": ") + 2));
}

// find_var() finds $this in every query, even in one that does not use it.
bool has_variable(const query_view<>& q, const std::string& name) {
  return name == "this" ? q.has_this() : q.find_var(name) >= 0;
}

bool is_given(const question& q, const std::string& variable) {
  return std::any_of(q.values.begin(), q.values.end(),
                     [&](const binding& b) { return b.variable == variable; });
}

}  // namespace

query_view<> ask(world& in, const question& q) {
  auto made = in.try_query(query_desc{.expr = q.expression, .cache = q.cache});
  if (!made) throw failure(made.error().what());
  query_view<> bound = made.value();
  for (const binding& b : q.values) {
    if (!has_variable(bound, b.variable))
      throw failure("-a " + b.variable + "=" + b.entity + ": the query has no variable $" +
                    b.variable);
    bound = bound.set_var(b.variable, find(in, b));
  }
  return bound;
}

std::vector<std::string> open_parameters(const query_view<>& made, const question& q) {
  std::vector<std::string> open = made.params();
  std::erase_if(open, [&](const std::string& name) { return is_given(q, name); });
  return open;
}

std::string no_value(const std::string& parameter) {
  return "the parameter @" + parameter + " has no value; give it one with -a " + parameter +
         "=ENTITY";
}

void require_parameters(const query_view<>& made, const question& q) {
  for (const std::string& name : open_parameters(made, q)) throw failure(no_value(name));
}

}  // namespace kith::cli
