#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/files/files.h>
#include <bellwether/core/support/json_text.h>
#include <bellwether/core/support/text.h>
#include <bellwether/model/model_file.h>
#include <bellwether/model/state_rows.h>
#include <bellwether/model/state_values.h>

#include "learning/log_options.h"
#include "terminal/csv.h"
#include "terminal/flags.h"
#include "terminal/output.h"
#include "terminal/terminal.h"
#include "verbs.h"

namespace bellwether::cli {

namespace {

struct PredictVerb {
  explicit PredictVerb(CLI::App& app)
      : verb(*app.add_subcommand("predict", "Predict the values of states with a model that bellwether learn wrote")) {
    verb.add_option("model", model, "the model")->required()->type_name("MODEL");
    verb.add_option("data", data, "states, in any format that learn reads; only the columns of the state are needed")
        ->required()
        ->type_name("FILE");
    verb.add_option("-o,--out", path,
                    "write to this file, as CSV or, if it ends in .jsonl, as JSON lines (standard output)")
        ->type_name("FILE");
    verb.add_option("--keep", keep, "columns of the data, of numbers or text, to be carried along")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,...");
    verb.add_flag("--interval", interval, "add the ends of the 95 % interval of every value");
    verb.add_flag("--skip-bad", skip_bad, "leave out rows in which something is wrong");
    add_decimal_option(verb, decimal);
    verb.footer(
        "The column visits says how well the data supports a value: at most so many steps were learned from states "
        "like "
        "this one; 0 where nothing like it was seen.\n"
        "Example: bellwether predict m.bw states.csv --keep id,time --interval -o values.csv");
  }

  void run() const;

  CLI::App& verb;
  std::string model, data, path;
  std::vector<std::string> keep;
  bool interval = false;
  bool skip_bad = false;
  char decimal = '.';
};

/// Tells which target has no values. Throws InvalidArgument when none has.
void check_values(const Model& learned, const std::string& model) {
  bool some = false;
  std::string why;
  for (std::size_t k = 0; k < learned.targets(); ++k) {
    const std::string reason = learned.why_not_predicted(k);
    some = some || reason.empty();
    if (!reason.empty())
      why = fmt::format("{}: has no values of {}, as {}", model, learned.recipe().name_of(k), reason);
  }
  if (!some) throw InvalidArgument(why);
  if (!why.empty()) tell("{}: its cells are empty\n", with_flags(why));
}

/// Columns of the result have different names.
void check_kept(const std::vector<std::string>& keep, const std::vector<std::string>& own) {
  for (std::size_t i = 0; i < keep.size(); ++i) {
    const auto here = keep.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(keep.begin(), here, keep[i]) != here) {
      throw InvalidArgument(fmt::format("predict: `keep` names '{}' twice", keep[i]));
    }
    if (std::find(own.begin(), own.end(), keep[i]) != own.end()) {
      throw InvalidArgument(fmt::format(
          "predict: `keep` names '{}', which is a column of the predictions; rename it in the data", keep[i]));
    }
  }
}

std::string dumped(const nlohmann::json& value) { return json_text(value); }

/// A cell as JSON: a number that JSON knows as one stays a number, an empty cell is null.
std::string json_value(std::string_view cell) {
  if (cell.empty()) return "null";
  const nlohmann::json parsed = nlohmann::json::parse(cell, nullptr, /*allow_exceptions=*/false);
  return parsed.is_number() ? std::string(cell) : dumped(std::string(cell));
}

void PredictVerb::run() const {
  if (begins_as_model(data) && !begins_as_model(model)) {
    throw InvalidArgument(
        fmt::format("predict: {1} is the model, and the model comes first: predict {1} {0}", model, data));
  }
  const bool as_json = is_json_lines("predict", path);
  const Model learned = Model::load(model);
  check_values(learned, model);
  TableOptions options;
  options.bad_rows = skip_bad ? BadRows::skip : BadRows::reject;
  options.decimal = decimal;
  if (path != "-") reject_overwriting("predict", {model, data}, {path});
  StateRows states(learned, data, options, keep);
  const std::size_t targets = learned.targets();
  std::vector<std::string> names{"row"};
  for (std::size_t k = 0; k < targets; ++k) {
    const std::string suffix = targets == 1 ? "" : "_" + learned.recipe().name_of(k);
    names.push_back("value" + suffix);
    if (interval) names.insert(names.end(), {"low" + suffix, "high" + suffix});
  }
  names.emplace_back("visits");
  check_kept(keep, names);
  Output out(path);
  if (!as_json) {
    std::string header;
    for (const std::vector<std::string>* some : {&std::as_const(names), &keep}) {
      for (const std::string& name : *some) header += (header.empty() ? "" : ",") + csv_cell(name);
    }
    out.write(header + "\n");
  }
  ProgressLine progress("predicting " + data, !path.empty());
  while (states.next()) {
    const FeatureRows rows = states.rows();
    std::vector<std::vector<double>> cells;
    for (std::size_t k = 0; k < targets; ++k) {
      StateValues values = values_of(learned, k, rows, interval);
      cells.push_back(std::move(values.value));
      if (!interval) continue;
      cells.push_back(std::move(values.low));
      cells.push_back(std::move(values.high));
    }
    learned.visits(rows, cells.emplace_back(rows.rows));
    std::string text;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      text += as_json ? fmt::format("{{\"row\": {}", states.numbers()[i]) : fmt::format("{}", states.numbers()[i]);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        if (as_json) text += ", " + dumped(names[c + 1]) + ": ";
        else text += ',';
        text += as_json && std::isnan(cells[c][i]) ? "null" : csv_cell(cells[c][i]);
      }
      for (std::size_t c = 0; c < keep.size(); ++c) {
        const std::string_view cell = states.kept(c, i);
        if (as_json) text += ", " + dumped(keep[c]) + ": " + json_value(cell);
        else text += ',' + csv_cell(cell);
      }
      text += as_json ? "}\n" : "\n";
    }
    out.write(text);
    if (const auto share = states.fraction()) progress(*share);
  }
  progress.clear();
  out.finish();
  if (const std::uint64_t skipped = states.skipped(); skipped > 0) {
    tell("warning: {} row{} left out; the first: {}\n", grouped(skipped), skipped == 1 ? " was" : "s were",
         states.first_skipped());
  }
}

}  // namespace

void add_predict(CLI::App& app) { add_verb<PredictVerb>(app); }

}  // namespace bellwether::cli
