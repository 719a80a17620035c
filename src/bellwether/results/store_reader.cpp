#include <bellwether/results/store_reader.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <bellwether/core/support/hash.h>
#include <bellwether/results/store_checksums.h>
#include <bellwether/results/store_file.h>
#include <bellwether/results/store_json.h>
#include <bellwether/results/store_transaction.h>

namespace bellwether {

namespace {

using store_file::guarded;
using Row = SQLite::Statement;

std::uint64_t count(const Row& row, int i) {
  const std::int64_t value = row.getColumn(i).getInt64();
  if (value < 0) throw std::runtime_error(fmt::format("{} of something is impossible", value));
  return static_cast<std::uint64_t>(value);
}

std::string text(const Row& row, int i) { return row.getColumn(i).getString(); }

std::optional<std::uint64_t> count_or_nothing(const Row& row, int i) {
  return row.isColumnNull(i) ? std::nullopt : std::optional(count(row, i));
}

/// A number; what was not one is stored as NULL.
double number(const Row& row, int i) { return row.isColumnNull(i) ? std::nan("") : row.getColumn(i).getDouble(); }

/// The numbers of a cell, which has to hold so many.
std::vector<double> numbers(const Row& row, int i, std::size_t points) {
  const SQLite::Column cell = row.getColumn(i);
  const auto bytes = static_cast<std::size_t>(cell.getBytes());
  if (!cell.isBlob() || bytes != points * sizeof(double)) {
    throw std::runtime_error(
        fmt::format("a curve has {} bytes; {} points have {}", bytes, points, points * sizeof(double)));
  }
  std::vector<double> values(points);
  if (points > 0) std::memcpy(values.data(), cell.getBlob(), bytes);
  return values;
}

/// The number of runs behind the curve of a block.
std::uint64_t runs_of_block(const Row& row, int i) {
  const std::uint64_t runs = count(row, i);
  if (runs == 0 || runs > seeds_per_block) throw std::runtime_error(fmt::format("a block has {} runs", runs));
  return runs;
}

/// Calls f(row) for every row of a statement that was prepared once.
template <class F>
void for_each_row(Row& row, std::initializer_list<std::int64_t> arguments, F&& f) {
  row.tryReset();
  int i = 0;
  for (const std::int64_t argument : arguments) row.bind(++i, argument);
  while (row.executeStep()) f(row);
  row.tryReset();
}

constexpr const char* setting_columns =
    "id, domain, domain_settings, features, feature_settings, label, learner, parameters, dim, max_active, "
    "microseconds, bytes";

/// Read from the table, which has checksums. An index has columns as well, and would hide that the two differ.
constexpr const char* settings_of_a_study = "settings NOT INDEXED WHERE study = ? AND planned";

StoredSetting setting_of(const Row& row) {
  SettingRecord record{text(row, 1),
                       settings_of(text(row, 2)),
                       text(row, 3),
                       settings_of(text(row, 4)),
                       text(row, 5),
                       text(row, 6),
                       settings_of(text(row, 7)),
                       count(row, 8),
                       count(row, 9)};
  const auto microseconds = row.isColumnNull(10) ? std::nullopt : std::optional(row.getColumn(10).getDouble());
  return {row.getColumn(0).getInt64(), microseconds, count_or_nothing(row, 11), std::move(record)};
}

std::size_t index_of(const std::vector<std::string>& metrics, const std::string& metric) {
  const auto found = std::find(metrics.begin(), metrics.end(), metric);
  if (found == metrics.end()) throw std::runtime_error(fmt::format("metric '{}' is not one of its study", metric));
  return static_cast<std::size_t>(found - metrics.begin());
}

std::string text_of(std::span<const double> values) {
  std::string text;
  for (const double v : values) fmt::format_to(std::back_inserter(text), " {}", v);
  return text;
}

}  // namespace

double CurvePoint::half_width() const {
  if (runs < 2) return std::numeric_limits<double>::infinity();
  return student_t_95(runs - 1) * std::sqrt(variance / static_cast<double>(runs));
}

bool better(const Summary& a, const Summary& b, std::size_t metric, std::vector<Estimate> Summary::*by,
            bool larger_is_better) {
  const auto known = [&](const Summary& s) { return s.runs > s.diverged && !std::isnan((s.*by)[metric].mean); };
  if (known(a) != known(b)) return known(a);
  const std::uint64_t diverged_a = a.diverged * b.runs;
  const std::uint64_t diverged_b = b.diverged * a.runs;
  if (diverged_a != diverged_b) return diverged_a < diverged_b;
  const double of_a = (a.*by)[metric].mean;
  const double of_b = (b.*by)[metric].mean;
  return known(a) && (larger_is_better ? of_a > of_b : of_a < of_b);
}

struct StoreReader::Statements {
  explicit Statements(SQLite::Database& d)
      : studies(d,
                "SELECT id, name, title, scale, source, protocol, seeds, metrics, at, keeps_curves, version, "
                "machine, command, created FROM studies ORDER BY id"),
        settings(d, fmt::format("SELECT {} FROM {} ORDER BY id", setting_columns, settings_of_a_study)),
        settings_by_content(d, fmt::format("SELECT {} FROM {} ORDER BY domain, domain_settings, features, "
                                           "feature_settings, label, learner, parameters",
                                           setting_columns, settings_of_a_study)),
        shape(d, "SELECT metrics, at FROM studies WHERE id = (SELECT study FROM settings WHERE id = ?)"),
        run_counts(d, fmt::format("SELECT setting, count(*), count(diverged_at) FROM runs WHERE setting IN (SELECT id "
                                  "FROM {}) GROUP BY setting",
                                  settings_of_a_study)),
        all_scores(d, fmt::format("SELECT setting, metric, average, last FROM scores WHERE setting IN (SELECT id FROM "
                                  "{}) ORDER BY setting, seed",
                                  settings_of_a_study)),
        first_values(d, fmt::format("SELECT setting, metric, runs, substr(mean, 1, 8), length(mean) FROM curves WHERE "
                                    "setting IN (SELECT id FROM {})",
                                    settings_of_a_study)),
        runs(d, "SELECT seed, diverged_at, seconds FROM runs WHERE setting = ? ORDER BY seed"),
        scores(d, "SELECT seed, metric, average, last FROM scores WHERE setting = ? ORDER BY seed, metric"),
        curves(d, "SELECT block, metric, runs, mean, m2 FROM curves WHERE setting = ? ORDER BY block, metric"),
        run_curves(d, "SELECT seed, metric, curve FROM run_curves WHERE setting = ? ORDER BY seed, metric") {
    if (store_file::has_checksums(d)) checksums.emplace(d);
  }

  /// Throws when a study, a setting, or one of its blocks, is not what was written.
  void verify_studies() {
    if (checksums) checksums->verify_studies();
  }
  void verify_study(std::int64_t study) {
    if (checksums) checksums->verify_study(study);
  }
  void verify_setting(std::int64_t setting) {
    if (checksums) checksums->verify_setting(setting);
  }
  void verify(std::int64_t setting) {
    verify_setting(setting);
    if (checksums) checksums->verify_blocks(setting);
  }

  /// The shape of the study a setting belongs to; empty when there is no such setting.
  const StudyShape& shape_of_study(std::int64_t setting) {
    std::string metrics_text, at_text;
    for_each_row(shape, {setting}, [&](const Row& row) {
      metrics_text = text(row, 0);
      at_text = text(row, 1);
    });
    if (metrics_text == last_metrics && at_text == last_at) return last_shape;  // nearly always
    last_shape = metrics_text.empty() ? StudyShape() : shape_of(metrics_text, at_text);
    last_metrics = std::move(metrics_text);
    last_at = std::move(at_text);
    return last_shape;
  }

  std::optional<StoreChecksums> checksums;
  std::string last_metrics, last_at;
  StudyShape last_shape;
  Row studies, settings, settings_by_content, shape, run_counts, all_scores, first_values, runs, scores, curves,
      run_curves;
};

StoreReader::StoreReader(const std::filesystem::path& file)
    : file_(file),
      database_(store_file::open_for_reading(file)),
      statements_(guarded(file, [&] { return std::make_unique<Statements>(*database_); })) {}

StoreReader::~StoreReader() = default;

std::vector<StoredStudy> StoreReader::studies() const {
  return guarded(file_, [&] {
    const StoreTransaction one_moment(*database_, StoreTransaction::For::reading);
    statements_->verify_studies();
    std::vector<StoredStudy> all;
    for_each_row(statements_->studies, {}, [&](const Row& row) {
      StudyShape shape = shape_of(text(row, 7), text(row, 8));
      StudyRecord record{text(row, 1),
                         text(row, 2),
                         text(row, 3),
                         text(row, 4),
                         settings_of(text(row, 5)),
                         count(row, 6),
                         std::move(shape.metrics),
                         std::move(shape.at),
                         count(row, 9) != 0,
                         text(row, 10),
                         text(row, 11),
                         text(row, 12)};
      all.push_back({row.getColumn(0).getInt64(), text(row, 13), std::move(record)});
    });
    return all;
  });
}

std::vector<StoredSetting> StoreReader::settings(std::int64_t study) const {
  return guarded(file_, [&] {
    const StoreTransaction one_moment(*database_, StoreTransaction::For::reading);
    statements_->verify_study(study);
    std::vector<StoredSetting> all;
    for_each_row(statements_->settings, {study}, [&](const Row& row) { all.push_back(setting_of(row)); });
    for (const StoredSetting& setting : all) statements_->verify_setting(setting.id);
    return all;
  });
}

std::vector<RunRecord> StoreReader::runs(std::int64_t setting) const {
  return guarded(file_, [&] {
    const StoreTransaction one_moment(*database_, StoreTransaction::For::reading);
    statements_->verify(setting);
    const StudyShape& shape = statements_->shape_of_study(setting);
    const std::vector<std::string>& metrics = shape.metrics;
    std::vector<RunRecord> all;
    for_each_row(statements_->runs, {setting}, [&](const Row& row) {
      all.push_back({count(row, 0), count_or_nothing(row, 1), number(row, 2), {}, {}, {}});
    });
    const auto run_of = [&](std::uint64_t seed) -> RunRecord& {
      const auto found = std::lower_bound(all.begin(), all.end(), seed,
                                          [](const RunRecord& run, std::uint64_t s) { return run.seed < s; });
      if (found == all.end() || found->seed != seed) throw std::runtime_error("a score has no run");
      return *found;
    };
    for_each_row(statements_->scores, {setting}, [&](const Row& row) {
      RunRecord& run = run_of(count(row, 0));
      run.average.resize(metrics.size());
      run.last.resize(metrics.size());
      const std::size_t m = index_of(metrics, text(row, 1));
      run.average[m] = number(row, 2);
      run.last[m] = number(row, 3);
    });
    for_each_row(statements_->run_curves, {setting}, [&](const Row& row) {
      RunRecord& run = run_of(count(row, 0));
      run.curves.resize(metrics.size());
      run.curves[index_of(metrics, text(row, 1))] = numbers(row, 2, shape.at.size());
    });
    return all;
  });
}

std::vector<CurvePoint> StoreReader::curve(std::int64_t setting, const std::string& metric) const {
  return guarded(file_, [&] {
    const StoreTransaction one_moment(*database_, StoreTransaction::For::reading);
    statements_->verify(setting);
    const std::size_t size = statements_->shape_of_study(setting).at.size();
    CurveBlock all;
    for_each_row(statements_->curves, {setting}, [&](const Row& row) {
      if (text(row, 1) != metric) return;
      add(all, CurveBlock{runs_of_block(row, 2), {numbers(row, 3, size)}, {numbers(row, 4, size)}});
    });
    std::vector<CurvePoint> points;
    if (all.runs == 0) return points;
    const double degrees = all.runs > 1 ? static_cast<double>(all.runs - 1) : 1;
    for (std::size_t i = 0; i < all.mean[0].size(); ++i) {
      points.push_back({all.mean[0][i], all.m2[0][i] / degrees, all.runs});
    }
    return points;
  });
}

std::vector<Summary> StoreReader::summarise(const StoredStudy& study) const {
  return guarded(file_, [&] {
    const StoreTransaction one_moment(*database_, StoreTransaction::For::reading);
    statements_->verify_study(study.id);
    const std::size_t metrics = study.record.metrics.size();
    std::vector<Summary> all;
    std::map<std::int64_t, std::size_t> index;
    for_each_row(statements_->settings, {study.id}, [&](const Row& row) {
      all.push_back({setting_of(row), 0, 0, std::vector<Estimate>(metrics), std::vector<Estimate>(metrics),
                     std::vector<double>(metrics)});
      index[all.back().setting.id] = all.size() - 1;
    });
    for (const Summary& summary : all) statements_->verify(summary.setting.id);
    for_each_row(statements_->run_counts, {study.id}, [&](const Row& row) {
      Summary& summary = all[index.at(row.getColumn(0).getInt64())];
      summary.runs = count(row, 1);
      summary.diverged = count(row, 2);
    });

    for_each_row(statements_->first_values, {study.id}, [&](const Row& row) {
      Summary& summary = all[index.at(row.getColumn(0).getInt64())];
      const std::size_t points = study.record.at.size();
      if (count(row, 4) != points * sizeof(double)) numbers(row, 3, points);  // says what is wrong
      if (points == 0) return;
      const auto first = numbers(row, 3, 1);
      const double share =
          static_cast<double>(runs_of_block(row, 2)) / static_cast<double>(summary.runs - summary.diverged);
      summary.first[index_of(study.record.metrics, text(row, 1))] += share * first[0];
    });

    // Scores come by setting and seed, so that one setting is held at a time.
    Curves average(metrics);
    Curves last(metrics);
    std::int64_t current = 0;
    const auto finish = [&] {
      for (std::size_t m = 0; m < metrics && current != 0; ++m) {
        Summary& summary = all[index.at(current)];
        summary.average[m] = estimate(average[m]);
        summary.last[m] = estimate(last[m]);
        average[m].clear();
        last[m].clear();
      }
    };
    for_each_row(statements_->all_scores, {study.id}, [&](const Row& row) {
      if (const std::int64_t setting = row.getColumn(0).getInt64(); setting != current) {
        finish();
        current = setting;
      }
      const std::size_t m = index_of(study.record.metrics, row.getColumn(1).getText());
      average[m].push_back(number(row, 2));
      last[m].push_back(number(row, 3));
    });
    finish();
    return all;
  });
}

void StoreReader::content(const StoredStudy& study, const std::function<void(std::string_view line)>& line) const {
  guarded(file_, [&] {
    const StoreTransaction one_moment(*database_, StoreTransaction::For::reading);
    statements_->verify_study(study.id);
    const StudyRecord& record = study.record;
    line(fmt::format("study {} {} {}", record.name, record.scale, record.seeds));
    line(fmt::format("protocol {}", json_of(record.protocol)));
    line(fmt::format("metrics {} at {}", json_of(record.metrics), json_of(record.at)));
    for_each_row(statements_->settings_by_content, {study.id}, [&](const Row& row) {
      const std::int64_t id = row.getColumn(0).getInt64();
      statements_->verify(id);
      line(fmt::format("setting {} {} {} {} {} {} {} {} {}", text(row, 1), text(row, 2), text(row, 3), text(row, 4),
                       text(row, 5), text(row, 6), text(row, 7), count(row, 8), count(row, 9)));
      for_each_row(statements_->runs, {id}, [&](const Row& run) {
        line(fmt::format("run {} {}", count(run, 0), run.isColumnNull(1) ? "finished" : text(run, 1)));
      });
      for_each_row(statements_->scores, {id}, [&](const Row& score) {
        line(fmt::format("score {} {} {} {}", count(score, 0), text(score, 1), number(score, 2), number(score, 3)));
      });
      for_each_row(statements_->curves, {id}, [&](const Row& curve) {
        line(fmt::format("curve {} {} {}{}{}", count(curve, 0), text(curve, 1), count(curve, 2),
                         text_of(numbers(curve, 3, record.at.size())), text_of(numbers(curve, 4, record.at.size()))));
      });
      for_each_row(statements_->run_curves, {id}, [&](const Row& curve) {
        line(fmt::format("run_curve {} {}{}", count(curve, 0), text(curve, 1),
                         text_of(numbers(curve, 2, record.at.size()))));
      });
    });
  });
}

std::string StoreReader::digest(const StoredStudy& study) const {
  std::uint64_t hash = hash_of({});
  const auto mix = [&](std::string_view bytes) { hash = hash_of(std::as_bytes(std::span(bytes)), hash); };
  content(study, [&](std::string_view line) {
    mix(line);
    mix("\n");
  });
  return fmt::format("{:016x}", hash);
}

}  // namespace bellwether
