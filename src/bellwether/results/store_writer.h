#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include <bellwether/results/store.h>
#include <bellwether/results/store_lock.h>
#include <bellwether/results/written_blocks.h>

namespace SQLite {
class Database;
}

namespace bellwether {

/// Writes a file of results. At most one process writes a file at a time (store_lock.h), while any number may read it.
/// To be used from one thread at a time.
///
///     StoreWriter store("boyan.db");
///     const auto begun = store.begin(study, settings);
///     for (const DoneBlock& block : store.done(begun.study)) ...  // need not be computed
///     store.commit(blocks);                                       // as often as a loss would hurt
///     store.close();
///
/// A commit is written whole or not at all, and survives kill -9; when the power fails, the last commits may be lost as
/// a whole. When the disk is full, commit throws IoError, earlier commits are kept, and the file can be opened. A
/// program that may meet a limit on the size of files has to ignore SIGXFSZ.
class StoreWriter {
 public:
  /// Opens `file`, or makes it. Throws InvalidArgument when it is something else or of a newer format, and IoError when
  /// it cannot be written, is damaged, or is being written by another process.
  explicit StoreWriter(const std::filesystem::path& file);
  ~StoreWriter();  // merges what was committed, and ignores errors
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  struct Begun {
    std::int64_t study;
    std::vector<std::int64_t> settings;  // their ids, in the order given; equal settings have one id
  };

  /// Enters a study and its settings. When the study is there already, settings that are there keep their ids and
  /// results, new ones are added, and everything else that is said about the study is replaced. It may have more seeds
  /// than before, or fewer: runs that are there stay. Throws InvalidArgument that names the first difference when
  /// protocol, metrics or `at` differ, because the runs could not be compared with those that are there; and IoError
  /// when the study or one of its settings is damaged, as it would get a new checksum.
  Begun begin(const StudyRecord& study, std::span<const SettingRecord> settings);

  /// The blocks of a study that are in the file, by setting and block.
  std::vector<DoneBlock> done(std::int64_t study);

  /// Writes blocks of studies that were begun, all of them or none. Blocks that are there are replaced.
  void commit(std::span<const BlockResult> blocks);

  /// Notes the time and the memory that one learner takes alone, when nothing is shared. A time that is not a number
  /// was not measured.
  void measured_alone(std::int64_t setting, double seconds_per_step, std::optional<std::uint64_t> bytes);

  /// Merges everything into one file, unless somebody is reading or the disk is full, and reads it once more: throws
  /// IoError when a block that was found by `done` or committed is not there as it was written. Nothing may be written
  /// afterwards.
  void close();

  const std::filesystem::path& file() const { return file_; }

 private:
  struct Statements;

  /// Gives up the connection, with everything merged into one file.
  void merge();

  std::filesystem::path file_;
  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<Statements> statements_;
  WrittenBlocks written_;
};

}  // namespace bellwether
