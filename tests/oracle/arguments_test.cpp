// Queries with parameters, asked for every combination of values after each change of a world.
#include <gtest/gtest.h>

#include "oracle/comparison.hpp"

namespace kith_oracle {

namespace {

#ifdef KITH_SANITIZED
constexpr std::size_t worlds = 20;
#else
constexpr std::size_t worlds = 300;
#endif
constexpr std::size_t steps_per_world = 40;
constexpr std::size_t asked_per_step = 60;

// One to four parameters, the same relation several times, other terms beside them.
std::vector<std::string> queries_with_parameters(const scripted_world& world, dice& random) {
  const auto any = [&](const std::vector<std::string>& names) {
    return world.path_of(names[random.below(names.size())]);
  };
  std::vector<std::string> texts;
  for (int i = 0; i < 6; ++i) {
    const std::string r = any(world.relations), s = any(world.relations), t = any(world.tags),
                      o = any(world.objects);
    texts.push_back("(" + r + ", @a)");
    texts.push_back("(" + r + ", @a), (" + s + ", @b)");
    texts.push_back("(" + r + ", @a), (" + r + ", @b)");
    texts.push_back(t + ", (" + r + ", @a), !(" + s + ", @a)");
    texts.push_back("(" + r + ", @a), (" + r + ", @b), (" + s + ", @c)");
    texts.push_back("(" + r + ", @a), ?" + t + ", $this != @a");
    texts.push_back("(" + r + ", @a), (" + r + ", @b), (" + r + ", @c), (" + s + ", @d)");
    texts.push_back("(" + r + ", @a), (" + s + ", _), " + t + " || (" + s + ", " + o + ")");
    texts.push_back("(" + r + ", @a), " + t + "(@a)");
    texts.push_back("(" + r + ", $x), (" + s + ", @a)");
  }
  return texts;
}

std::size_t parameters_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '@')) -
         (text.find("!= @a") != text.npos || text.find("(@a)") != text.npos ||
          text.find("!(") != text.npos);
}

}  // namespace

TEST(queries_with_parameters, have_the_same_rows_from_their_index) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < worlds; ++i) {
    dice random(4'000 + i);
    const script made = random_script(random);
    scripted_world world(made);
    if (world.relations.empty() || world.tags.empty() || world.objects.empty()) continue;
    std::vector<std::pair<std::string, kith::query<>>> cached, uncached;
    for (const std::string& text : queries_with_parameters(world, random)) {
      auto builder = world.world().query_builder<>();
      builder.expr(text);
      cached.emplace_back(text, builder.cache_kind(kith::cache_kind::always).build());
      uncached.emplace_back(text, builder.cache_kind(kith::cache_kind::never).build());
    }
    script steps;
    while (steps.size() < steps_per_world) {
      const script more = random_changes(world, random);
      steps.insert(steps.end(), more.begin(), more.end());
    }
    for (const step& s : steps) {
      world.play({s});
      for (std::size_t n = 0; n < asked_per_step; ++n) {
        const std::size_t q = random.below(cached.size());
        const auto rows = [&](kith::query_view<> view) {
          std::vector<std::string> all;
          view.each([&](kith::iter& it, std::size_t row) {
            std::string text = it.entity(row).str();
            for (std::size_t f = 0; f < it.field_count(); ++f)
              text += " " + (it.is_set(f) ? it.id(f).str() + "@" + it.src(f).str() : "-");
            all.push_back(text);
          });
          std::sort(all.begin(), all.end());
          return all;
        };
        kith::query_view<> mine = cached[q].second, naive = uncached[q].second;
        std::string given;
        bool alive = true;
        const char* names[] = {"a", "b", "c", "d"};
        for (std::size_t p = 0; p < parameters_in(cached[q].first); ++p) {
          const std::string& name = world.objects[random.below(world.objects.size())];
          const entity_t value = world.entity(name);
          alive = alive && world.world().is_alive(value);
          if (!alive) break;
          mine = mine.set_var(names[p], value);
          naive = naive.set_var(names[p], value);
          given += " " + name;
        }
        if (!alive) continue;
        const auto expected = rows(naive);
        found += expected.size();
        ASSERT_EQ(rows(mine), expected) << "seed " << 4'000 + i << "\n"
                                        << to_text(made) << "\n... " << to_text(s) << "\n"
                                        << cached[q].first << given;
      }
    }
  }
  EXPECT_GT(found, worlds * 100) << "too few results to say anything";
}

}  // namespace kith_oracle
