#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/data/numpy/npz_steps.h>
#include <bellwether/data/table.h>
#include <bellwether/data/text/sparse_text_reader.h>
#include <bellwether/data/text/text_table.h>
#include <bellwether/model/log_source.h>

#include "learning/model_io.h"
#include "terminal/csv.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct PredictVerb {
  explicit PredictVerb(CLI::App& app)
      : verb(*app.add_subcommand("predict", "Values of states, by a model that learn has written")) {
    verb.add_option("model", model, "the model")->required()->type_name("MODEL");
    verb.add_option("data", data, "states, in any format that learn reads; only the columns of the state are needed")
        ->required()
        ->type_name("FILE");
    verb.add_option("-o,--out", path, "write to a file, CSV or, by its ending, .jsonl (standard output)")
        ->type_name("FILE");
    verb.add_flag("--interval", interval, "add the ends of the 95 % interval of every value");
    verb.add_flag("--skip-bad", skip_bad, "leave out rows with something wrong in them");
    verb.footer("Example: bellwether predict m.bw states.csv --interval -o values.csv");
  }

  void run() const;

  CLI::App& verb;
  std::string model, data, path;
  bool interval = false;
  bool skip_bad = false;
};

/// Features of states, block by block, with the numbers of their rows.
class States {
 public:
  States(const Model& model, const std::string& path, const TableOptions& options)
      : model_(model), rows_(Layout::dense, 1) {
    const Recipe& recipe = model.recipe();
    std::optional<Lines> stream;  // which can be looked into only once
    if (is_stream(path)) stream.emplace(path, options);
    const bool sparse = stream ? is_sparse_text(*stream) : is_sparse_text(path);
    if (recipe.columns.state.empty() && (sparse || (!stream && holds_steps(path)))) {
      if (stream) steps_ = open_sparse(std::move(*stream), options, recipe.dim);
      else if (sparse) steps_ = open_sparse(path, options, recipe.dim);
      else steps_ = open_npz_steps(path, options);
      if (steps_->dim() != recipe.dim || steps_->layout() != recipe.layout) {
        throw InvalidArgument(fmt::format("{}: has {} features, the model {}", path, steps_->dim(), recipe.dim));
      }
      return;
    }
    table_ = stream ? open_text_table(std::move(*stream), options) : open_table(path, options);
    std::vector<std::string> names = recipe.columns.state;
    if (names.empty()) names = group_of("x", table_->columns());
    if (names.size() != recipe.dim && recipe.features == "none") {
      throw InvalidArgument(fmt::format("{}: has {} features, the model {}", path, names.size(), recipe.dim));
    }
    check_group(names, table_->columns(), table_->name());
    std::vector<ColumnRequest> wanted;
    for (const std::string& name : names) wanted.push_back({.name = name});
    table_->select(wanted);
    rows_ = RowBuffer(recipe.layout, recipe.dim);
  }

  bool next() {
    constexpr std::size_t block = 8192;
    first_ += numbers_.size();
    numbers_.clear();
    if (steps_) {
      if (!steps_->read(block_, block)) return false;
      for (std::size_t i = 0; i < block_.size(); ++i) numbers_.push_back(first_ + i + 1);
      return true;
    }
    if (!table_->read(cells_, block)) return false;
    rows_.clear();
    for (std::size_t i = 0; i < cells_.rows; ++i) {
      const std::span<const double> state(cells_[i], cells_.columns);
      if (model_.map() != nullptr) model_.map()->append(state, rows_, Moment::of_evaluation(cells_.row[i]));
      else rows_.append(DenseView{state.data(), state.size()});
    }
    numbers_ = cells_.row;
    return true;
  }

  FeatureRows rows() const { return steps_ ? block_.x.view() : rows_.view(); }
  const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  std::optional<double> fraction() const { return steps_ ? steps_->fraction() : table_->fraction(); }

 private:
  const Model& model_;
  std::unique_ptr<TableReader> table_;
  std::unique_ptr<StepReader> steps_;
  TableBlock cells_;
  StepBlock block_;
  RowBuffer rows_;
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> numbers_;
};

void PredictVerb::run() const {
  const Model learned = read_model(model);
  TableOptions options;
  options.bad_rows = skip_bad ? BadRows::skip : BadRows::reject;
  if (path == data && path != "-")
    throw InvalidArgument(fmt::format("predict: {} would be written over its input", path));
  States states(learned, data, options);
  const std::size_t targets = learned.targets();
  std::vector<std::string> names{"row"};
  for (std::size_t k = 0; k < targets; ++k) {
    const std::string suffix = targets == 1 ? "" : "_" + learned.recipe().name_of(k);
    names.push_back("value" + suffix);
    if (interval) names.insert(names.end(), {"low" + suffix, "high" + suffix});
  }
  const bool as_json = path.ends_with(".jsonl");
  Output out(path);
  if (!as_json) {
    std::string header;
    for (const std::string& name : names) header += (header.empty() ? "" : ",") + csv_cell(name);
    out.write(header + "\n");
  }
  ProgressLine progress("predicting " + data, !path.empty());
  while (states.next()) {
    const FeatureRows rows = states.rows();
    std::vector<std::vector<double>> cells;
    for (std::size_t k = 0; k < targets; ++k) {
      std::vector<double> values(rows.rows);
      learned.predict(k, rows, values);
      cells.push_back(values);
      if (!interval) continue;
      std::vector<double> widths(rows.rows);
      learned.half_widths(k, rows, widths);
      for (const double sign : {-1.0, 1.0}) {
        auto& end = cells.emplace_back(values);
        for (std::size_t i = 0; i < rows.rows; ++i) end[i] += sign * widths[i];
      }
    }
    std::string text;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      text += as_json ? fmt::format("{{\"row\": {}", states.numbers()[i]) : fmt::format("{}", states.numbers()[i]);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        if (as_json) text += ", " + nlohmann::json(names[c + 1]).dump() + ": ";
        else text += ',';
        text += csv_cell(cells[c][i]);
      }
      text += as_json ? "}\n" : "\n";
    }
    out.write(text);
    if (const auto share = states.fraction()) progress(*share);
  }
  progress.clear();
  out.finish();
}

}  // namespace

void add_predict(CLI::App& app) {
  auto verb = std::make_shared<PredictVerb>(app);
  verb->verb.callback([verb] { verb->run(); });
}

}  // namespace bellwether::cli
