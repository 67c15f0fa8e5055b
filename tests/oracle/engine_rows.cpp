#include "oracle/engine_rows.hpp"

#if __has_include(<kith/query.hpp>)
#include <kith/query.hpp>
#define KITH_ORACLE_HAS_QUERIES 1
#else
#define KITH_ORACLE_HAS_QUERIES 0
#endif

namespace kith_oracle {

bool engine_has_queries() { return KITH_ORACLE_HAS_QUERIES != 0; }

#if KITH_ORACLE_HAS_QUERIES

namespace {

id id_of(const kith::id& i) {
  if (!i) return {};
  if (!i.is_pair()) return {i.raw_id(), 0};
  return {i.first().id(), i.second().id()};
}

// `src(i)` is null when matched on `$this`.
field field_of(kith::iter& it, std::size_t at, entity_t self) {
  const int f = static_cast<int>(at);
  if (!it.is_set(f)) return {};
  const kith::entity source = it.src(f);
  return {id_of(it.id(f)), source ? source.id() : self, true};
}

template <class Iterable>
void read_rows(Iterable& q, std::size_t chains, answer& a) {
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        row r;
        const kith::entity self = it.entity(i);
        r.values.push_back(self ? self.id() : 0);
        for (const std::string& name : a.columns) {
          const kith::entity value = it.get_var(name.c_str());
          r.values.push_back(value ? value.id() : 0);
        }
        for (std::size_t f = 0; f < chains; ++f) r.fields.push_back(field_of(it, f, r.values[0]));
        a.rows.push_back(std::move(r));
      }
  });
}

}  // namespace

answer engine_answer(kith::world& world, const std::string& query, const arguments& bound,
                     const answer& expected, std::size_t chains, run_mode mode) {
  answer a;
  a.columns = expected.columns;
  a.is_yes_no = expected.is_yes_no;
  a.is_ordered = expected.is_ordered;
  try {
    auto builder = world.query_builder<>();
    builder.expr(query);
    if (mode == run_mode::cached) builder.cached();
    auto q = builder.build();
    if (bound.empty()) {
      a.is_true = q.is_true();
      if (!a.is_yes_no) read_rows(q, chains, a);
      return a;
    }
    auto value = bound.begin();
    auto given = q.set_var(value->first.c_str(), world.entity(value->second));
    for (++value; value != bound.end(); ++value)
      given.set_var(value->first.c_str(), world.entity(value->second));
    a.is_true = given.is_true();
    if (!a.is_yes_no) read_rows(given, chains, a);
  } catch (const kith::error& problem) {
    a.error = problem.what();
  }
  return a;
}

#else

answer engine_answer(kith::world&, const std::string&, const arguments&, const answer&, std::size_t,
                     run_mode) {
  answer a;
  a.error = "no queries yet";
  return a;
}

#endif

}  // namespace kith_oracle
