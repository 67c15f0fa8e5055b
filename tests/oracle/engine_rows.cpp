#include "oracle/engine_rows.hpp"

namespace kith_oracle {

namespace {

id id_of(const kith::id& i) {
  if (!i) return {};
  if (!i.is_pair()) return {i.raw_id(), 0};
  return {i.first().id(), i.second().id()};
}

// `src(i)` is null when matched on `$this`.
field field_of(kith::iter& it, std::size_t at, entity_t self) {
  if (!it.is_set(at)) return {};
  const kith::entity source = it.src(at);
  return {id_of(it.id(at)), source ? source.id() : self, true};
}

void read_rows(const kith::query_view<>& q, answer& a) {
  q.run([&](kith::iter& it) {
    while (it.next())
      for (auto i : it) {
        row r;
        const kith::entity self = it.entity(i);
        r.values.push_back(self ? self.id() : 0);
        for (const std::string& name : a.columns) {
          const kith::entity value = it.get_var(name);
          r.values.push_back(value ? value.id() : 0);
        }
        for (std::size_t f = 0; f < it.field_count(); ++f)
          r.fields.push_back(field_of(it, f, r.values[0]));
        a.rows.push_back(std::move(r));
      }
  });
}

}  // namespace

engine_query::engine_query(kith::world& world, const std::string& text, const arguments& bound,
                           run_mode mode)
    : bound_(bound) {
  try {
    auto builder = world.query_builder<>();
    builder.expr(text);
    builder.cache_kind(mode == run_mode::cached     ? kith::cache_kind::always
                       : mode == run_mode::uncached ? kith::cache_kind::never
                                                    : kith::cache_kind::automatic);
    query_ = builder.build();
  } catch (const kith::error& problem) {
    error_ = problem.what();
  }
}

answer engine_query::ask() const {
  answer a;
  a.error = error_;
  if (!a.error.empty()) return a;
  try {
    kith::query_view<> q = query_;
    for (const auto& [name, value] : bound_) q = q.set_var(name, value);
    a.columns = q.vars();
    a.is_yes_no = q.is_question();
    a.is_true = q.is_true();
    if (!a.is_yes_no) read_rows(q, a);
    if (!a.is_yes_no && q.count() != a.rows.size()) a.error = "count() is wrong";
  } catch (const kith::error& problem) {
    a.error = problem.what();
  }
  return a;
}

answer engine_answer(kith::world& world, const std::string& query, const arguments& bound,
                     run_mode mode) {
  return engine_query(world, query, bound, mode).ask();
}

std::string engine_text(kith::world& world, const std::string& query) {
  auto q = world.query_builder<>().expr(query).try_build();
  return q ? q->str() : q.error().what();
}

}  // namespace kith_oracle
