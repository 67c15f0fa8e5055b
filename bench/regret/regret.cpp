// How far plans are from the best order, over many random queries about many skewed worlds.
//
//   regret [--queries N] [--entities N] [--seed N] [--terms N] [--worst N]
//
// Prints quantiles of the regret by the number of terms, and the worst queries with their plans.
#include "plans/regret.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plans/shaped_query.hpp"

namespace {

struct options {
  std::size_t queries = 1000, entities = 4000, seed = 1, terms = 0, worst = 5;
  std::size_t tries = 200, most = 4'000'000, per_world = 50;
};

options read(int argc, char** argv) {
  options o;
  const std::pair<const char*, std::size_t*> known[] = {
      {"--queries", &o.queries}, {"--entities", &o.entities}, {"--seed", &o.seed},
      {"--terms", &o.terms},     {"--worst", &o.worst},       {"--tries", &o.tries},
      {"--most", &o.most}};
  for (int i = 1; i < argc; i += 2) {
    const auto* found = std::find_if(std::begin(known), std::end(known),
                                     [&](const auto& k) { return !std::strcmp(argv[i], k.first); });
    if (found == std::end(known) || i + 1 == argc) {
      std::fprintf(stderr, "regret: unknown option or missing number: %s\n", argv[i]);
      std::exit(2);
    }
    *found->second = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return o;
}

double quantile(std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace

int main(int argc, char** argv) {
  const options o = read(argc, argv);
  std::map<std::size_t, std::vector<double>> by_terms;  // 0: all
  std::vector<kith_plans::regret> worst;
  std::size_t unmeasured = 0, different = 0;
  std::unique_ptr<kith_plans::skewed_world> world;
  for (std::size_t n = 0; n < o.queries; ++n) {
    const std::uint64_t seed = o.seed * 1'000'003 + n;
    if (n % o.per_world == 0) world = std::make_unique<kith_plans::skewed_world>(seed, o.entities);
    kith_oracle::dice random(seed);
    const std::size_t terms = o.terms ? o.terms : 2 + random.below(7);
    kith_plans::regret r = kith_plans::measure(
        *world, kith_plans::shaped_query(*world, random, terms), seed, o.tries, o.most);
    if (!r.agree) {
      ++different;
      std::printf("DIFFERENT RESULTS BY ORDER: seed %llu: %s\n",
                  static_cast<unsigned long long>(seed), r.query.c_str());
    }
    if (!r.measured) {
      ++unmeasured;
      continue;
    }
    by_terms[0].push_back(r.ratio());
    by_terms[terms].push_back(r.ratio());
    r.query = "seed " + std::to_string(seed) + ": " + r.query;
    worst.push_back(std::move(r));
    std::ranges::sort(worst, std::greater<>(), &kith_plans::regret::ratio);
    if (worst.size() > o.worst) worst.pop_back();
  }
  std::printf("%6s %8s %8s %8s %8s %8s %8s %8s\n", "terms", "queries", "median", "90 %", "99 %",
              "worst", "over 2", "over 10");
  for (auto& entry : by_terms) {
    const std::size_t terms = entry.first;
    std::vector<double>& ratios = entry.second;
    std::ranges::sort(ratios);
    const auto over = [&](double limit) {
      return ratios.end() - std::ranges::upper_bound(ratios, limit);
    };
    std::printf("%6s %8zu %8.2f %8.2f %8.2f %8.1f %8td %8td\n",
                terms ? std::to_string(terms).c_str() : "all", ratios.size(), quantile(ratios, 0.5),
                quantile(ratios, 0.9), quantile(ratios, 0.99), ratios.back(), over(2), over(10));
  }
  std::printf("%zu queries took too much work in every order\n", unmeasured);
  for (const kith_plans::regret& r : worst)
    std::printf(
        "\n%.1f times the work (%llu, best of %zu orders %llu; %zu results)\n%s\n%s"
        "the best order:\n%s",
        r.ratio(), static_cast<unsigned long long>(r.chosen), r.orders,
        static_cast<unsigned long long>(r.best), r.results, r.query.c_str(), r.plan.c_str(),
        r.best_plan.c_str());
  return different ? 1 : 0;
}
