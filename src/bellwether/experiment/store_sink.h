#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/experiment/work.h>
#include <bellwether/results/store_writer.h>

namespace bellwether {

/// What is noted in a file of results about where it was written.
struct Provenance {
  std::string machine;
  std::string command;
};

/// The settings of a study as a file of results has them.
std::vector<SettingRecord> setting_records(const PreparedStudy& study);

/// Writes trials to a file of results. A block of a setting is written when all its seeds are there, whole or not at
/// all; its curves are joined in the order of the seeds, whichever came first.
class StoreSink {
 public:
  /// Enters the study and its settings. Throws InvalidArgument when the file has runs that could not be compared.
  StoreSink(const PreparedStudy& study, StoreWriter& store, const Provenance& provenance);

  /// The memory of a learner of each setting, to be noted with its time.
  void know_bytes(std::vector<std::optional<std::uint64_t>> bytes) { bytes_ = std::move(bytes); }

  /// Whether the file has this block of a setting.
  bool has(std::size_t setting, std::uint64_t block) const { return done_.contains({setting, block}); }

  void take(const WorkUnit& work, UnitResult result);

  std::uint64_t runs() const { return runs_; }  // of the study that are in the file
  std::uint64_t diverged() const { return diverged_; }

 private:
  using BlockKey = std::pair<std::size_t, std::uint64_t>;  // setting, block

  /// The seeds of a block that have arrived, by their place in the block.
  using Partial = std::map<std::uint64_t, Trial>;

  std::uint64_t seeds_in(std::uint64_t block) const;
  BlockResult joined(const BlockKey& key, const Partial& trials) const;

  const PreparedStudy& study_;
  StoreWriter& store_;
  std::vector<std::int64_t> ids_;  // of the settings, in the file
  std::vector<std::optional<std::uint64_t>> bytes_;
  std::set<BlockKey> done_;  // before this sweep
  std::map<BlockKey, Partial> partial_;
  std::uint64_t runs_ = 0;
  std::uint64_t diverged_ = 0;
};

}  // namespace bellwether
