// Random steps, carried out by the library and by a naive model of it. After every step both must
// show the same.
//
//   KITH_MODEL_OPS=1000000   the operations of all tests together (100,000, or 50,000 under a
//                            sanitizer)
//   RC_PARAMS="seed=5"       another seed, or any parameters of RapidCheck
//   KITH_MODEL_TRACE=1       prints every step before it is made, for failures that end the process
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "model/operation.hpp"
#include "model/player.hpp"

namespace kith_model {

namespace {

constexpr long tests = 8;
// The sequences of a round. With 200 steps on average a test needs about one round.
#ifdef KITH_SANITIZED
constexpr long default_operations = 50'000;
constexpr int default_round = 40;
#else
constexpr long default_operations = 100'000;
constexpr int default_round = 80;
#endif
// The same sequences in every run, unless RC_PARAMS says otherwise.
constexpr std::uint64_t default_seed = 20'240'229;

long operations_per_test() {
  const char* wanted = std::getenv("KITH_MODEL_OPS");
  return (wanted ? std::atol(wanted) : default_operations) / tests;
}

struct life {
  int worlds;
  kith::entity_t instantiate;
  player::calls how;
  std::vector<operation> steps;
};

// The mismatch and the steps before it; empty if there is none.
std::string mismatch_of(const life& l) {
  player p(l.worlds, l.instantiate, l.how);
  try {
    for (const operation& o : l.steps) p.play(o);
    p.finish();
  } catch (const mismatch& m) {
    return std::string(m.what()) + "\nafter\n" + p.log();
  }
  return {};
}

// Removes what the mismatch does not need, from large parts to single steps.
life shortened(life l) {
  for (std::size_t part = l.steps.size(); part > 0; part /= 2) {
    for (std::size_t at = 0; at < l.steps.size();) {
      life shorter = l;
      const auto first = shorter.steps.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t count = std::min(part, l.steps.size() - at);
      shorter.steps.erase(first, first + static_cast<std::ptrdiff_t>(count));
      if (mismatch_of(shorter).empty())
        at += part;
      else
        l = std::move(shorter);
    }
  }
  return l;
}

// `share`: of the operations of a test.
void live(bias b, player::calls how = player::calls::once, long share = 1) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (!std::getenv("RC_PARAMS")) {
    params.seed = default_seed;
    params.maxSuccess = default_round / static_cast<int>(share);
  }
  // shortened() needs far fewer attempts than the shrinking of RapidCheck.
  params.disableShrinking = true;
  long done = 0;
  const auto property = [&] {
    const life l{*rc::gen::weightedElement<int>({{4, 1}, {1, 2}, {1, 3}}),
                 *rc::gen::weightedElement<kith::entity_t>(
                     {{6, kith::Inherit}, {1, kith::Override}, {1, kith::DontInherit}}),
                 how, *lives(b)};
    if (!mismatch_of(l).empty()) RC_FAIL(mismatch_of(shortened(l)));
    done += static_cast<long>(l.steps.size());
  };

  // In each round the sequences grow longer.
  for (; done < operations_per_test() / share; ++params.seed) {
    const rc::detail::TestResult result =
        rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
    if (result.is<rc::detail::SuccessResult>()) continue;
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    FAIL() << text.str() << "\nseed " << params.seed;
  }
  ::testing::Test::RecordProperty("operations", std::to_string(done));
}

}  // namespace

TEST(model, the_world_equals_the_model_after_every_operation) { live(bias::all); }

TEST(model, pairs_and_traits_equal_the_model_wherever_they_are_kept) { live(bias::pairs); }

TEST(model, names_and_parents_equal_the_model) { live(bias::hierarchy); }

TEST(model, deferred_changes_happen_in_order_and_one_that_fails_is_skipped) {
  live(bias::deferred);
}

TEST(model, bases_and_prefabs_equal_the_model) { live(bias::inheritance); }

TEST(model, what_follows_from_traits_equals_the_model) { live(bias::traits); }

TEST(model, changes_are_taken_back_and_carried_out_again) {
  for (bias b : {bias::all, bias::pairs, bias::hierarchy, bias::deferred, bias::lifetimes,
                 bias::inheritance, bias::traits})
    live(b, player::calls::back_and_forth, 7);
}

TEST(model, every_value_lives_once_and_dies_once) { live(bias::lifetimes); }

}  // namespace kith_model
