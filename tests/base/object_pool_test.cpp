// Objects of a pool never move, and the pool uses the places of destroyed objects again.
#include "base/object_pool.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

using kith::core::object_pool;

TEST(object_pool, keeps_objects_where_they_are) {
  object_pool<std::string> pool;
  std::vector<std::string*> all;
  for (int i = 0; i < 1000; ++i)
    all.push_back(pool.make("a text that is too long to fit into the string " + std::to_string(i)));
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), 1000u);
  EXPECT_EQ(*all[0], "a text that is too long to fit into the string 0");
  EXPECT_EQ(*all[999], "a text that is too long to fit into the string 999");
  for (std::string* s : all) pool.destroy(s);
}

TEST(object_pool, uses_places_again) {
  object_pool<int> pool;
  int* const first = pool.make(1);
  int* const second = pool.make(2);
  pool.destroy(first);
  EXPECT_EQ(pool.make(3), first);
  EXPECT_EQ(*first, 3);
  EXPECT_EQ(*second, 2);
}

TEST(object_pool, aligns_objects) {
  struct alignas(64) wide {
    char c;
  };
  object_pool<wide> pool;
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(pool.make(wide{'x'})) % 64, 0u) << i;
}

TEST(object_pool, keeps_the_place_of_what_cannot_be_made) {
  struct fussy {
    explicit fussy(bool fails) {
      if (fails) throw 1;
    }
  };
  object_pool<fussy> pool;
  fussy* const made = pool.make(false);
  EXPECT_THROW(pool.make(true), int);
  fussy* const next = pool.make(false);
  EXPECT_NE(next, made);
  pool.destroy(next);
  EXPECT_EQ(pool.make(false), next);
}

}  // namespace
