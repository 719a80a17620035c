#include <bellwether/model/learning/feature_choice.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/features/feature_maps.h>
#include <bellwether/model/episodes.h>
#include <bellwether/model/model.h>

namespace bellwether {
namespace {

constexpr double judged_share = 1.0 / 3;
constexpr std::size_t most_features = 2000;  // more take long

/// The same steps, with the features of a map.
StepBlock with_features(const StepBlock& steps, const FeatureMap& map) {
  StepBlock mapped;
  mapped.clear(map.layout(), map.dim(), 1);
  const auto append = [&](const RowBuffer& from, RowBuffer& to) {
    for (std::size_t t = 0; t < steps.size(); ++t) {
      const auto state = from.view().row(t);
      map.append({state.values, from.dim()}, to);
    }
  };
  append(steps.x, mapped.x);
  append(steps.x_next, mapped.x_next);
  mapped.rewards[0] = steps.rewards[0];
  mapped.discount = steps.discount;
  mapped.rho = steps.rho;
  mapped.restart = steps.restart;
  return mapped;
}

/// Values of the states of some steps, and of the states after them.
struct Values {
  std::vector<double> here, after;
};

/// Fits values to the units that are not held out.
Values fitted(const StepBlock& steps, const std::string& features, const std::vector<Variable>& variables,
              std::uint64_t seed) {
  const auto map = make_features(features, FeatureContext(variables, seed));
  const StepBlock mapped = with_features(steps, *map);
  const Default learner = default_learner(mapped, mapped.size());
  Model model({.dim = map->dim(),
               .layout = map->layout(),
               .learner = learner.name,
               .settings = learner.settings,
               .targets = {{.reward = "reward", .discount = 1}},
               .seed = seed,
               .holdout = judged_share});
  model.learn(mapped);
  Values values{std::vector<double>(steps.size()), std::vector<double>(steps.size())};
  model.predict(0, mapped.x.view(), values.here);
  model.predict(0, mapped.x_next.view(), values.after);
  return values;
}

/// Squared errors of each candidate, summed over the steps of each unit.
using Errors = std::vector<std::vector<double>>;

/// Adds the errors of the units that are held out. The return of a step is the same for all candidates: beyond the last
/// step that is known, it is the mean of their values.
void add_errors(const StepBlock& steps, const std::vector<Values>& values, std::uint64_t seed, Errors& errors) {
  Episodes episodes(seed);
  for (const Segment& s : episodes.split(steps)) {
    if (!episodes.in_share(s.unit, judged_share)) continue;
    const std::size_t last = s.first + s.count - 1;
    double outcome = 0;
    for (const Values& v : values) outcome += v.after[last] / static_cast<double>(values.size());
    for (std::size_t t = last + 1; t-- > s.first;) {
      const double rho = steps.rho.empty() ? 1 : steps.rho[t], gamma = steps.discount[t];
      outcome = rho * (steps.rewards[0][t] + (gamma > 0 ? gamma * outcome : 0));
      for (std::size_t c = 0; c < values.size(); ++c) {
        const double error = outcome - values[c].here[t];
        errors[c].resize(std::max<std::size_t>(errors[c].size(), s.unit + 1));
        errors[c][s.unit] += error * error;
      }
    }
  }
}

/// The mean of a - b over units in units of its standard error; 0 where it is not a number.
double standard_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0, squares = 0, count = 0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    if (a[u] == 0 && b[u] == 0) continue;  // never held out
    sum += a[u] - b[u];
    squares += (a[u] - b[u]) * (a[u] - b[u]);
    ++count;
  }
  const double variance = count > 1 ? (squares - sum * sum / count) / (count - 1) : 0;
  const double score = variance > 0 ? sum / std::sqrt(count * variance) : 0;
  return std::isfinite(score) ? score : 0;
}

}  // namespace

std::vector<Default> candidate_features(const std::vector<Variable>& variables, Leaving leaving, std::uint64_t rows) {
  const auto numbers =
      std::count_if(variables.begin(), variables.end(), [](const Variable& v) { return v.categories.empty(); });
  std::vector<Default> all;
  if (constexpr std::ptrdiff_t most = 500; numbers > 2 && numbers <= most) {
    const int beyond = leaving == Leaving::unseen ? 1 : 3;
    std::vector<std::string> names{
        "polynomial(degree=1)",
        fmt::format("tile_coding(tilings=2 tiles=4 groups=1 beyond={}) + bias", beyond),
        "polynomial(degree=2)",
        fmt::format("tile_coding(groups=1 beyond={}) + bias", beyond),
    };
    if (constexpr std::ptrdiff_t most_in_pairs = 20; numbers <= most_in_pairs) {
      names.push_back(fmt::format("tile_coding(tilings=2 tiles=4 groups=1,2 beyond={}) + bias", beyond));
      names.push_back(fmt::format("tile_coding(tilings=4 tiles=6 groups=1,2 beyond={}) + bias", beyond));
      names.push_back(fmt::format("tile_coding(tilings=2 tiles=4 groups=1,2 beyond={} indexing=hash memory={}) + bias",
                                  beyond, std::clamp<std::uint64_t>(rows / 10, 100, 1999)));
    }
    const std::string text = text_features(variables, rows);
    for (const std::string& name : names) {
      const std::string whole = text.empty() ? name : fmt::format("{} + {}", text, name);
      const auto map = make_features(whole, variables);
      const std::size_t dim = map->dim();
      // Dense features take much longer.
      if (dim > (map->layout() == Layout::dense ? most_features / 5 : most_features) || 5 * dim > rows) continue;
      const bool fits = whole.find("hash") != std::string::npos && !all.empty() &&
                        all.back().name.find("groups=1,2") != std::string::npos;
      if (!fits) all.push_back({whole, {}, ""});  // pairs that fit need no hashing
    }
  }
  return all;
}

Default best_features(const Default& usual, const std::vector<Default>& candidates,
                      const std::vector<Variable>& variables, StepBlock steps, std::optional<double> discount,
                      std::uint64_t seed) {
  constexpr std::uint64_t enough = 20;  // units
  constexpr std::uint64_t samples = 2;  // of the units that are held out
  Episodes episodes(seed);
  episodes.split(steps);
  if (episodes.units() < enough || candidates.empty()) return usual;
  if (make_features(usual.name, variables)->dim() > most_features) return usual;  // there are many more rows than here
  if (discount) {
    for (double& gamma : steps.discount) gamma = gamma > 0 ? *discount : 0;
  }
  std::vector<Default> all{usual};
  for (const Default& candidate : candidates) {
    if (candidate.name != usual.name) all.push_back(candidate);
  }
  if (all.size() == 1) return usual;
  Errors errors(all.size());
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    std::vector<Values> values;
    for (const Default& one : all) values.push_back(fitted(steps, one.name, variables, seed + sample));
    add_errors(steps, values, seed + sample, errors);
  }
  std::size_t best = 0;
  for (std::size_t c = 1; c < all.size(); ++c) {
    const bool clearly = standard_difference(errors[c], errors[0]) < -1;
    if (clearly && standard_difference(errors[c], errors[best]) < 0) best = c;
  }
  Default chosen = all[best];
  const std::string others = fmt::format("{} other{}", all.size() - 1, all.size() == 2 ? "" : "s");
  if (best == 0) chosen.why += fmt::format(", and held-out episodes are not predicted better by {}", others);
  else chosen.why = fmt::format("they predict held-out episodes better than {}", others);
  return chosen;
}

}  // namespace bellwether
