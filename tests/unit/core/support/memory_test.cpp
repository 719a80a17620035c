#include <bellwether/core/support/memory.h>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "support/child.h"
#include "support/rejection.h"
#include "support/sanitizers.h"

namespace bellwether {
namespace {

using testing::Child;
using testing::rejection;

TEST(Memory, MoreThanThereIsIsRefusedWithAMessageThatSaysHowMuch) {
  EXPECT_EQ(rejection([] { require_memory(1e6, "this", "that"); }), "accepted");
  const std::string message = rejection([] { require_memory(8e17, "this", "take that"); });
  EXPECT_TRUE(message.starts_with("this needs 800 PB; ")) << message;
  EXPECT_TRUE(message.ends_with("B are free: take that")) << message;
}

TEST(Memory, WhatIsFreeIsAllocatedWithoutComplaint) {
  EXPECT_GT(free_memory(), 1U << 20U);
  EXPECT_EQ(rejection([] { require_memory(300e6 < 0.5 * static_cast<double>(free_memory()) ? 300e6 : 1, "", ""); }),
            "accepted");
}

TEST(Memory, TheLimitOfTheProcessCounts) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers take more addresses than any limit leaves";
  Child limited([] {
    const rlimit most{2'000'000'000, 2'000'000'000};
    setrlimit(RLIMIT_AS, &most);
    return free_memory() < 2'000'000'000 && free_memory() > 0 ? 0 : 1;
  });
  EXPECT_EQ(limited.code(), 0);
}

TEST(Memory, NumbersAreWrittenForPeople) {
  EXPECT_EQ(bytes_text(7.2e9), "7.2 GB");
  EXPECT_EQ(bytes_text(12'300'000), "12 MB");
  EXPECT_EQ(bytes_text(999'600), "1.0 MB");
  EXPECT_EQ(bytes_text(12), "12 bytes");
}

}  // namespace
}  // namespace bellwether
