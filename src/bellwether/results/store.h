#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/core/params/params.h>
#include <bellwether/results/curve_block.h>

/// The content of a file of results: one SQLite file for any number of studies, written by StoreWriter (store_writer.h)
/// and read by StoreReader (store_reader.h). docs/store.md describes its tables for those who query it themselves.
///
///   study    a study file at one scale; identified by (name, scale)
///   setting  a learner with all its parameters, on features, on a domain
///   run      one seed of one setting: its status, its time, its scores
///   block    the runs of `seeds_per_block` consecutive seeds of a setting, which are written whole or not at all
namespace bellwether {

/// Seeds 0, 1, 2, ... of a setting are cut into blocks of this many; block b has seeds 10 b, ..., 10 b + 9. It is part
/// of the format: means and variances are joined over blocks, and another cut would give other last bits.
inline constexpr std::uint64_t seeds_per_block = 10;

struct StudyRecord {
  std::string name;
  std::string title;
  std::string scale;   // "quick", "paper", ...
  std::string source;  // text of the study file
  Settings protocol;   // what must agree for runs to be comparable: steps, every, seed, evaluation, ...
  std::uint64_t seeds = 0;
  std::vector<std::string> metrics;  // at least one; the first ranks
  std::vector<std::uint64_t> at;     // steps at which metrics were recorded
  bool keeps_curves = false;         // of every run, besides their means
  std::string version;               // of the library that wrote it last, with its machine and command line
  std::string machine;
  std::string command;
};

struct SettingRecord {
  std::string domain;
  Settings domain_settings;
  std::string features;  // description of the features; empty: the domain's own
  Settings feature_settings;
  std::string label;  // what figures and tables call the learner
  std::string learner;
  Settings parameters;  // every one of them, resolved
  std::uint64_t dim = 0;
  std::uint64_t max_active = 0;

  bool operator==(const SettingRecord&) const = default;
};

/// One run. Runs that diverged are counted and take no part in any average: their scores and curves are not stored, and
/// are empty when read.
struct RunRecord {
  std::uint64_t seed = 0;
  std::optional<std::uint64_t> diverged_at;  // step
  double seconds = 0;
  std::vector<double> average;  // over the whole curve, one per metric
  std::vector<double> last;     // at the end, one per metric
  Curves curves;                // [metric][point], when the study keeps them
};

/// The result of a block: its runs in the order of their seeds, and the curves of those that did not diverge.
struct BlockResult {
  std::int64_t setting = 0;
  std::uint64_t block = 0;
  std::vector<RunRecord> runs;
  CurveBlock curves;
};

/// A block that is in the file. It has fewer runs than planned when the study had fewer seeds at the time.
struct DoneBlock {
  std::int64_t setting = 0;
  std::uint64_t block = 0;
  std::uint64_t runs = 0;
  std::uint64_t diverged = 0;  // of these
};

}  // namespace bellwether
