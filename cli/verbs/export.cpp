#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include <nlohmann/json.hpp>

#include <bellwether/core/files/files.h>
#include <bellwether/core/files/output_file.h>
#include <bellwether/core/support/json_text.h>
#include <bellwether/core/support/text.h>
#include <bellwether/results/store_reader.h>

#include "terminal/csv.h"
#include "terminal/options.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array table_names{"studies", "settings", "runs", "scores", "curves", "run_curves"};

struct ExportVerb {
  explicit ExportVerb(CLI::App& app)
      : verb(*app.add_subcommand("export", "Write a file of results as CSV tables, ready for pandas or Parquet")) {
    verb.add_option("FILE", file, "the file of results that bellwether sweep wrote")->required();
    verb.add_option("-o,--out", folder, "the folder to write to; it is made if necessary")
        ->required()
        ->type_name("DIR");
    verb.add_option("--table", tables, fmt::format("only this table; repeatable ({})", fmt::join(table_names, ", ")))
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    verb.add_flag("--force", force, "overwrite existing files");
    verb.footer(
        "Each table is a file TABLE.csv of plain columns; schema.json has their names and types.\n\n"
        "Examples:\n"
        "  bellwether export boyan.db -o boyan\n"
        "  duckdb -c \"COPY (FROM 'boyan/scores.csv') TO 'scores.parquet'\"");
  }

  void run() const;

  CLI::App& verb;
  std::string file, folder;
  std::vector<std::string> tables;
  bool force = false;
};

struct Column {
  std::string name;
  std::string type;  // int64, double, boolean, string
};

/// Columns from names that are followed by types: "setting int64, seconds double".
std::vector<Column> columns_of(const std::string& text) {
  std::vector<Column> columns;
  std::istringstream words(text);
  for (Column column; words >> column.name >> column.type; columns.push_back(column)) {
    if (column.type.back() == ',') column.type.pop_back();
  }
  return columns;
}

/// A table on its way to a file.
class Table {
 public:
  Table(const fs::path& file, std::vector<Column> columns) : columns_(std::move(columns)), out_(file.string()) {
    std::string titles;
    for (const Column& column : columns_) titles += (titles.empty() ? "" : ",") + csv_cell(column.name);
    out_.write(titles + "\n");
  }

  void write(const std::string& row) {
    ++rows_;
    out_.write(row + "\n");
  }
  void finish() { out_.finish(); }
  const std::vector<Column>& columns() const { return columns_; }
  std::uint64_t rows() const { return rows_; }

 private:
  std::vector<Column> columns_;
  Output out_;
  std::uint64_t rows_ = 0;
};

/// Settings as columns, each called after its prefix and its name. A column is of type double when all its values are
/// numbers.
class SettingColumns {
 public:
  void add(const std::string& prefix, const Settings& settings) {
    for (const auto& [name, value] : settings) {
      const std::string column = prefix + name;
      const auto [known, is_new] = index_.try_emplace(column, columns_.size());
      if (is_new) columns_.push_back({column, "double"});
      if (!is_number(value)) columns_[known->second].type = "string";
    }
  }

  const std::vector<Column>& columns() const { return columns_; }

  /// The cells of one row, each after a comma.
  std::string cells(const std::vector<std::pair<std::string, const Settings*>>& lists) const {
    std::vector<std::string> row(columns_.size());
    for (const auto& [prefix, settings] : lists) {
      for (const auto& [name, value] : *settings) row[index_.at(prefix + name)] = csv_cell(value);
    }
    std::string text;
    for (const std::string& cell : row) text += "," + cell;
    return text;
  }

 private:
  static bool is_number(const std::string& text) {
    try {
      detail::parse_number("", "", text);
      return true;
    } catch (const InvalidArgument&) {
      return false;
    }
  }

  std::vector<Column> columns_;
  std::map<std::string, std::size_t> index_;
};

/// The tables that were asked for.
class Exported {
 public:
  Exported(fs::path folder, std::vector<std::string> wanted) : folder_(std::move(folder)), wanted_(std::move(wanted)) {}

  bool wants(const std::string& name) const {
    return wanted_.empty() || std::find(wanted_.begin(), wanted_.end(), name) != wanted_.end();
  }

  /// The table called `name`, or nullptr when it was not asked for.
  Table* add(const std::string& name, std::vector<Column> columns) {
    if (!wants(name)) return nullptr;
    tables_.emplace_back(name, std::make_unique<Table>(folder_ / (name + ".csv"), std::move(columns)));
    return tables_.back().second.get();
  }

  /// "runs 60 rows, scores 116 rows"
  std::string text() const {
    std::string all;
    for (const auto& [name, table] : tables_) {
      all += fmt::format("{}{} {} row{}", all.empty() ? "" : ", ", name, grouped(table->rows()),
                         table->rows() == 1 ? "" : "s");
    }
    return all;
  }

  /// Gives all files their names.
  void finish() {
    auto schema = nlohmann::ordered_json::object();
    for (const auto& [name, table] : tables_) {
      for (const Column& column : table->columns()) {
        schema[name].push_back({{"name", column.name}, {"type", column.type}});
      }
    }
    Output out((folder_ / "schema.json").string());
    out.write(json_text(schema, 2) + "\n");
    for (const auto& [name, table] : tables_) table->finish();
    out.finish();
  }

 private:
  fs::path folder_;
  std::vector<std::string> wanted_;
  std::vector<std::pair<std::string, std::unique_ptr<Table>>> tables_;
};

std::vector<Column> joined(const std::string& text, const std::vector<Column>& more) {
  std::vector<Column> columns = columns_of(text);
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

void export_studies(Exported& exported, const std::vector<StoredStudy>& studies) {
  SettingColumns protocol;
  for (const StoredStudy& s : studies) protocol.add("protocol_", s.record.protocol);
  Table* table = exported.add(
      "studies",
      joined("study int64, name string, scale string, title string, seeds int64, keeps_curves boolean, version string, "
             "machine string, command string, created string, source string",
             protocol.columns()));
  if (table == nullptr) return;
  for (const StoredStudy& s : studies) {
    const StudyRecord& r = s.record;
    const std::string row = csv_row(s.id, r.name, r.scale, r.title, r.seeds, r.keeps_curves, r.version, r.machine,
                                    r.command, s.created, r.source);
    table->write(row + protocol.cells({{"protocol_", &r.protocol}}));
  }
}

void export_settings(Exported& exported, const StoreReader& reader, const std::vector<StoredStudy>& studies) {
  SettingColumns more;
  std::vector<std::pair<std::int64_t, StoredSetting>> all;
  for (const StoredStudy& study : studies) {
    for (StoredSetting& setting : reader.settings(study.id)) {
      more.add("d_", setting.record.domain_settings);
      more.add("f_", setting.record.feature_settings);
      more.add("p_", setting.record.parameters);
      all.emplace_back(study.id, std::move(setting));
    }
  }
  Table* table = exported.add(
      "settings",
      joined("setting int64, study int64, domain string, features string, label string, learner string, dim int64, "
             "max_active int64, microseconds double, bytes int64",
             more.columns()));
  if (table == nullptr) return;
  for (const auto& [study, setting] : all) {
    const SettingRecord& r = setting.record;
    const std::string row = csv_row(setting.id, study, r.domain, r.features.empty() ? "own" : r.features, r.label,
                                    r.learner, r.dim, r.max_active, setting.microseconds, setting.bytes);
    const std::string cells =
        more.cells({{"d_", &r.domain_settings}, {"f_", &r.feature_settings}, {"p_", &r.parameters}});
    table->write(row + cells);
  }
}

/// The tables that have a row for every run, or several.
struct RunTables {
  explicit RunTables(Exported& exported)
      : runs(exported.add("runs", columns_of("setting int64, seed int64, diverged_at int64, seconds double"))),
        scores(exported.add("scores",
                            columns_of("setting int64, seed int64, metric string, average double, last double"))),
        curves(exported.add("curves", columns_of("setting int64, metric string, step int64, mean double, variance "
                                                 "double, runs int64"))),
        run_curves(exported.add("run_curves",
                                columns_of("setting int64, seed int64, metric string, step int64, value double"))) {}

  bool any() const { return runs != nullptr || scores != nullptr || curves != nullptr || run_curves != nullptr; }

  void write(const StudyRecord& study, std::int64_t setting, const RunRecord& run) const {
    if (runs != nullptr) runs->write(csv_row(setting, run.seed, run.diverged_at, run.seconds));
    for (std::size_t m = 0; scores != nullptr && m < run.average.size(); ++m) {
      scores->write(csv_row(setting, run.seed, study.metrics[m], run.average[m], run.last[m]));
    }
    for (std::size_t m = 0; run_curves != nullptr && m < run.curves.size(); ++m) {
      const std::size_t points = std::min(study.at.size(), run.curves[m].size());
      for (std::size_t i = 0; i < points; ++i) {
        run_curves->write(csv_row(setting, run.seed, study.metrics[m], study.at[i], run.curves[m][i]));
      }
    }
  }

  void write(const StudyRecord& study, std::int64_t setting, const StoreReader& reader) const {
    if (runs != nullptr || scores != nullptr || run_curves != nullptr) {
      for (const RunRecord& run : reader.runs(setting)) write(study, setting, run);
    }
    for (std::size_t m = 0; curves != nullptr && m < study.metrics.size(); ++m) {
      const auto points = reader.curve(setting, study.metrics[m]);
      for (std::size_t i = 0; i < std::min(study.at.size(), points.size()); ++i) {
        curves->write(
            csv_row(setting, study.metrics[m], study.at[i], points[i].mean, points[i].variance, points[i].runs));
      }
    }
  }

  Table* runs;
  Table* scores;
  Table* curves;
  Table* run_curves;
};

void export_runs(Exported& exported, const StoreReader& reader, const std::vector<StoredStudy>& studies) {
  const RunTables tables(exported);
  if (!tables.any()) return;
  ProgressLine progress("export");
  for (std::size_t i = 0; i < studies.size(); ++i) {
    const auto settings = reader.settings(studies[i].id);
    for (std::size_t k = 0; k < settings.size(); ++k) {
      tables.write(studies[i].record, settings[k].id, reader);
      const double within = static_cast<double>(k + 1) / static_cast<double>(settings.size());
      progress((static_cast<double>(i) + within) / static_cast<double>(studies.size()));
    }
  }
}

void ExportVerb::run() const {
  for (const std::string& table : tables) {
    if (std::find(table_names.begin(), table_names.end(), table) != table_names.end()) continue;
    const std::vector<std::string> all(table_names.begin(), table_names.end());
    throw InvalidArgument(fmt::format("export: there is no table '{}'{} (known: {})", table, suggestion(table, all),
                                      fmt::join(all, ", ")));
  }
  const StoreReader reader(file);
  const std::vector<StoredStudy> studies = reader.studies();
  Exported exported(folder, tables);

  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
    throw InvalidArgument(fmt::format("export: {} is not a folder", folder));
  }
  std::vector<std::string> files{"schema.json"};
  for (const std::string name : table_names) {
    if (exported.wants(name)) files.push_back(name + ".csv");
  }
  for (std::string& name : files) {
    name = (fs::path(folder) / name).string();
    if (!force && fs::exists(name, error)) {
      throw InvalidArgument(fmt::format("export: {} is there already; --force overwrites it", name));
    }
  }
  reject_overwriting("export", {file}, files);
  make_folders(folder);

  export_studies(exported, studies);
  export_settings(exported, reader, studies);
  export_runs(exported, reader, studies);
  exported.finish();
  print(fmt::format("{}: {} in {}\n", file, exported.text(), folder));
}

}  // namespace

void add_export(CLI::App& app) { add_verb<ExportVerb>(app); }

}  // namespace bellwether::cli
