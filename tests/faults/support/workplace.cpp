#include "faults/support/workplace.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <bellwether/core/error.h>
#include <bellwether/model/model.h>

#include "support/results.h"

namespace bellwether::testing {

namespace fs = std::filesystem;

namespace {

constexpr int rows = 300;

constexpr const char* study = R"(
title = "Two settings"
[domain]
name = "random_walk"
size = 9
[run]
steps = 400
every = 100
seeds = 30
metrics = ["rmse"]
[[learner]]
name = "td"
alpha = [0.05, 0.1]
)";

std::string log_of(int first) {
  std::string text = "s,t,reward,done\n";
  for (int i = first; i < first + rows; ++i) {
    text += fmt::format("{},{},{},{}\n", i % 7, i % 5, 1 + i % 3, i % 11 == 10 ? 1 : 0);
  }
  return text;
}

Finished run_in(const std::string& folder, const std::vector<std::string>& environment,
                const std::vector<std::string>& words, const std::string& input) {
  std::string command = "exec /usr/bin/env -C " + folder + " BELLWETHER_CACHE=" + folder + "/cache";
  for (const std::string& setting : environment) command += " '" + setting + "'";
  command += std::string(" " BELLWETHER_PROGRAM) + fmt::format(" {}", fmt::join(words, " "));
  const std::string source = input.starts_with('/') ? input : folder + "/" + input;
  return Process({"/bin/bash", "-c", command + " < " + source}).finish();
}

bool is_results(const std::string& name) { return name.ends_with(".db"); }
bool grows(const std::string& name) { return name.ends_with(".jsonl"); }

/// Whether a text consists of whole lines of another one, in their order.
bool is_part_of(const std::string& part, const std::string& whole) {
  std::istringstream lines(whole);
  std::istringstream wanted(part);
  std::string line;
  for (std::string next; std::getline(wanted, next);) {
    do {
      if (!std::getline(lines, line)) return false;
    } while (line != next);
  }
  return part.empty() || part.ends_with('\n');
}

}  // namespace

const std::vector<Job>& jobs() {
  static const std::vector<Job> all{
      {"sweep", {"sweep", "study.toml", "--out", "new.db", "--jobs", "2"}, {"new.db"}},
      {"learn", {"learn", "more.csv", "--continue", "-m", "m.bw"}, {"m.bw"}},
      {"stream",
       {"learn", "-", "--checkpoint", "0.0001s", "-m", "s.bw", "--predict", "values.jsonl", "--learner", "td",
        "--features", "tile_coding", "--sample", "50"},
       {"s.bw", "values.jsonl"},
       "log.csv",
       false},
      {"predict", {"predict", "m.bw", "log.csv", "--interval", "-o", "values.csv"}, {"values.csv"}},
      {"merge", {"merge", "a.bw", "b.bw", "-o", "m.bw"}, {"m.bw"}},
      {"report", {"report", "old.db", "-o", "page.html"}, {"page.html"}},
      {"export",
       {"export", "old.db", "--force", "-o", "tables"},
       {"tables/studies.csv", "tables/settings.csv", "tables/runs.csv", "tables/scores.csv", "tables/curves.csv"}},
  };
  return all;
}

Workplace::Workplace(const Job& job) : job_(job) {
  fs::create_directory(start_);
  const auto put = [&](const char* name, const std::string& text) { std::ofstream(start_ + "/" + name) << text; };
  put("study.toml", study);
  put("log.csv", log_of(0));
  put("more.csv", log_of(1000));
  const auto make = [&](const std::vector<std::string>& words) {
    const Finished made = run_in(start_, {}, words, "/dev/null");
    if (made.code != 0) throw std::runtime_error(made.err);
  };
  make({"learn", "log.csv", "-m", "a.bw"});
  make({"learn", "more.csv", "--like", "a.bw", "-m", "b.bw"});
  fs::copy(start_ + "/a.bw", start_ + "/m.bw");
  make({"sweep", "study.toml", "--out", "old.db"});
  renew();
  for (const std::string& name : job_.outputs) before_[name] = content_of(name);
  const Finished done = run_with("none:0:0:once");
  if (done.code != 0) throw std::runtime_error(job_.name + ": " + done.err);
  said_ = done.err;
  std::ifstream counted(counts_);
  std::string kind;
  for (long calls = 0; counted >> kind >> calls;) calls_[kind] = calls;
  for (const std::string& name : job_.outputs) after_[name] = content_of(name);
}

void Workplace::renew() const {
  fs::remove_all(folder_);
  fs::copy(start_, folder_, fs::copy_options::recursive);
}

Finished Workplace::run(const std::vector<std::string>& environment) const {
  return run_in(folder_, environment, job_.words, job_.input);
}

Finished Workplace::run_with(const std::string& fault, const std::string& journal) const {
  std::vector<std::string> settings{"LD_PRELOAD=" BELLWETHER_SHIM, "FAULT=" + fault, "FAULT_FOLDER=" + folder_,
                                    "FAULT_COUNT=" + counts_};
  if (!journal.empty()) settings.push_back("FAULT_JOURNAL=" + journal);
  return run(settings);
}

long Workplace::calls(const std::string& kind) const {
  const auto found = calls_.find(kind);
  return found == calls_.end() ? 0 : found->second;
}

std::string Workplace::content_of(const std::string& name) const {
  if (!fs::exists(path(name))) return "";
  if (!is_results(name)) return read_file(path(name));
  try {
    return content(path(name));
  } catch (const InvalidArgument& error) {  // it was made, and nothing is in it yet
    EXPECT_EQ(error.what(), path(name) + " holds no results yet");
    return "";
  }
}

void Workplace::expect_files(bool complete, const std::string& what) const {
  for (const std::string& name : job_.outputs) {
    const std::string there = content_of(name);
    if (there == after_.at(name)) continue;
    EXPECT_FALSE(complete) << what << ": " << name << " is not complete";
    if (there == before_.at(name) || grows(name)) continue;
    if (name == "s.bw") {
      EXPECT_LE(Model::load(path(name)).episodes().steps(), static_cast<std::uint64_t>(rows)) << what;
    } else if (is_results(name)) {
      EXPECT_LT(there.size(), after_.at(name).size()) << what;
    } else {
      ADD_FAILURE() << what << ": " << name << " is neither as before nor as after";
    }
  }
}

void Workplace::check_files(bool complete, const std::string& what) const {
  try {
    expect_files(complete, what);
    if (!job_.repeats) return;
    (void)run();  // may say that there is nothing to do
    expect_files(true, what + ", repeated");
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

void Workplace::check_lines(const std::string& what) const {
  for (const std::string& name : job_.outputs) {
    if (!grows(name) || !fs::exists(path("s.bw"))) continue;
    std::istringstream lines(after_.at(name));
    std::string learned;
    std::string line;
    for (auto left = Model::load(path("s.bw")).episodes().steps(); left > 0 && std::getline(lines, line); --left) {
      learned += line + "\n";
    }
    EXPECT_TRUE(content_of(name).starts_with(learned)) << what << ": " << name;
  }
}

void Workplace::check(const Finished& done, const std::string& what) const {
  EXPECT_TRUE(done.code >= 0 && done.code <= 2) << what << ": code " << done.code << ", " << done.err;
  const std::size_t end = done.err.size() < 2 ? std::string::npos : done.err.rfind('\n', done.err.size() - 2);
  const std::string last = end == std::string::npos ? done.err : done.err.substr(end + 1);
  EXPECT_TRUE(done.code == 0 || (last.starts_with("bellwether: ") && last.ends_with('\n'))) << what << ": " << done.err;
  for (const std::string& name : job_.outputs) {
    EXPECT_TRUE(!grows(name) || is_part_of(content_of(name), after_.at(name))) << what << ": " << name;
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    EXPECT_NE(entry.path().extension(), ".partial") << what;
  }
  check_files(done.code == 0, what + ": code " + std::to_string(done.code) + ", " + done.err);
}

long amount(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? otherwise : std::atol(text);
}

void count(const std::string& what, const std::string& job, long number) {
  const char* file = std::getenv("BELLWETHER_COUNTS");  // NOLINT(concurrency-mt-unsafe)
  if (file == nullptr || ::testing::Test::HasFailure()) return;
  std::ofstream(file, std::ios::app) << what << ',' << job << ',' << number << '\n';
}

}  // namespace bellwether::testing
