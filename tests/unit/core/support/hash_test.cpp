#include <bellwether/core/support/hash.h>

#include <string>

#include <gtest/gtest.h>

namespace bellwether {
namespace {

TEST(HashOf, IsFnv1a) {
  const auto of = [](const std::string& text) { return hash_of(std::as_bytes(std::span(text))); };
  EXPECT_EQ(of(""), 0xcbf29ce484222325U);
  EXPECT_EQ(of("a"), 0xaf63dc4c8601ec8cU);  // from the authors' list of test vectors
  EXPECT_EQ(of("foobar"), 0x85944171f73967e8U);
}

}  // namespace
}  // namespace bellwether
