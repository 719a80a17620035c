// What becomes of a file of results when processes meet, are killed, or run out of room.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/results/store_reader.h>
#include <bellwether/results/store_writer.h>

#include "support/child.h"
#include "support/rejection.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

using testing::Child;
using testing::content;
using testing::failure;
using testing::small_block;
using testing::small_settings;
using testing::small_study;
using testing::write_small_study;

std::uint64_t runs(const std::string& file) {
  const StoreReader reader(file);
  std::uint64_t all = 0;
  for (const auto& study : reader.studies()) {
    for (const auto& summary : reader.summarise(study)) all += summary.runs;
  }
  return all;
}

/// The same, of a file that a sweep may not have got round to making.
std::uint64_t runs_so_far(const std::string& file) {
  try {
    return fs::exists(file) ? runs(file) : 0;
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.what(), file + " holds no results yet");
    return 0;
  }
}

void wait_for(const std::string& file) {
  while (!fs::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

class StoreAccidents : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::string file_ = folder_.path("boyan.db");
};

TEST_F(StoreAccidents, ASecondWriterIsRefusedAndToldWhoTheFirstIs) {
  const StoreWriter first(file_);
  const std::string refused = fmt::format("{} is being written to by another sweep (process {} on ", file_, getpid());
  EXPECT_EQ(failure([&] { const StoreWriter second(file_); }).rfind(refused, 0), 0U);
  Child other([&] { return failure([&] { const StoreWriter second(file_); }).rfind(refused, 0) == 0 ? 0 : 1; });
  EXPECT_EQ(other.code(), 0);
  fs::create_symlink(file_, folder_.path("link.db"));
  EXPECT_NE(failure([&] { const StoreWriter second(folder_.path("link.db")); }).find("another sweep"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(file_ + ".lock")) << "who is refused leaves the lock alone";
}

TEST_F(StoreAccidents, AWriterThatWasKilledIsInNobodysWay) {
  Child killed([&]() -> int {
    StoreWriter store(file_);
    const auto begun = store.begin(small_study(), small_settings());
    const BlockResult block = small_block(begun.settings[0], 0, 0, 20);
    store.commit({&block, 1});
    const StoreWriter ready(folder_.path("ready.db"));
    for (;;) pause();
  });
  wait_for(folder_.path("ready.db"));
  EXPECT_NE(failure([&] { const StoreWriter store(file_); }).find(fmt::format("(process {} on ", killed.id())),
            std::string::npos);
  EXPECT_EQ(runs(file_), 10U);
  killed.kill();
  EXPECT_TRUE(fs::exists(file_ + ".lock"));
  EXPECT_EQ(runs(file_), 10U);
  write_small_study(file_);
  EXPECT_EQ(runs(file_), 60U);
  EXPECT_FALSE(fs::exists(file_ + ".lock"));
}

TEST_F(StoreAccidents, TheLockIsHeldByOneProcessAtATimeHoweverTheyHurry) {
  const std::string inside = folder_.path("inside");
  const auto hurry = [&] {
    for (int held = 0; held < 300;) {
      if (failure([&] {
            const StoreLock lock(file_);
            const int only = open(inside.c_str(), O_CREAT | O_EXCL, 0600);
            if (only < 0) _exit(1);
            close(only);
            unlink(inside.c_str());
            ++held;
          }) != "went well") {
        sched_yield();
      }
    }
    return 0;
  };
  Child a(hurry);
  Child b(hurry);
  Child c(hurry);
  EXPECT_EQ(a.code(), 0);
  EXPECT_EQ(b.code(), 0);
  EXPECT_EQ(c.code(), 0);
  EXPECT_FALSE(fs::exists(file_ + ".lock"));
}

TEST_F(StoreAccidents, ThirtyKillsEndInTheContentOfAnUndisturbedSweep) {
  const std::string undisturbed = folder_.path("undisturbed.db");
  write_small_study(undisturbed, 200, true);
  std::uint64_t before = 0;
  for (int i = 0; i < 30; ++i) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    Child sweep([&] {
      write_small_study(file_, 200, true, [&] { return write(ends[1], "x", 1); });
      return 0;
    });
    // Half of the kills come soon after some commits, the others at any moment of opening the file.
    close(ends[1]);
    char byte = 0;
    for (int commits = 0; i % 2 == 0 && commits <= i % 3 && read(ends[0], &byte, 1) == 1;) ++commits;
    std::this_thread::sleep_for(std::chrono::microseconds(i % 2 == 0 ? 50 * i : 1000 * i));
    sweep.kill();
    close(ends[0]);
    const std::uint64_t there = runs_so_far(file_);
    EXPECT_EQ(there % 10, 0U) << "a block is whole";
    EXPECT_GE(there, before + (i % 2 == 0 && there < 600 ? 10 : 0)) << "what was committed is kept";
    before = there;
  }
  write_small_study(file_, 200, true);
  EXPECT_EQ(content(file_), content(undisturbed));
}

TEST_F(StoreAccidents, AFileThatMayNotGrowIsAClearErrorAndResumes) {
  const std::string undisturbed = folder_.path("undisturbed.db");
  write_small_study(undisturbed, 500, true);
  Child limited([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{120'000, 120'000};  // the tables alone take most of it
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string message = failure([&] { write_small_study(file_, 500, true); });
    const bool clear = message.rfind(file_ + ": the disk is full", 0) == 0 &&
                       message.find("what was finished is kept, the same command resumes") != std::string::npos;
    if (!clear) fmt::print(stderr, "{}\n", message);
    return clear ? 0 : 1;
  });
  EXPECT_EQ(limited.code(), 0);
  const std::uint64_t kept = runs(file_);
  EXPECT_GT(kept, 0U);
  EXPECT_LT(kept, 1500U);
  EXPECT_EQ(kept % 10, 0U);
  write_small_study(file_, 500, true);
  EXPECT_EQ(content(file_), content(undisturbed));
}

TEST_F(StoreAccidents, AWriterGoesOnAfterACommitThatFailed) {
  Child limited([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    StoreWriter store(file_);
    const auto begun = store.begin(small_study(), small_settings());
    const rlimit small{1000, RLIM_INFINITY};
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    const BlockResult block = small_block(begun.settings[0], 0, 0, 20);
    setrlimit(RLIMIT_FSIZE, &small);
    const bool failed = failure([&] { store.commit({&block, 1}); }) != "went well";
    setrlimit(RLIMIT_FSIZE, &none);
    const bool none_there = store.done(begun.study).empty();
    store.commit({&block, 1});
    return failed && none_there && store.done(begun.study).size() == 1 ? 0 : 1;
  });
  EXPECT_EQ(limited.code(), 0);
  EXPECT_EQ(runs(file_), 10U);
}

}  // namespace
}  // namespace bellwether
