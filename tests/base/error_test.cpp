#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <kith/error.hpp>

namespace {

using kith::errc;
using kith::result;

TEST(error, carries_code_message_and_position) {
  const kith::error e(errc::parse, "expected a name", {2, 7});
  EXPECT_EQ(e.code(), errc::parse);
  EXPECT_STREQ(e.what(), "expected a name");
  EXPECT_EQ(e.position(), (kith::text_position{2, 7}));
}

TEST(error, without_a_text_has_position_zero) {
  const kith::error e(errc::not_alive, "gone");
  EXPECT_EQ(e.position(), (kith::text_position{0, 0}));
}

TEST(error, can_be_caught_as_a_runtime_error) {
  EXPECT_THROW(kith::core::raise(errc::type, "no"), std::runtime_error);
}

TEST(error, message_is_joined_from_its_parts) {
  try {
    kith::core::raise(errc::type, "a", std::string("b"), std::string_view("c"));
  } catch (const kith::error& e) {
    EXPECT_STREQ(e.what(), "abc");
  }
}

TEST(error, every_code_has_its_name) {
  EXPECT_EQ(to_text(errc::parse), "parse");
  EXPECT_EQ(to_text(errc::unresolved), "unresolved");
  EXPECT_EQ(to_text(errc::type), "type");
  EXPECT_EQ(to_text(errc::constraint), "constraint");
  EXPECT_EQ(to_text(errc::not_alive), "not_alive");
  EXPECT_EQ(to_text(errc::out_of_range), "out_of_range");
  EXPECT_EQ(to_text(errc::unsupported), "unsupported");
}

// --- the handler ---------------------------------------------------------------------------------

std::string heard;
void listen(const kith::error& e) { heard = e.what(); }

class error_handler : public ::testing::Test {
 protected:
  error_handler() {
    heard.clear();
    before_ = kith::set_error_handler(&listen);
  }
  ~error_handler() override { kith::set_error_handler(before_); }

 private:
  kith::error_handler before_;
};

TEST_F(error_handler, hears_an_error_before_it_is_thrown) {
  std::string heard_when_thrown;
  try {
    kith::core::raise(errc::constraint, "no way");
  } catch (const kith::error&) {
    heard_when_thrown = heard;
  }
  EXPECT_EQ(heard_when_thrown, "no way");
}

TEST_F(error_handler, is_given_back_when_another_is_installed) {
  EXPECT_EQ(kith::set_error_handler(nullptr), &listen);
  EXPECT_EQ(kith::set_error_handler(&listen), nullptr);
}

TEST_F(error_handler, does_not_hear_an_error_that_is_only_returned) {
  const result<int> r = kith::error(errc::parse, "quiet");
  EXPECT_FALSE(r);
  EXPECT_EQ(heard, "");
}

// --- result --------------------------------------------------------------------------------------

TEST(result, with_a_value_is_true_and_gives_it) {
  result<int> r = 5;
  EXPECT_TRUE(r);
  EXPECT_EQ(r.value(), 5);
  EXPECT_EQ(*r, 5);
}

TEST(result, with_an_error_is_false_and_gives_it) {
  const result<int> r = kith::error(errc::unresolved, "who?");
  EXPECT_FALSE(r.has_value());
  EXPECT_EQ(r.error().code(), errc::unresolved);
}

TEST(result, raises_its_error_when_asked_for_the_value) {
  result<int> r = kith::error(errc::unresolved, "who?");
  try {
    (void)r.value();
    FAIL() << "no error";
  } catch (const kith::error& e) {
    EXPECT_EQ(e.code(), errc::unresolved);
  }
}

TEST(result, gives_a_move_only_value_away) {
  result<std::unique_ptr<int>> r = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = std::move(r).value();
  EXPECT_EQ(*taken, 3);
}

TEST(result, of_a_string_is_not_confused_with_its_error) {
  result<std::string> r = std::string("text");
  EXPECT_EQ(r->size(), 4u);
}

}  // namespace
