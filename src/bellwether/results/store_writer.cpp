#include <bellwether/results/store_writer.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <concepts>
#include <stdexcept>
#include <string>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <bellwether/results/store_checksums.h>
#include <bellwether/results/store_file.h>
#include <bellwether/results/store_json.h>
#include <bellwether/results/store_transaction.h>

namespace bellwether {

static_assert(std::endian::native == std::endian::little, "curves are stored as little-endian doubles");

namespace {

using store_file::guarded;
using Row = SQLite::Statement;

// Bound values must stay where they are until the statement has run.
void bind(Row& row, int i, std::integral auto value) { row.bind(i, static_cast<std::int64_t>(value)); }
void bind(Row& row, int i, double value) { row.bind(i, value); }  // not a number becomes NULL
void bind(Row& row, int i, const std::string& text) { row.bindNoCopy(i, text); }
void bind(Row& row, int i, const std::vector<double>& values) {
  row.bindNoCopy(i, values.data(), static_cast<int>(values.size() * sizeof(double)));
}
template <class T>
void bind(Row& row, int i, const std::optional<T>& value) {
  if (value) bind(row, i, *value);
  else row.bind(i);
}

template <class... T>
void start(Row& row, const T&... values) {
  row.tryReset();  // reset() would report the error of the last execution once more
  int i = 0;
  (bind(row, ++i, values), ...);
}

template <class... T>
void execute(Row& row, const T&... values) {
  start(row, values...);
  row.exec();
}

/// Executes a statement that returns an id.
template <class... T>
std::int64_t id_from(Row& row, const T&... values) {
  start(row, values...);
  row.executeStep();
  const std::int64_t id = row.getColumn(0).getInt64();
  row.tryReset();
  return id;
}

/// Everything that has to be equal for runs to be comparable, as text for messages.
Settings comparable(const StudyRecord& study) {
  Settings all = study.protocol;
  all.emplace_back("metrics", fmt::format("{}", fmt::join(study.metrics, ",")));
  all.emplace_back("points", fmt::format("{}", fmt::join(study.at, ",")));
  all.emplace_back("keeps_curves", study.keeps_curves ? "true" : "false");
  return all;
}

std::string value_of(const Settings& settings, const std::string& key) {
  const auto found = std::find_if(settings.begin(), settings.end(), [&](const auto& s) { return s.first == key; });
  return found == settings.end() ? "nothing" : found->second;
}

void check_same_protocol(const std::filesystem::path& file, const StudyRecord& there, const StudyRecord& given) {
  const Settings old = comparable(there);
  const Settings now = comparable(given);
  if (old == now) return;
  Settings keys = now;  // the order of the study file, then what is no longer in it
  keys.insert(keys.end(), old.begin(), old.end());
  for (const auto& [key, ignored] : keys) {
    const std::string before = value_of(old, key);
    const std::string after = value_of(now, key);
    if (before == after) continue;
    throw InvalidArgument(
        fmt::format("{} holds study {} ({}) with {} = {}; the file says {}: use another `out` or "
                    "remove it",
                    file.string(), given.name, given.scale, key, before, after));
  }
}

/// Whether a block has seeds 10 b, 10 b + 1, ..., each with all metrics of the study.
[[maybe_unused]] bool is_whole(const BlockResult& block, std::size_t metrics) {
  std::uint64_t seed = block.block * seeds_per_block;
  std::uint64_t finished = 0;
  for (const RunRecord& run : block.runs) {
    if (run.seed != seed++) return false;
    if (run.diverged_at) continue;
    ++finished;
    if (run.average.size() != metrics || run.last.size() != metrics) return false;
  }
  return block.runs.size() <= seeds_per_block && block.curves.runs == finished &&
         (finished == 0 || block.curves.mean.size() == metrics);
}

}  // namespace

struct StoreWriter::Statements {
  explicit Statements(SQLite::Database& d)
      : study(d, "SELECT id, protocol, metrics, at, keeps_curves FROM studies WHERE name = ? AND scale = ?"),
        new_study(d,
                  "INSERT INTO studies (name, scale, title, protocol, seeds, metrics, at, keeps_curves, source, "
                  "version, machine, command, created) "
                  "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING id"),
        same_study(d,
                   "UPDATE studies SET title = ?, seeds = ?, source = ?, version = ?, machine = ?, "
                   "command = ? WHERE id = ?"),
        setting(
            d,
            "INSERT INTO settings (study, domain, domain_settings, features, feature_settings, label, learner, "
            "parameters, dim, max_active) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET dim = excluded.dim, max_active = excluded.max_active, planned = 1 RETURNING id"),
        unplan(d, "UPDATE settings SET planned = 0 WHERE study = ?"),
        metrics(d, "SELECT metrics FROM studies WHERE id = (SELECT study FROM settings WHERE id = ?)"),
        done(d,
             "SELECT setting, seed / ?, count(*), count(diverged_at) FROM runs WHERE setting IN (SELECT id FROM "
             "settings WHERE study = "
             "?) GROUP BY 1, 2 ORDER BY 1, 2"),
        forget_runs(d, "DELETE FROM runs WHERE setting = ? AND seed BETWEEN ? AND ?"),
        forget_curves(d, "DELETE FROM curves WHERE setting = ? AND block = ?"),
        run(d, "INSERT INTO runs VALUES (?, ?, ?, ?)"),
        score(d, "INSERT INTO scores VALUES (?, ?, ?, ?, ?)"),
        curve(d, "INSERT INTO curves VALUES (?, ?, ?, ?, ?, ?)"),
        run_curve(d, "INSERT INTO run_curves VALUES (?, ?, ?, ?)"),
        alone(d, "UPDATE settings SET microseconds = ?, bytes = ? WHERE id = ?"),
        forget_checksum(d, "DELETE FROM checksums WHERE setting = ? AND block = ?"),
        studies_and_index(d, "PRAGMA integrity_check(studies)"),
        settings_and_index(d, "PRAGMA integrity_check(settings)"),
        checksums(d) {}

  /// The metrics of the study a setting belongs to.
  const std::vector<std::string>& metrics_of(std::int64_t id) {
    if (const auto known = metrics_known.find(id); known != metrics_known.end()) return known->second;
    start(metrics, id);
    if (!metrics.executeStep()) throw InvalidArgument(fmt::format("there is no setting {}", id));
    auto words = words_of(metrics.getColumn(0));
    metrics.tryReset();
    return metrics_known[id] = std::move(words);
  }

  /// Throws when a study that is there is damaged. What begins a study gives new checksums to it and to its settings,
  /// which it finds by their index: one that leads to another row would give its runs to another setting.
  void verify(std::int64_t id) {
    checksums.verify_study(id);
    checksums.verify_settings_of(id);
    for (Row* const index : {&studies_and_index, &settings_and_index}) {
      start(*index);
      index->executeStep();
      const std::string found = index->getColumn(0).getString();
      index->tryReset();
      if (found != "ok") throw std::runtime_error(found);
    }
  }

  void write(const BlockResult& block) {
    const std::vector<std::string>& names = metrics_of(block.setting);
    assert(is_whole(block, names.size()));
    const std::uint64_t first = block.block * seeds_per_block;
    execute(forget_runs, block.setting, first, first + seeds_per_block - 1);  // with their scores and curves
    execute(forget_curves, block.setting, block.block);
    for (const RunRecord& r : block.runs) {
      execute(run, block.setting, r.seed, r.diverged_at, r.seconds);
      if (r.diverged_at) continue;
      for (std::size_t m = 0; m < names.size(); ++m) {
        execute(score, block.setting, r.seed, names[m], r.average[m], r.last[m]);
        if (!r.curves.empty()) execute(run_curve, block.setting, r.seed, names[m], r.curves[m]);
      }
    }
    for (std::size_t m = 0; m < block.curves.mean.size() && block.curves.runs > 0; ++m) {
      execute(curve, block.setting, block.block, names[m], block.curves.runs, block.curves.mean[m], block.curves.m2[m]);
    }
    if (block.runs.empty()) execute(forget_checksum, block.setting, block.block);
    else checksums.write_block(block.setting, block.block);
  }

  Row study, new_study, same_study, setting, unplan, metrics, done, forget_runs, forget_curves, run, score, curve,
      run_curve, alone, forget_checksum, studies_and_index, settings_and_index;
  StoreChecksums checksums;
  std::map<std::int64_t, std::vector<std::string>> metrics_known;
};

StoreWriter::StoreWriter(const std::filesystem::path& file)
    : file_(file),
      lock_(std::make_unique<StoreLock>(file)),
      database_(store_file::open_for_writing(file)),
      statements_(guarded(file, [&] { return std::make_unique<Statements>(*database_); })) {
  lock_->hold_file();
}

StoreWriter::~StoreWriter() {
  try {
    merge();
  } catch (...) {  // commits are in the file or beside it, and are found when it is opened again
    statements_.reset();
  }
}

StoreWriter::Begun StoreWriter::begin(const StudyRecord& study, std::span<const SettingRecord> settings) {
  return guarded(file_, [&] {
    Statements& s = *statements_;
    StoreTransaction all(*database_, StoreTransaction::For::writing);
    Begun begun{};
    start(s.study, study.name, study.scale);
    if (s.study.executeStep()) {
      begun.study = s.study.getColumn(0).getInt64();
      StudyRecord there;
      there.protocol = settings_of(s.study.getColumn(1));
      there.metrics = words_of(s.study.getColumn(2));
      there.at = numbers_of(s.study.getColumn(3));
      there.keeps_curves = s.study.getColumn(4).getInt() != 0;
      s.study.tryReset();
      s.verify(begun.study);
      check_same_protocol(file_, there, study);
      execute(s.same_study, study.title, study.seeds, study.source, study.version, study.machine, study.command,
              begun.study);
      execute(s.unplan, begun.study);  // those that are still in the study file are planned again below
    } else {
      const std::string protocol = json_of(study.protocol);
      const std::string metrics = json_of(study.metrics);
      const std::string at = json_of(study.at);
      begun.study = id_from(s.new_study, study.name, study.scale, study.title, protocol, study.seeds, metrics, at,
                            study.keeps_curves, study.source, study.version, study.machine, study.command);
    }
    begun.settings.reserve(settings.size());
    for (const SettingRecord& setting : settings) {
      const std::string domain_settings = json_of(setting.domain_settings);
      const std::string feature_settings = json_of(setting.feature_settings);
      const std::string parameters = json_of(setting.parameters);
      begun.settings.push_back(id_from(s.setting, begun.study, setting.domain, domain_settings, setting.features,
                                       feature_settings, setting.label, setting.learner, parameters, setting.dim,
                                       setting.max_active));
      s.checksums.write_setting(begun.settings.back());
    }
    s.checksums.write_study(begun.study);
    all.commit();
    return begun;
  });
}

std::vector<DoneBlock> StoreWriter::done(std::int64_t study) {
  return guarded(file_, [&] {
    std::vector<DoneBlock> all;
    Row& row = statements_->done;
    start(row, seeds_per_block, study);
    while (row.executeStep()) {
      const auto count = [&](int i) { return static_cast<std::uint64_t>(row.getColumn(i).getInt64()); };
      all.push_back({row.getColumn(0).getInt64(), count(1), count(2), count(3)});
    }
    row.tryReset();
    for (const DoneBlock& block : all) statements_->checksums.verify_blocks(block.setting);
    written_.add(all);
    return all;
  });
}

void StoreWriter::commit(std::span<const BlockResult> blocks) {
  guarded(file_, [&] {
    StoreTransaction all(*database_, StoreTransaction::For::writing);
    for (const BlockResult& block : blocks) statements_->write(block);
    lock_->check_in_place();
    all.commit();
  });
  written_.add(blocks);
}

void StoreWriter::measured_alone(std::int64_t setting, double seconds_per_step, std::optional<std::uint64_t> bytes) {
  guarded(file_, [&] {
    StoreTransaction both(*database_, StoreTransaction::For::writing);
    execute(statements_->alone, 1e6 * seconds_per_step, bytes, setting);
    statements_->checksums.write_setting(setting);
    both.commit();
  });
}

void StoreWriter::merge() {
  if (database_ == nullptr) return;
  guarded(file_, [&] {
    statements_.reset();
    database_->setBusyTimeout(0);  // readers may continue
    // Only now is everything synchronised with the disk. Asked again, a disk that failed may say that all is well.
    const int code = database_->tryExec("PRAGMA wal_checkpoint(TRUNCATE)") & 0xff;
    if (code == SQLITE_IOERR || code == SQLITE_FULL) throw SQLite::Exception(database_->getHandle(), code);
    database_->tryExec("PRAGMA journal_mode = DELETE");
    database_.reset();
  });
}

void StoreWriter::close() {
  if (database_ == nullptr) return;
  merge();
  lock_->check_in_place();
  written_.check_are_in(file_);
  lock_.reset();
}

}  // namespace bellwether
