#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <bellwether/core/parallel.h>
#include <bellwether/core/ranks.h>
#include <bellwether/experiment/plan.h>
#include <bellwether/experiment/seed_run.h>
#include <bellwether/results/store.h>
#include <bellwether/results/store_writer.h>
#include <bellwether/study/study.h>

namespace bellwether {

/// Thrown out of work that was asked to stop.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// The time of one learner alone, which no setting that learned with others tells.
struct MeasuredAlone {
  std::int64_t setting = 0;
  double seconds_per_step = 0;  // not a number: it diverges too soon to tell
};

/// What came of a unit.
struct WorkResult {
  std::vector<BlockResult> blocks;  // BlockResult::setting is the place in Study::settings
  std::vector<MeasuredAlone> alone;
};

/// What a sweep will take.
struct SweepEstimate {
  std::uint64_t settings = 0;
  std::uint64_t groups = 0;  // of settings that share their work
  std::uint64_t runs = 0;
  double steps = 0;                        // of all these runs
  double core_seconds = 0;                 // to do them; divided by the number of jobs, the time
  double longest = 0;                      // seconds of the longest piece, which one thread does
  double bytes = 0;                        // of memory, for each job
  std::map<std::string, double> of_label;  // core_seconds, by what takes them
};

/// How far a sweep is.
struct SweepProgress {
  double share = 0;        // of the expected time
  std::uint64_t runs = 0;  // done, with those of earlier times
  std::uint64_t of = 0;
  std::uint64_t diverged = 0;
};

/// Runs a study: every setting for every seed, shared where settings share, in any order, on any number of threads and
/// processes. What comes out is a function of the study alone, bit for bit, but for times.
///
///     Sweep sweep(read_study("studies/boyan.toml"), {.jobs = 2});
///     StoreWriter store("boyan.db");
///     sweep.run(store);
class Sweep {
 public:
  struct Options {
    unsigned jobs = 1;
    bool sharing = true;
    std::filesystem::path cache = {};    // where true values are kept; empty: nowhere
    std::function<bool()> stopped = {};  // asked often, from several threads; true: give up what is in progress
    std::function<void(const SweepProgress&)> progress = {};
    Progress finding_truth = {};
    Ranks* ranks = nullptr;  // the processes that work together; none: this one alone
    std::string machine = {};
    std::string command = {};
  };

  /// Makes domains and finds true values. Throws InvalidArgument when the study makes no sense, Interrupted when
  /// stopped.
  Sweep(Study study, Options options);

  const Study& study() const { return study_; }
  const std::vector<std::string>& metrics() const { return metric_names_; }
  const std::vector<std::uint64_t>& at() const { return at_; }

  /// Measures samples of the work, each for about so long.
  SweepEstimate estimate(double seconds_each);

  /// Does what `store` does not have yet. Returns false when it was stopped before the end: what was finished is in the
  /// store, and running again goes on from there. With several processes, those of rank > 0 call `serve` instead.
  bool run(StoreWriter& store);

  /// Does what rank 0 asks for until there is no more to do.
  void serve();

  /// One run, alone: seed `run % seeds` of setting `run / seeds`.
  Trial run_one(std::uint64_t run) const;

  StudyRecord record() const;
  std::vector<SettingRecord> setting_records() const;

 private:
  /// A case with what all its runs share.
  struct Case {
    std::unique_ptr<Domain> domain;
    std::string features;
    GroundTruth truth;
    std::size_t dim = 0;
    std::size_t max_active = 0;
  };

  Protocol protocol(const Case& of) const;
  WorkResult run_work(const WorkUnit& work) const;
  std::vector<double> costs(double seconds_each, SweepEstimate* estimate);  // of a run of each group, in seconds
  std::vector<std::optional<std::uint64_t>> memory() const;                 // of one learner of each setting, in bytes
  void check_stopped() const;
  void do_what_is_left(StoreWriter& store);

  Study study_;
  Options options_;
  std::vector<std::string> metric_names_;
  std::vector<Metric> metrics_;
  std::vector<std::uint64_t> at_;
  std::vector<std::unique_ptr<Case>> cases_;
  std::vector<SharingGroup> groups_;
  std::atomic<bool> given_up_ = false;  // no unit in progress is wanted any more
  double setup_ = 0;                    // seconds that simulating a run and preparing its measures takes
};

}  // namespace bellwether
