#include <bellwether/model/learning/defaults.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/support/text.h>
#include <bellwether/features/cross.h>
#include <bellwether/features/support/description.h>
#include <bellwether/learners/families.h>

namespace bellwether {
namespace {

constexpr std::size_t largest_matrix = 200;             // features
constexpr std::uint64_t largest_store = 2'000'000'000;  // bytes

/// The mean square of the features that are not zero.
double mean_square(const StepBlock& steps) {
  const FeatureRows x = steps.x.view();
  double sum = 0, count = 0;
  for (std::size_t t = 0; t < x.rows; ++t) {
    visit(x.row(t), [&](const auto& row) {
      row.for_each([&](std::size_t, double value) {
        sum += value * value;
        count += value != 0 ? 1 : 0;
      });
    });
  }
  return count > 0 && sum > 0 ? sum / count : 1;
}

bool off_policy(const StepBlock& steps) {
  return std::any_of(steps.rho.begin(), steps.rho.end(), [](double rho) { return rho != 1; });
}

/// Whether every state has one active feature, as in a table.
bool tabular(const FeatureRows& x) {
  return x.layout == Layout::binary && x.rows > 0 && x.offsets[x.rows] - x.offsets[0] == x.rows;
}

/// A trace mends what states that share features get wrong when they bootstrap. Off-policy a table needs none, and
/// ratios let it grow: rho lambda e has a mean square of E[rho^2] lambda^2 |e|^2. With this lambda it shrinks as one of
/// 0.9 does on-policy.
std::string trace_decay(const StepBlock& steps) {
  if (off_policy(steps) && tabular(steps.x.view())) return "0";
  double squares = 0;
  for (const double rho : steps.rho) squares += rho * rho;
  const double mean = steps.rho.empty() ? 1 : squares / static_cast<double>(steps.rho.size());
  return fmt::format("{:.2g}", 0.9 / std::sqrt(std::max(1.0, mean)));
}

/// Features of variables that are numbers.
Default number_features(const std::vector<Variable>& variables, Leaving leaving, std::optional<std::uint64_t> rows) {
  if (variables.size() == 1 && variables[0].whole && variables[0].high - variables[0].low < 1000) {
    return {"tabular(others=true)", {}, "there is one variable with whole values"};
  }
  const int beyond = leaving == Leaving::unseen ? 1 : variables.size() <= 2 ? 6 : 3;
  if (variables.size() <= 2) {
    return {fmt::format("tile_coding(beyond={}) + bias", beyond), {}, "tiles suit one or two variables"};
  }
  const std::size_t n = variables.size();
  const auto enough_rows_for = [&](std::size_t features) {
    constexpr std::size_t many = 2000;
    return !rows || *rows >= (features > many ? 50 : 10) * features;
  };
  constexpr std::size_t most_in_pairs = 6;  // pairs are many: 15 of 6, with 196 tiles each
  if (n <= most_in_pairs && enough_rows_for(n * 28 + n * (n - 1) / 2 * 196)) {
    return {fmt::format("tile_coding(tilings=4 tiles=6 groups=1,2 beyond={}) + bias", beyond),
            {},
            "tiles suit variables taken singly and in pairs"};
  }
  const std::string many_for = rows ? fmt::format("{} variables are many for {} rows", n, grouped(*rows)) : "";
  constexpr std::size_t most_singly = 500;
  if (n <= most_singly && enough_rows_for(n * 72)) {
    return {fmt::format("tile_coding(groups=1 beyond={}) + bias", beyond),
            {},
            fmt::format("tiles suit {} variables taken singly", n)};
  }
  if (n <= most_singly && enough_rows_for(n * 10)) {
    return {fmt::format("tile_coding(tilings=2 tiles=4 groups=1 beyond={}) + bias", beyond),
            {},
            "larger tiles need fewer rows, and " + many_for};
  }
  return {"polynomial(degree=1)", {}, n > most_singly ? fmt::format("{} variables are many", n) : many_for};
}

}  // namespace

std::string text_features(const std::vector<Variable>& variables, std::optional<std::uint64_t> rows) {
  constexpr std::uint64_t most = 4000;  // combinations
  const std::uint64_t budget = rows ? std::min(most, *rows / 10) : most;
  const auto levels = [](const Variable& v) { return Levels("cross", v, Cross::Params{}.parts).count(); };
  if (std::all_of(variables.begin(), variables.end(), [](const Variable& v) { return v.categories.empty(); }))
    return {};
  // Texts that hardly ever come again, such as names of people, share features.
  const std::uint64_t most_texts = rows ? *rows / 5 : most;
  std::string few, features;
  bool all_few = true;
  for (const Variable& v : variables) {
    if (v.categories.empty()) continue;
    if (v.categories.size() <= most_texts) {
      few += (few.empty() ? "" : " ") + spelled(v.name);
      continue;
    }
    all_few = false;
    features += fmt::format(" + cross({} memory={})", spelled(v.name), std::clamp<std::uint64_t>(budget / 2, 16, 1000));
  }
  if (few.empty()) features = features.substr(3);
  else features = (all_few ? "categorical" : "categorical(" + few + ")") + features;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    for (std::size_t j = 0; j < variables.size(); ++j) {
      const Variable &text = variables[i], &other = variables[j];
      const bool pair = !text.categories.empty() && (other.categories.empty() || i < j);
      if (!pair || count + levels(text) * levels(other) > budget) continue;
      count += levels(text) * levels(other);
      features += fmt::format(" + cross({} {})", spelled(text.name), spelled(other.name));
    }
  }
  return features;
}

Default default_features(const std::vector<Variable>& variables, Leaving leaving, std::optional<std::uint64_t> rows) {
  const std::string text = text_features(variables, rows);
  if (text.empty()) return number_features(variables, leaving, rows);
  std::vector<Variable> numbers = variables;
  std::erase_if(numbers, [](const Variable& v) { return !v.categories.empty(); });
  if (numbers.empty()) return {text + " + bias", {}, "the state is text"};
  Default features = number_features(numbers, leaving, rows);
  return {text + " + " + features.name, {}, features.why + ", and categories suit text"};
}

Default default_learner(const StepBlock& first, std::optional<std::uint64_t> bytes) {
  const std::string lambda = trace_decay(first);
  const auto inverse_of = [&](double share) {
    return format_number(std::pow(10, -std::round(std::log10(share * mean_square(first)))));
  };
  const std::size_t dim = first.x.dim();
  if (dim <= largest_matrix) {
    return {"lstd",
            {{"lambda", lambda}, {"inverse_init", inverse_of(1e-3)}},
            fmt::format("exact least squares fits for {} features", dim)};
  }
  if (bytes && *bytes <= largest_store) {
    // Damped weights hardly change after the gradient has fallen ten thousandfold; after a thousandfold, means over
    // many states still do. Ratios make the matrix too noisy to damp it.
    return {"lstd_krylov",
            off_policy(first)
                ? Settings{{"lambda", lambda},
                           {"inverse_init", inverse_of(0.1)},
                           {"tolerance", "1e-6"},
                           {"iterations", "500"}}
                : Settings{{"lambda", lambda}, {"damping", "0.003"}, {"tolerance", "1e-4"}, {"iterations", "500"}},
            "least squares fits when it is solved from the stored steps"};
  }
  return {"atd_compensated",
          {{"lambda", lambda}},
          bytes ? "there is too much data to keep it for exact least squares"
                : fmt::format("exact least squares takes long for {} features of a stream", dim)};
}

std::size_t default_resamples(const std::string& learner, std::size_t dim, std::optional<std::uint64_t> bytes,
                              std::optional<std::uint64_t> rows) {
  constexpr std::size_t affordable = 20;
  constexpr std::uint64_t most_data = 20'000'000;  // bytes
  constexpr std::uint64_t few_rows = 50'000;       // however wide they are
  switch (registered_learner(learner).work) {
    case Work::features: return dim <= 100'000 ? affordable : 0;
    case Work::matrix: return dim <= 500 ? affordable : 0;
    default: return dim <= 3000 && ((bytes && *bytes <= most_data) || (rows && *rows <= few_rows)) ? affordable : 0;
  }
}

}  // namespace bellwether
