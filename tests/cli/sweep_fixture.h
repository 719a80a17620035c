#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <bellwether/results/store_reader.h>

#include "cli/process.h"
#include "cli/program.h"
#include "support/temporary_folder.h"

namespace bellwether::testing {

/// About half a second of work: ten settings, two of which diverge, and 30 seeds.
inline constexpr const char* study_text = R"(
title = "A small study"
[domain]
name = "random_walk"
size = 19
[run]
steps = 1200
every = 100
seeds = 30
curves = true
metrics = ["rmse"]
[[learner]]
name = "td"
lambda = [0, 0.5]
alpha = [0.05, 0.1, 1e9]
[[learner]]
name = "lstd"
lambda = [0, 0.5]
[[learner]]
name = "atd"
rank = 10
eta = [0, 0.001]
[scale.quick.run]
seeds = 4
[scale.tiny.run]
seeds = 2
[scale.long.run]
seeds = 120
)";

/// A folder with the study and a file of results for it.
class SweepProgram : public ::testing::Test {
 protected:
  SweepProgram() { std::ofstream(study) << study_text; }

  std::vector<std::string> command(const std::vector<std::string>& more = {}, const char* jobs = "2") const {
    std::vector<std::string> words{BELLWETHER_PROGRAM, "sweep", study, "--out", out, "--jobs", jobs};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// Runs it to the end.
  Finished sweep(const std::vector<std::string>& more = {}) const { return Process(command(more)).finish(); }

  Finished bellwether(const std::string& arguments) const { return testing::bellwether(arguments); }

  static std::string digest_of(const std::string& file) {
    const StoreReader reader(file);
    const auto studies = reader.studies();
    EXPECT_EQ(studies.size(), 1U);
    return reader.digest(studies.front());
  }

  /// What a sweep that nothing disturbs comes to, and how long it takes.
  struct Undisturbed {
    Undisturbed() {
      const TemporaryFolder fresh;
      std::ofstream(fresh.path("small.toml")) << study_text;
      const std::string file = fresh.path("small.db");
      const auto begun = std::chrono::steady_clock::now();
      Process({BELLWETHER_PROGRAM, "sweep", fresh.path("small.toml"), "--out", file, "--jobs", "2"}).finish();
      duration = std::chrono::steady_clock::now() - begun;
      digest = digest_of(file);
    }
    std::string digest;
    std::chrono::duration<double> duration{};
  };
  static const Undisturbed& undisturbed() {
    static const Undisturbed one;
    return one;
  }

  void expect_undisturbed_results() const {
    EXPECT_EQ(digest_of(out), undisturbed().digest);
    EXPECT_FALSE(std::filesystem::exists(out + "-wal"));
    EXPECT_FALSE(std::filesystem::exists(out + ".lock"));
  }

  /// Runs that are in the file, also while it is written.
  std::uint64_t runs_there() const {
    try {
      const StoreReader reader(out);
      std::uint64_t runs = 0;
      for (const auto& stored : reader.studies()) {
        for (const Summary& summary : reader.summarise(stored)) runs += summary.runs;
      }
      return runs;
    } catch (const std::exception&) {  // it is not there yet
      return 0;
    }
  }

  /// Waits until the program has stored something; false when it ended before.
  bool wait_for_runs(Process& process, std::uint64_t more_than) const {
    while (process.running()) {
      if (runs_there() > more_than) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  void forget_results() const {
    for (const char* beside : {"", "-wal", "-shm", ".lock", "-journal"}) std::filesystem::remove(out + beside);
  }

  TemporaryFolder folder;
  std::string study = folder.path("small.toml");
  std::string out = folder.path("small.db");
};

inline std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

inline std::string integrity_of(const std::string& file) {
  SQLite::Database database(file, SQLite::OPEN_READWRITE);
  return database.execAndGet("PRAGMA integrity_check").getString();
}

}  // namespace bellwether::testing
