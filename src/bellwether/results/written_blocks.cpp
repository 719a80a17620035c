#include <bellwether/results/written_blocks.h>

#include <algorithm>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/results/store_checksums.h>
#include <bellwether/results/store_file.h>
#include <bellwether/results/store_transaction.h>

namespace bellwether {

namespace {

constexpr const char* meddled = "another program has changed it while the sweep was writing";

}  // namespace

void WrittenBlocks::add(std::span<const DoneBlock> found) {
  for (const DoneBlock& block : found) runs_[{block.setting, block.block}] = block.runs;
}

void WrittenBlocks::add(std::span<const BlockResult> written) {
  for (const BlockResult& block : written) runs_[{block.setting, block.block}] = block.runs.size();
}

void WrittenBlocks::check_are_in(const std::filesystem::path& file) const {
  if (runs_.empty()) return;
  try {
    store_file::guarded(file, [&] {
      const auto database = store_file::open_for_reading(file);
      const StoreTransaction one_moment(*database, StoreTransaction::For::reading);
      check_are_in(*database, file);
    });
  } catch (const InvalidArgument& error) {  // what is there is no file of results any more
    throw IoError(fmt::format("{}: {}", error.what(), meddled));
  }
}

void WrittenBlocks::check_are_in(SQLite::Database& database, const std::filesystem::path& file) const {
  std::map<std::int64_t, std::uint64_t> expected;  // runs of each setting
  for (const auto& [block, runs] : runs_) expected[block.first] += runs;
  SQLite::Statement count(database, "SELECT count(*) FROM runs WHERE setting = ?");
  std::uint64_t all = 0;
  std::uint64_t there = 0;
  for (const auto& [setting, runs] : expected) {
    count.reset();
    count.bind(1, setting);
    count.executeStep();
    all += runs;
    there += std::min(runs, static_cast<std::uint64_t>(count.getColumn(0).getInt64()));
  }
  if (there < all) {
    throw IoError(
        fmt::format("{} lacks {} of the {} runs that were written: {}", file.string(), all - there, all, meddled));
  }
  StoreChecksums checksums(database);
  checksums.verify_studies();
  for (const auto& [setting, runs] : expected) {
    checksums.verify_setting(setting);
    checksums.verify_blocks(setting);
  }
}

}  // namespace bellwether
