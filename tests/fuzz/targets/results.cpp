// Files of results. Half of the changes are to bytes of the file; the others are to cells of its tables, after which
// the checksums are computed again, as someone who wants to deceive would do.
#include <bellwether/results/store_reader.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <bellwether/core/support/rng.h>
#include <bellwether/results/store_checksums.h>
#include <bellwether/results/store_file.h>

#include "fuzz/inputs.h"
#include "fuzz/target.h"

namespace bellwether::fuzz {
namespace {

/// A database in a file, without what SQLite may have left beside the one before it.
const std::string& as_database(const std::string& bytes) {
  const std::string& file = as_file(bytes, ".db");
  for (const char* beside : {"-wal", "-shm", "-journal"}) std::filesystem::remove(file + beside);
  return file;
}

void read_results(const std::string& file) {
  const StoreReader reader(file);
  for (const StoredStudy& study : reader.studies()) {
    for (const StoredSetting& setting : reader.settings(study.id)) {
      reader.runs(setting.id);
      for (const std::string& metric : study.record.metrics) reader.curve(setting.id, metric);
    }
    for (const Summary& summary : reader.summarise(study)) {
      for (std::size_t i = 0; i < study.record.metrics.size(); ++i) better(summary, summary, i, &Summary::average);
    }
    reader.digest(study);
  }
}

/// A statement that changes a cell of every row, or of one, of some table.
std::string update(Rng& rng) {
  using Columns = std::vector<const char*>;
  static const std::vector<std::pair<const char*, Columns>> tables{
      {"studies", {"id", "name", "protocol", "seeds", "metrics", "at", "keeps_curves", "source", "created"}},
      {"settings",
       {"study", "domain", "domain_settings", "feature_settings", "label", "parameters", "dim", "max_active",
        "microseconds", "bytes", "planned"}},
      {"runs", {"setting", "seed", "diverged_at", "seconds"}},
      {"scores", {"setting", "seed", "metric", "average", "last"}},
      {"curves", {"setting", "block", "metric", "runs", "mean", "m2"}},
      {"run_curves", {"setting", "seed", "metric", "curve"}},
      {"checksums", {"setting", "block", "value"}},
      {"study_checksums", {"study", "value"}}};
  static const std::array values{"NULL",
                                 "0",
                                 "-1",
                                 "1",
                                 "1e300",
                                 "-1e300",
                                 "9e999",
                                 "0.5",
                                 "9223372036854775807",
                                 "zeroblob(8)",
                                 "zeroblob(0)",
                                 "zeroblob(800)",
                                 "''",
                                 "'rmse'",
                                 "'[]'",
                                 "'{}'",
                                 "'[0,1e400]'",
                                 "'[\"rmse\",\"rmse\"]'",
                                 "randomblob(24)"};
  const auto& [table, columns] = tables[rng.below(tables.size())];
  const char* const column = columns[rng.below(columns.size())];
  std::string value = values[rng.below(values.size())];
  if (rng.below(3) == 0) value = fmt::format("{} + {}", column, rng.below(5));
  if (rng.below(3) == 0) value = fmt::format("{0} || substr({0}, 1, {1})", column, rng.below(20));
  if (rng.below(12) == 0) return fmt::format("DELETE FROM {} WHERE {} % 3 = {}", table, column, rng.below(3));
  return fmt::format("UPDATE OR REPLACE {} SET {} = {}{}", table, column, value,
                     rng.below(2) == 0 ? "" : fmt::format(" WHERE {} % 3 = {}", column, rng.below(3)));
}

std::string mutate_results(const std::string& bytes, std::size_t longest, std::uint32_t seed, const Change& change) {
  Rng rng(seed);
  if (rng.below(2) == 0) return change(bytes, longest);
  const std::string& file = as_database(bytes);
  try {
    SQLite::Database database(file, SQLite::OPEN_READWRITE);
    database.exec("PRAGMA journal_mode = OFF");
    database.exec(update(rng));
    StoreChecksums(database).write_all();
  } catch (const std::exception&) {
    return change(bytes, longest);
  }
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

const Registered results_target({.name = "results",
                                 .run = [](const std::string& bytes) { read_results(as_database(bytes)); },
                                 .mutate = mutate_results});

}  // namespace bellwether::fuzz
