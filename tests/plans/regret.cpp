#include "plans/regret.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "world/engine_state.hpp"
#include "world/live_query.hpp"

namespace kith_plans {

namespace {

struct outcome {
  std::uint64_t work = 0;
  std::size_t results = 0;
  std::string plan;
};

// Nothing: it takes more work than `most`.
std::optional<outcome> run(kith::world& w, const std::string& text,
                           std::vector<std::uint32_t> order, std::uint64_t most) {
  kith::core::engine_state& state = w.engine().state();
  kith::core::effort& effort = state.stages.main.meaning.effort();
  state.shortcuts.order = std::move(order);
  const kith::query<> q = w.filter(text);
  const std::uint64_t before = effort.done();
  effort.allow(most);
  std::optional<outcome> done;
  try {
    const std::size_t results = q.count();
    done = outcome{effort.done() - before, results, {}};
  } catch (const kith::error& e) {
    if (e.code() != kith::errc::budget) throw;
  }
  effort.allow(kith::core::effort::no_limit);
  if (done) done->plan = q.plan();
  state.shortcuts.order.clear();
  return done;
}

// The slots that an order is about.
std::vector<std::uint32_t> slots_of(kith::world& w, const std::string& text) {
  kith::query_desc desc;
  desc.expr = text;
  const auto q = kith::core::make_query(w.engine(), desc);
  std::vector<std::uint32_t> slots;
  const kith::core::checked_query& checked = *q->prepared.checked();
  for (std::uint32_t s : checked.root.positive)
    if (checked.slots[s].is != kith::core::slot_info::kind::all) slots.push_back(s);
  return slots;
}

}  // namespace

regret measure(skewed_world& world, const std::string& query, std::uint64_t seed, std::size_t tries,
               std::uint64_t most) {
  regret r;
  r.query = query;
  const auto chosen = run(world.world, query, {}, most);
  if (chosen) {
    r.chosen = r.best = chosen->work;
    r.results = chosen->results;
    r.plan = r.best_plan = chosen->plan;
    r.measured = true;
  }
  std::vector<std::uint32_t> order = slots_of(world.world, query);
  std::size_t all = 1;
  for (std::size_t i = 2; i <= order.size() && all <= tries; ++i) all *= i;
  kith_oracle::dice random(seed);
  const auto try_order = [&] {
    const std::uint64_t limit = r.measured ? r.best : most;
    const auto other = run(world.world, query, order, limit);
    ++r.orders;
    if (!other) return;
    if (chosen) r.agree = r.agree && other->results == chosen->results;
    if (!r.measured || other->work < r.best) {
      r.best = other->work;
      r.best_plan = other->plan;
    }
    r.measured = true;
  };
  if (all <= tries) {
    do try_order();
    while (std::ranges::next_permutation(order).found);
  } else {
    for (std::size_t i = 0; i < tries; ++i) {
      random.shuffle(order);
      try_order();
    }
  }
  // A plan that takes too much work has done at least all it was allowed.
  if (!chosen) r.chosen = most;
  return r;
}

}  // namespace kith_plans
