#include <bellwether/model/learning/figures.h>

#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include <bellwether/core/feature_map.h>
#include <bellwether/core/support/json_text.h>

namespace bellwether {
namespace {

constexpr std::size_t most_variables = 16, usual_bins = 24, most_whole_bins = 40;

/// The range to be cut into bins: that of the states, without what lies beyond the ranges that features were made for.
Variable range_of(const Recipe& recipe, const StateSample& states, std::size_t i) {
  Variable range{.name = recipe.columns.state[i], .low = infinity, .high = -infinity, .whole = true};
  const bool known = i < recipe.variables.size();
  for (std::size_t s = 0; s < states.size(); ++s) {
    const double x = states[s][i];
    if (known && (x < recipe.variables[i].low || x > recipe.variables[i].high)) continue;
    range.low = std::min(range.low, x);
    range.high = std::max(range.high, x);
    range.whole = range.whole && x == std::floor(x);
  }
  return range;
}

VariableBins bins_of(const Variable& range) {
  VariableBins found{.name = range.name};
  if (!(range.low <= range.high)) return found;
  found.whole = range.low == range.high || (range.whole && range.high - range.low < most_whole_bins);
  const double width = found.whole ? 1 : (range.high - range.low) / usual_bins;
  const std::size_t bins = found.whole ? static_cast<std::size_t>(range.high - range.low) + 1 : usual_bins;
  for (std::size_t b = 0; b < bins; ++b) {
    const double low = range.low + static_cast<double>(b) * width;
    found.bins.push_back({low, found.whole ? low : b + 1 == bins ? range.high : low + width, 0});
  }
  return found;
}

/// The index of the bin that holds a value, if one does.
std::optional<std::size_t> bin_of(const VariableBins& variable, double x) {
  const std::vector<StateBin>& bins = variable.bins;
  if (bins.empty() || x < bins.front().low || x > bins.back().high) return std::nullopt;
  const auto after =
      std::upper_bound(bins.begin(), bins.end(), x, [](double v, const StateBin& b) { return v < b.low; });
  return static_cast<std::size_t>(after - bins.begin()) - 1;
}

/// The mean features of the states in each bin of a variable, as sparse rows; a row of zeros for an empty bin.
RowBuffer mean_features(const VariableBins& variable, const RowBuffer& features, const StateSample& states,
                        std::size_t i) {
  std::vector<std::map<std::uint32_t, double>> sums(variable.bins.size());
  const FeatureRows rows = features.view();
  for (std::size_t s = 0; s < states.size(); ++s) {
    const auto bin = bin_of(variable, states[s][i]);
    if (!bin) continue;
    visit(rows.row(s), [&](const auto& x) {
      x.for_each([&](std::size_t j, double value) { sums[*bin][static_cast<std::uint32_t>(j)] += value; });
    });
  }
  RowBuffer means(Layout::sparse, features.dim());
  for (std::size_t b = 0; b < sums.size(); ++b) {
    const auto count = static_cast<double>(variable.bins[b].states);
    for (const auto& [j, sum] : sums[b]) means.add(j, sum / count);
    means.end_row();
  }
  return means;
}

/// The features of the states of the sample.
RowBuffer features_of(const Model& model, const StateSample& states) {
  RowBuffer rows(model.recipe().layout, model.recipe().dim);
  for (std::size_t s = 0; s < states.size(); ++s) {
    if (model.map() != nullptr) model.map()->append(states[s], rows, Moment::of_evaluation(s + 1));
    else rows.append(DenseView{states[s].data(), states[s].size()});
  }
  return rows;
}

std::vector<std::optional<BinValue>> values_of(const Model& model, std::size_t target, const VariableBins& variable,
                                               const RowBuffer& means) {
  const std::size_t bins = variable.bins.size();
  const bool intervals = model.recipe().resamples > 1 && model.episodes().units() > 1 && !model.halves_diverged(target);
  std::vector<double> values(bins), widths(bins);
  model.predict(target, means.view(), values);
  if (intervals) model.half_widths(target, means.view(), widths);
  std::vector<std::optional<BinValue>> found(bins);
  for (std::size_t b = 0; b < bins; ++b) {
    if (variable.bins[b].states == 0 || !std::isfinite(values[b])) continue;
    found[b] = {values[b], intervals ? std::optional(widths[b]) : std::nullopt};
  }
  return found;
}

template <class T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}

nlohmann::json json_of(const VariableBins& variable) {
  nlohmann::json all{{"name", variable.name}, {"whole", variable.whole}, {"beyond", variable.beyond}};
  for (const char* key : {"low", "high", "states"}) all[key] = nlohmann::json::array();
  for (const StateBin& bin : variable.bins) {
    all["low"].push_back(bin.low);
    all["high"].push_back(bin.high);
    all["states"].push_back(bin.states);
  }
  return all;
}

nlohmann::json json_of(const PredictedReturns& returns) {
  nlohmann::json all{{"after", returns.after},
                     {"steps", returns.steps},
                     {"groups", nlohmann::json::array()},
                     {"sample", nlohmann::json::array()}};
  for (const ReturnGroup& g : returns.groups) {
    all["groups"].push_back({{"steps", g.steps},
                             {"episodes", g.episodes},
                             {"mean_value", g.mean_value},
                             {"mean_return", g.mean_return},
                             {"half_width", or_null(g.half_width)}});
  }
  for (const PredictedReturn& one : returns.sample) all["sample"].push_back({one.value, one.outcome});
  return all;
}

nlohmann::json json_of(const TargetFigures& target) {
  nlohmann::json all{{"name", target.name}, {"values", nlohmann::json::array()}, {"returns", json_of(target.returns)}};
  for (const auto& bins : target.values) {
    nlohmann::json variable{{"value", nlohmann::json::array()}, {"half_width", nlohmann::json::array()}};
    for (const auto& bin : bins) {
      variable["value"].push_back(bin ? nlohmann::json(bin->value) : nlohmann::json());
      variable["half_width"].push_back(bin ? or_null(bin->half_width) : nlohmann::json());
    }
    all["values"].push_back(std::move(variable));
  }
  return all;
}

}  // namespace

LearnFigures figures_of(const Model& model, const StateSample& states) {
  LearnFigures figures{.states = states.size()};
  const Recipe& recipe = model.recipe();
  const std::size_t all = states.size() > 0 ? recipe.columns.state.size() : 0;
  for (std::size_t i = 0; i < std::min(all, most_variables); ++i) {
    VariableBins& variable = figures.variables.emplace_back(bins_of(range_of(recipe, states, i)));
    for (std::size_t s = 0; s < states.size(); ++s) {
      if (const auto bin = bin_of(variable, states[s][i])) ++variable.bins[*bin].states;
      else ++variable.beyond;
    }
  }
  figures.variables_left_out = all - figures.variables.size();
  for (std::size_t k = 0; k < model.targets(); ++k) {
    figures.targets.push_back({.name = recipe.name_of(k), .values = {}, .returns = model.predicted_returns(k)});
  }
  const RowBuffer features = features_of(model, states);
  for (std::size_t i = 0; i < figures.variables.size(); ++i) {
    const RowBuffer means = mean_features(figures.variables[i], features, states, i);
    for (std::size_t k = 0; k < model.targets(); ++k) {
      if (!model.why_not_predicted(k).empty()) continue;
      figures.targets[k].values.push_back(values_of(model, k, figures.variables[i], means));
    }
  }
  return figures;
}

std::string json_of(const LearnFigures& figures) {
  nlohmann::json all{{"states", figures.states},
                     {"variables_left_out", figures.variables_left_out},
                     {"variables", nlohmann::json::array()},
                     {"targets", nlohmann::json::array()}};
  for (const VariableBins& variable : figures.variables) all["variables"].push_back(json_of(variable));
  for (const TargetFigures& target : figures.targets) all["targets"].push_back(json_of(target));
  return json_text(all);
}

}  // namespace bellwether
