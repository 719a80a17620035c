// The program is killed at random moments, again and again.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/model/model.h>
#include <bellwether/results/store_reader.h>

#include "faults/support/workplace.h"
#include "support/results.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;
using testing::Finished;
using testing::Process;

constexpr long few = 8;

std::vector<std::string> in_bash(const std::string& words) {
  return {"/bin/bash", "-c", "exec " BELLWETHER_PROGRAM " " + words};
}

/// How long an undisturbed run takes, by the clock.
Seconds duration_of(const std::vector<std::string>& words) {
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(Process(words).finish().code, 0);
  return std::chrono::steady_clock::now() - begun;
}

TEST(Kills, OfSweepsLeaveResultsThatAreEqualInEveryBit) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.path("s.toml")) << R"(
title = "Small"
[domain]
name = "random_walk"
size = 9
[run]
steps = 2000
every = 500
seeds = 120
metrics = ["rmse"]
[[learner]]
name = "td"
alpha = [0.02, 0.05, 0.1]
)";
  const auto sweep = [&](const char* out) {
    return in_bash("sweep " + folder.path("s.toml") + " --jobs 2 --out " + folder.path(out));
  };
  const Seconds usual = duration_of(sweep("undisturbed.db"));
  const std::string expected = testing::content(folder.path("undisturbed.db"));
  const std::string out = folder.path("killed.db");
  Rng rng(static_cast<std::uint64_t>(testing::amount("BELLWETHER_SEED", 1)));
  const long wanted = testing::amount("BELLWETHER_KILLS", few);
  long kills = 0;
  long whole = 0;      // sweeps that were finished after kills
  long half_done = 0;  // kills that left some results
  std::size_t before = 0;
  while (kills < wanted && !HasFailure()) {
    Process process(sweep("killed.db"));
    std::this_thread::sleep_for(1.1 * rng.uniform() * usual);
    process.signal(SIGKILL);
    const Finished done = process.finish();
    kills += done.code == 128 + SIGKILL ? 1 : 0;
    std::string there;
    try {
      if (fs::exists(out)) there = testing::content(out);
    } catch (const std::exception& error) {
      EXPECT_EQ(error.what(), out + " holds no results yet");
    }
    EXPECT_GE(there.size(), before) << "what was there is kept";
    before = there.size();
    half_done += !there.empty() && there != expected ? 1 : 0;
    if (done.code == 128 + SIGKILL) continue;
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(there, expected);
    ++whole;
    before = 0;
    for (const char* beside : {"", "-wal", "-shm", "-journal"}) fs::remove(out + beside);
  }
  EXPECT_EQ(Process(sweep("killed.db")).finish().code, 0);
  EXPECT_EQ(testing::content(out), expected);
  testing::count("kills", "sweep", kills);
  testing::count("kills that left part of the results", "sweep", half_done);
  testing::count("sweeps finished afterwards with equal bits", "sweep", whole + 1);
}

std::string row(int i) { return fmt::format("{},{},{},{}\n", i % 7, i % 5, 1 + i % 3, i % 11 == 10 ? 1 : 0); }

TEST(Kills, OfStreamsLeaveTheModelOfTheLastCheckpoint) {
  constexpr int rows = 30'000;
  const testing::TemporaryFolder folder;
  const auto write = [&](const char* name, int first, int last) {
    std::ofstream file(folder.path(name));
    file << "s,t,reward,done\n";
    for (int i = first; i < last; ++i) file << row(i);
  };
  const std::string model = folder.path("m.bw");
  const auto stream = [&](const std::string& input, const std::string& out) {
    return in_bash("learn - --learner td --features tile_coding --sample 300 --checkpoint 0.002s -m " + out + " < " +
                   folder.path(input));
  };
  write("all.csv", 0, rows);
  const Seconds usual = duration_of(stream("all.csv", folder.path("undisturbed.bw")));
  const auto steps_of = [](const std::string& file) { return Model::load(file).episodes().steps(); };
  ASSERT_EQ(steps_of(folder.path("undisturbed.bw")), static_cast<std::uint64_t>(rows - 1));
  Rng rng(static_cast<std::uint64_t>(testing::amount("BELLWETHER_SEED", 1)));
  const long wanted = testing::amount("BELLWETHER_KILLS", few);
  long kills = 0;
  long with_model = 0;
  long compared = 0;
  while (kills < wanted && !HasFailure()) {
    fs::remove(model);
    Process process(stream("all.csv", model));
    std::this_thread::sleep_for(1.1 * rng.uniform() * usual);
    const std::uint64_t seen = fs::exists(model) ? steps_of(model) : 0;  // a checkpoint that is there
    process.signal(SIGKILL);
    if (process.finish().code != 128 + SIGKILL) continue;
    ++kills;
    if (!fs::exists(model)) {
      EXPECT_EQ(seen, 0U);
      continue;
    }
    ++with_model;
    const Model left = Model::load(model);
    const auto steps = left.episodes().steps();
    EXPECT_GE(steps, seen) << "what a checkpoint has written is kept";
    if (with_model % 4 != 0 || steps == 0 || steps + 1 >= rows) continue;
    // What it holds is what the steps up to the checkpoint teach, and a stream goes on from there.
    ++compared;
    write("first.csv", 0, static_cast<int>(steps) + 1);
    const std::string first = folder.path("first.bw");
    fs::remove(first);
    ASSERT_EQ(Process(stream("first.csv", first)).finish().code, 0);
    EXPECT_EQ(left.learner(0).weights(), Model::load(first).learner(0).weights()) << "after " << steps << " steps";
    write("rest.csv", static_cast<int>(steps) + 1, rows);
    const Finished resumed = Process(stream("rest.csv", model)).finish();
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    const auto all = static_cast<std::uint64_t>(rows);
    EXPECT_TRUE(steps_of(model) == all - 1 || steps_of(model) == all - 2) << steps_of(model) << ": but for the cut";
  }
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    EXPECT_TRUE(entry.path().extension() != ".partial" || kills > 0);
  }
  testing::count("kills", "stream", kills);
  testing::count("kills that left a whole model", "stream", with_model);
  testing::count("compared with a model of the same steps: equal bits", "stream", compared);
}

}  // namespace
}  // namespace bellwether
