#include <bellwether/core/support/memory.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include <sys/resource.h>

#include <gtest/gtest.h>

#include "support/child.h"
#include "support/rejection.h"
#include "support/sanitizers.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::Child;
using testing::rejection;

/// Memory that was asked for and is not used.
class Request {
 public:
  explicit Request(std::size_t bytes) : memory_(std::malloc(bytes)) {}
  ~Request() { std::free(memory_); }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  bool granted_with(const Request& other) const { return memory_ != nullptr && other.memory_ != nullptr; }

 private:
  void* volatile memory_;  // so that the compiler does not leave it out
};

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

TEST(Memory, TheSmallestOfTheControlGroupsCounts) {
  const testing::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(folder.path(name)).parent_path());
    std::ofstream(folder.path(name)) << text;
  };
  const auto free_of = [&](const std::string& membership) {
    write("membership", membership);
    return free_in_groups(folder.path("membership"), folder.path("groups"));
  };
  constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(free_of("0::/batch/job\n"), unlimited) << "nothing is known of it";
  write("groups/batch/job/memory.max", "max\n");
  write("groups/batch/job/memory.current", "400\n");
  EXPECT_EQ(free_of("0::/batch/job\n"), unlimited);
  write("groups/batch/memory.max", "1000\n");
  write("groups/batch/memory.current", "500\n");
  write("groups/batch/memory.stat", "anon 300\nfile 200\n");
  EXPECT_EQ(free_of("0::/batch/job\n"), 700) << "the group around it, whose cached files are given back";
  write("groups/batch/job/memory.max", "600\n");
  EXPECT_EQ(free_of("0::/batch/job\n"), 200);
  EXPECT_EQ(free_of("0::/\n"), unlimited);
  write("groups/memory/job/memory.limit_in_bytes", "2000\n");
  write("groups/memory/job/memory.usage_in_bytes", "900\n");
  write("groups/memory/job/memory.stat", "cache 1\ntotal_cache 100\n");
  EXPECT_EQ(free_of("5:cpu,cpuacct:/other\n4:memory:/job\n0::/\n"), 1200) << "version 1";
}

TEST(Memory, RequestsBeyondWhatIsFreeFailOnceItIsLimited) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers allocate otherwise";
  Child limited([] {
    rlimit before{}, after{};
    getrlimit(RLIMIT_DATA, &before);
    limit_memory();
    getrlimit(RLIMIT_DATA, &after);
    const auto share = static_cast<std::size_t>(0.6 * static_cast<double>(after.rlim_cur));
    const auto two_are_granted = [share] { return Request(share).granted_with(Request(share)); };
    if (setrlimit(RLIMIT_DATA, &before) != 0 || !two_are_granted()) return 1;
    setrlimit(RLIMIT_DATA, &after);
    const Request one(share);
    return !two_are_granted() && one.granted_with(one) ? 0 : 2;
  });
  const int code = limited.code();
  if (code == 1) GTEST_SKIP() << "this system promises no more than it has";
  EXPECT_EQ(code, 0);
}

TEST(Memory, NumbersAreWrittenForPeople) {
  EXPECT_EQ(bytes_text(7.2e9), "7.2 GB");
  EXPECT_EQ(bytes_text(12'300'000), "12 MB");
  EXPECT_EQ(bytes_text(999'600), "1.0 MB");
  EXPECT_EQ(bytes_text(12), "12 bytes");
}

}  // namespace
}  // namespace bellwether
