#include <bellwether/results/store_checksums.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <zlib.h>

#include <bellwether/results/store.h>

namespace bellwether {

namespace {

using Row = SQLite::Statement;

constexpr std::int64_t itself = -1;  // what stands for a setting where there would be the number of a block
constexpr auto block_size = static_cast<std::int64_t>(seeds_per_block);
constexpr std::int64_t last_block = std::numeric_limits<std::int64_t>::max() / block_size - 1;

uLong add(uLong sum, const void* bytes, std::size_t size) {
  return crc32_z(sum, static_cast<const Bytef*>(bytes), size);
}

/// Adds all columns of all rows of a statement with these arguments.
void add(uLong& sum, Row& row, std::initializer_list<std::int64_t> arguments) {
  row.tryReset();
  int i = 0;
  for (const std::int64_t argument : arguments) row.bind(++i, argument);
  while (row.executeStep()) {
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
}

}  // namespace

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
        settings(d, "SELECT id FROM settings"),
        put(d, "INSERT OR REPLACE INTO checksums VALUES (?, ?, ?)"),
        get(d, "SELECT value FROM checksums WHERE setting = ? AND block = ?"),
        all(d, "SELECT count(*) FROM checksums WHERE setting = ? AND block >= 0") {}

  std::int64_t computed(std::int64_t id, std::int64_t block) {
    uLong sum = 0;
    if (block == itself) {
      add(sum, setting, {id});
    } else {
      const std::int64_t first = block * block_size;
      for (Row* const table : {&runs, &scores, &run_curves}) add(sum, *table, {id, first, first + block_size - 1});
      add(sum, curves, {id, block});
    }
    return static_cast<std::int64_t>(sum);
  }

  std::optional<std::int64_t> written(Row& row, std::initializer_list<std::int64_t> arguments) {
    row.tryReset();
    int i = 0;
    for (const std::int64_t argument : arguments) row.bind(++i, argument);
    std::optional<std::int64_t> value;
    if (row.executeStep()) value = row.getColumn(0).getInt64();
    row.tryReset();
    return value;
  }

  void write(std::int64_t id, std::int64_t block) {
    const std::int64_t value = computed(id, block);
    put.tryReset();
    put.bind(1, id);
    put.bind(2, block);
    put.bind(3, value);
    put.exec();
  }

  /// The blocks that have runs, of the settings from the first id to the last.
  std::vector<std::pair<std::int64_t, std::int64_t>> blocks_of(std::int64_t first, std::int64_t last) {
    blocks.tryReset();
    blocks.bind(1, block_size);
    blocks.bind(2, first);
    blocks.bind(3, last);
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

  Row setting, runs, scores, curves, run_curves, blocks, settings, put, get, all;
};

StoreChecksums::StoreChecksums(SQLite::Database& database) : statements_(std::make_unique<Statements>(database)) {}
StoreChecksums::~StoreChecksums() = default;

void StoreChecksums::write_setting(std::int64_t setting) { statements_->write(setting, itself); }

void StoreChecksums::write_block(std::int64_t setting, std::uint64_t block) {
  statements_->write(setting, static_cast<std::int64_t>(block));
}

void StoreChecksums::write_all() {
  std::vector<std::int64_t> ids;
  while (statements_->settings.executeStep()) ids.push_back(statements_->settings.getColumn(0).getInt64());
  statements_->settings.tryReset();
  for (const std::int64_t id : ids) {
    write_setting(id);
    for (const auto& [setting, block] : statements_->blocks_of(id, id)) statements_->write(setting, block);
  }
}

void StoreChecksums::verify_setting(std::int64_t setting) {
  const auto there = statements_->written(statements_->get, {setting, itself});
  constexpr std::int64_t of_nothing = 0;  // there is no such setting
  if (there.value_or(of_nothing) == statements_->computed(setting, itself)) return;
  throw std::runtime_error(fmt::format("setting {} is not what was written: its checksum differs", setting));
}

void StoreChecksums::verify_blocks(std::int64_t setting) {
  if (verified_.contains(setting)) return;
  const auto blocks = statements_->blocks_of(setting, setting);
  for (const auto& [id, block] : blocks) {
    const auto there = statements_->written(statements_->get, {id, block});
    if (there && *there == statements_->computed(id, block)) continue;
    throw std::runtime_error(
        fmt::format("block {} of setting {} is not what was written: its checksum differs", block, setting));
  }
  if (statements_->written(statements_->all, {setting}) != static_cast<std::int64_t>(blocks.size())) {
    throw std::runtime_error(fmt::format("blocks of setting {} are missing", setting));
  }
  verified_.insert(setting);
}

}  // namespace bellwether
