#include <bellwether/results/store_checksums.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <zlib.h>

#include <bellwether/results/store.h>
#include <bellwether/results/store_file.h>

namespace bellwether {

namespace {

using Row = SQLite::Statement;

constexpr std::int64_t itself = -1;  // what stands for a setting where there would be the number of a block
constexpr auto block_size = static_cast<std::int64_t>(seeds_per_block);
constexpr std::int64_t last_block = std::numeric_limits<std::int64_t>::max() / block_size - 1;

uLong add(uLong sum, const void* bytes, std::size_t size) {
  return crc32_z(sum, static_cast<const Bytef*>(bytes), size);
}

void bind_all(Row& row, std::initializer_list<std::int64_t> arguments) {
  row.tryReset();
  int i = 0;
  for (const std::int64_t argument : arguments) row.bind(++i, argument);
}

/// Adds all columns of all rows of a statement with these arguments. False when there are none.
bool add(uLong& sum, Row& row, std::initializer_list<std::int64_t> arguments) {
  bind_all(row, arguments);
  bool any = false;
  while (row.executeStep()) {
    any = true;
    for (int c = 0; c < row.getColumnCount(); ++c) {
      const SQLite::Column cell = row.getColumn(c);
      const int type = cell.getType();
      sum = add(sum, &type, sizeof type);
      if (type == SQLITE_INTEGER) {
        const std::int64_t value = cell.getInt64();
        sum = add(sum, &value, sizeof value);
      } else if (type == SQLITE_FLOAT) {
        const double value = cell.getDouble();
        sum = add(sum, &value, sizeof value);
      } else if (type != SQLITE_NULL) {
        const void* const bytes = cell.getBlob();
        const std::int64_t size = cell.getBytes();
        sum = add(sum, &size, sizeof size);
        if (size > 0) sum = add(sum, bytes, static_cast<std::size_t>(size));
      }
    }
  }
  row.tryReset();
  return any;
}

/// The number that a statement gives, if it gives one.
std::optional<std::int64_t> number_from(Row& row, std::initializer_list<std::int64_t> arguments) {
  bind_all(row, arguments);
  std::optional<std::int64_t> value;
  if (row.executeStep()) value = row.getColumn(0).getInt64();
  row.tryReset();
  return value;
}

std::vector<std::int64_t> ids_from(Row& row, std::initializer_list<std::int64_t> arguments) {
  bind_all(row, arguments);
  std::vector<std::int64_t> ids;
  while (row.executeStep()) ids.push_back(row.getColumn(0).getInt64());
  row.tryReset();
  return ids;
}

void put_into(Row& row, std::initializer_list<std::int64_t> values) {
  bind_all(row, values);
  row.exec();
}

}  // namespace

// Lists of rows are read from tables, not from indexes, which repeat columns and have no checksums.
struct StoreChecksums::Statements {
  explicit Statements(SQLite::Database& d)
      : setting(d,
                "SELECT name, scale, protocol, metrics, at, keeps_curves, domain, domain_settings, features, "
                "feature_settings, label, learner, parameters, dim, max_active, microseconds, bytes "
                "FROM settings JOIN studies ON studies.id = study WHERE settings.id = ?"),
        runs(d, "SELECT * FROM runs WHERE setting = ? AND seed BETWEEN ? AND ? ORDER BY seed"),
        scores(d, "SELECT * FROM scores WHERE setting = ? AND seed BETWEEN ? AND ? ORDER BY seed, metric"),
        curves(d, "SELECT * FROM curves WHERE setting = ? AND block = ? ORDER BY metric"),
        run_curves(d, "SELECT * FROM run_curves WHERE setting = ? AND seed BETWEEN ? AND ? ORDER BY seed, metric"),
        blocks(d, "SELECT DISTINCT setting, seed / ? FROM runs WHERE setting BETWEEN ? AND ?"),
        settings(d, "SELECT id FROM settings NOT INDEXED"),
        settings_of(d, "SELECT id FROM settings NOT INDEXED WHERE study = ?"),
        put(d, "INSERT OR REPLACE INTO checksums VALUES (?, ?, ?)"),
        get(d, "SELECT value FROM checksums WHERE setting = ? AND block = ?"),
        all(d, "SELECT count(*) FROM checksums WHERE setting = ? AND block >= 0") {}

  /// The checksum of a setting, or of a block of it, as they are now; nothing when there is no such setting.
  std::optional<std::int64_t> computed(std::int64_t id, std::int64_t block) {
    uLong sum = 0;
    if (block == itself) {
      if (!add(sum, setting, {id})) return std::nullopt;
    } else {
      const std::int64_t first = block * block_size;
      for (Row* const table : {&runs, &scores, &run_curves}) add(sum, *table, {id, first, first + block_size - 1});
      add(sum, curves, {id, block});
    }
    return static_cast<std::int64_t>(sum);
  }

  void write(std::int64_t id, std::int64_t block) {
    if (const auto value = computed(id, block)) put_into(put, {id, block, *value});
  }

  /// The blocks that have runs, of the settings from the first id to the last.
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks_of(std::int64_t first, std::int64_t last) {
    bind_all(blocks, {block_size, first, last});
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    while (blocks.executeStep()) {
      found.emplace_back(blocks.getColumn(0).getInt64(), blocks.getColumn(1).getInt64());
      if (found.back().second < 0 || found.back().second > last_block) {
        throw std::runtime_error("a run has a seed that cannot be");
      }
    }
    blocks.tryReset();
    return found;
  }

  Row setting, runs, scores, curves, run_curves, blocks, settings, settings_of, put, get, all;
};

struct StoreChecksums::OfStudies {
  explicit OfStudies(SQLite::Database& d)
      : study(d, "SELECT * FROM studies WHERE id = ?"),
        plan(d, "SELECT id, planned FROM settings NOT INDEXED WHERE study = ? ORDER BY id"),
        studies(d, "SELECT id FROM studies NOT INDEXED"),
        strays(d,
               "SELECT 'the study of setting', id FROM settings NOT INDEXED "
               "WHERE NOT EXISTS (SELECT 1 FROM studies WHERE studies.id = settings.study) "
               "UNION ALL SELECT 'study', study FROM study_checksums "
               "WHERE NOT EXISTS (SELECT 1 FROM studies WHERE studies.id = study_checksums.study) "
               "UNION ALL SELECT 'setting', setting FROM checksums "
               "WHERE NOT EXISTS (SELECT 1 FROM settings WHERE settings.id = checksums.setting) LIMIT 1"),
        put(d, "INSERT OR REPLACE INTO study_checksums VALUES (?, ?)"),
        get(d, "SELECT value FROM study_checksums WHERE study = ?") {}

  /// The checksum of a study as it is now; nothing when there is none.
  std::optional<std::int64_t> computed(std::int64_t id) {
    uLong sum = 0;
    if (!add(sum, study, {id})) return std::nullopt;
    add(sum, plan, {id});
    return static_cast<std::int64_t>(sum);
  }

  Row study, plan, studies, strays, put, get;
};

StoreChecksums::StoreChecksums(SQLite::Database& database)
    : statements_(std::make_unique<Statements>(database)),
      studies_(store_file::has_study_checksums(database) ? std::make_unique<OfStudies>(database) : nullptr) {}
StoreChecksums::~StoreChecksums() = default;

void StoreChecksums::write_study(std::int64_t study) {
  if (studies_ == nullptr) return;
  if (const auto value = studies_->computed(study)) put_into(studies_->put, {study, *value});
}

void StoreChecksums::write_setting(std::int64_t setting) { statements_->write(setting, itself); }

void StoreChecksums::write_block(std::int64_t setting, std::uint64_t block) {
  statements_->write(setting, static_cast<std::int64_t>(block));
}

void StoreChecksums::write_studies() {
  if (studies_ == nullptr) return;
  for (const std::int64_t study : ids_from(studies_->studies, {})) write_study(study);
}

void StoreChecksums::write_all() {
  for (const std::int64_t id : ids_from(statements_->settings, {})) {
    write_setting(id);
    for (const auto& [setting, block] : statements_->blocks_of(id, id)) statements_->write(setting, block);
  }
  write_studies();
}

void StoreChecksums::verify_study(std::int64_t study) {
  if (studies_ == nullptr || number_from(studies_->get, {study}) == studies_->computed(study)) return;
  throw std::runtime_error(fmt::format("study {} is not what was written: its checksum differs", study));
}

void StoreChecksums::verify_studies() {
  if (studies_ == nullptr) return;
  for (const std::int64_t study : ids_from(studies_->studies, {})) verify_study(study);
  Row& strays = studies_->strays;
  strays.tryReset();
  if (!strays.executeStep()) return;
  const std::string missing =
      fmt::format("{} {} is missing", strays.getColumn(0).getString(), strays.getColumn(1).getInt64());
  strays.tryReset();
  throw std::runtime_error(missing);
}

void StoreChecksums::verify_setting(std::int64_t setting) {
  if (number_from(statements_->get, {setting, itself}) == statements_->computed(setting, itself)) return;
  throw std::runtime_error(fmt::format("setting {} is not what was written: its checksum differs", setting));
}

void StoreChecksums::verify_settings_of(std::int64_t study) {
  for (const std::int64_t setting : ids_from(statements_->settings_of, {study})) verify_setting(setting);
}

void StoreChecksums::verify_blocks(std::int64_t setting) {
  if (verified_.contains(setting)) return;
  const auto blocks = statements_->blocks_of(setting, setting);
  for (const auto& [id, block] : blocks) {
    if (number_from(statements_->get, {id, block}) == statements_->computed(id, block)) continue;
    throw std::runtime_error(
        fmt::format("block {} of setting {} is not what was written: its checksum differs", block, setting));
  }
  if (number_from(statements_->all, {setting}) != static_cast<std::int64_t>(blocks.size())) {
    throw std::runtime_error(fmt::format("blocks of setting {} are missing", setting));
  }
  verified_.insert(setting);
}

}  // namespace bellwether
