#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/support/statistics.h>
#include <bellwether/results/store.h>

namespace SQLite {
class Database;
}

namespace bellwether {

struct StoredStudy {
  std::int64_t id = 0;
  std::string created;  // UTC, 2026-01-31T12:00:00Z
  StudyRecord record;
};

struct StoredSetting {
  std::int64_t id = 0;
  std::optional<double> microseconds;  // per step, of one learner alone; nothing when it was not measured
  std::optional<std::uint64_t> bytes;  // of memory
  SettingRecord record;
};

/// The runs of a setting, summarised. Runs that diverged count in `runs` and `diverged` only.
struct Summary {
  StoredSetting setting;
  std::uint64_t runs = 0;  // in the file; more than the study plans, when it had more seeds before
  std::uint64_t diverged = 0;
  std::vector<Estimate> average;  // over the whole curve, one per metric
  std::vector<Estimate> last;     // at the end, one per metric
  std::vector<double> first;      // the mean at the start, one per metric; 0 when no run finished
};

/// True when a did better than b by the metric of this index, averaged over the curve or at the end: a smaller share of
/// diverged runs, then the smaller value, or the larger where `larger_is_better`. Settings all of whose runs diverged
/// come last.
bool better(const Summary& a, const Summary& b, std::size_t metric, std::vector<Estimate> Summary::*by,
            bool larger_is_better = false);

struct CurvePoint {
  double mean = 0;
  double variance = 0;  // of one run, unbiased; zero with a single run
  std::uint64_t runs = 0;

  /// The half-width of the 95 % interval of the mean; infinite with a single run.
  double half_width() const;
};

/// Reads a file of results, even while a sweep writes it. Each call sees the file as it was at one moment. To be used
/// from one thread at a time. Every function throws IoError when the file is damaged.
class StoreReader {
 public:
  /// Throws InvalidArgument when `file` is something else or of a newer format, IoError when it cannot be read.
  explicit StoreReader(const std::filesystem::path& file);
  ~StoreReader();
  StoreReader(const StoreReader&) = delete;
  StoreReader& operator=(const StoreReader&) = delete;

  std::vector<StoredStudy> studies() const;                       // in the order they were begun
  std::vector<StoredSetting> settings(std::int64_t study) const;  // by id
  std::vector<RunRecord> runs(std::int64_t setting) const;        // by seed, with the curves that were kept

  /// Mean and variance over runs at each of StudyRecord::at; empty when no run finished. Blocks are joined in order, so
  /// the numbers do not depend on which was written first.
  std::vector<CurvePoint> curve(std::int64_t setting, const std::string& metric) const;

  /// All settings of a study, by id.
  std::vector<Summary> summarise(const StoredStudy& study) const;

  /// The content of a study on which all sweeps of it must agree, however they were cut, shared or interrupted: its
  /// protocol, settings, runs, scores and curves, in a canonical order, bit for bit. Times, memory, versions, machines
  /// and texts are left out.
  void content(const StoredStudy& study, const std::function<void(std::string_view line)>& line) const;

  /// A hash of the content, 16 hexadecimal digits.
  std::string digest(const StoredStudy& study) const;

  const std::filesystem::path& file() const { return file_; }

 private:
  struct Statements;

  std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<Statements> statements_;
};

}  // namespace bellwether
