// Memory for rows: aligned, small and large.
#include "base/row_memory.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include <kith/kith.hpp>

namespace {

using kith::core::allocate_rows;
using kith::core::free_rows;

TEST(row_memory, is_aligned_as_asked_whatever_its_size) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, std::size_t{9} << 20})
    for (const std::size_t alignment : {std::size_t{8}, std::size_t{4096}, std::size_t{4} << 20}) {
      std::byte* block = allocate_rows(bytes, alignment);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % alignment, 0u);
      std::memset(block, 1, bytes);
      free_rows(block, bytes, alignment);
    }
}

struct Number {
  int value;
};
struct alignas(64) Matrix {
  float values[16];
};

// Tables, pools and the records of entities grow from small blocks into large ones, and go again.
TEST(row_memory, holds_what_worlds_put_there) {
  kith::world world;
  world.component<Matrix>().add(kith::Sparse);
  std::vector<kith::entity> all;
  for (int i = 0; i < 200'000; ++i)
    all.push_back(world.entity(Matrix{{static_cast<float>(i)}}, Number{i}));
  for (int i = 0; i < 200'000; ++i) {
    const kith::entity e = all[static_cast<std::size_t>(i)];
    ASSERT_EQ(e.get<Matrix>()->values[0], static_cast<float>(i));
    ASSERT_EQ(e.get<Number>()->value, i);
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.back().get<Matrix>()) % alignof(Matrix), 0u);
  for (kith::entity e : all) e.destruct();
  EXPECT_EQ(world.count<Matrix>(), 0u);
}

}  // namespace
