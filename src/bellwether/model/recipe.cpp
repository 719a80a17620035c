#include <bellwether/model/recipe.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bellwether/core/support/json_text.h>
#include <bellwether/features/feature_maps.h>

namespace bellwether {

// One list of members serves writing and reading.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LogColumns, state, next, reward, discount, done, terminated, truncated,
                                                rho, target, behaviour, interest, episode, env, time, unordered)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Variable, name, low, high, whole, wraps, hidden, categories)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Target, reward, discount)
NLOHMANN_JSON_SERIALIZE_ENUM(Layout, {{Layout::dense, "dense"}, {Layout::sparse, "sparse"}, {Layout::binary, "binary"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Recipe, columns, features, feature_settings, variables, dim, layout, learner,
                                   settings, targets, ends_only, seed, resamples, holdout)

std::string Recipe::name_of(std::size_t target) const {
  const Target& wanted = targets[target];
  const auto same_reward = [&](const Target& other) { return other.reward == wanted.reward; };
  if (std::count_if(targets.begin(), targets.end(), same_reward) == 1) return wanted.reward;
  return fmt::format("{}_{}", wanted.reward, wanted.discount);
}

std::vector<std::string> Recipe::rewards() const {
  std::vector<std::string> all;
  for (const Target& target : targets) {
    if (std::find(all.begin(), all.end(), target.reward) == all.end()) all.push_back(target.reward);
  }
  return all;
}

bool Recipe::tabular() const { return features.starts_with("tabular") && features.find('+') == std::string::npos; }

std::size_t Recipe::reward_of(std::size_t target) const {
  const auto all = rewards();
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), targets[target].reward) - all.begin());
}

std::shared_ptr<const FeatureMap> Recipe::map() const {
  if (features == "none") return nullptr;
  return make_features(features, FeatureContext(variables, seed), feature_settings);
}

std::optional<double> number_in(const Settings& values, std::string_view name) {
  for (const auto& [key, text] : values) {
    if (key != name) continue;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
  }
  return std::nullopt;
}

std::string text_of(const Recipe& recipe) { return json_text(nlohmann::json(recipe)); }

Recipe parse_recipe(const std::string& text) {
  try {
    const auto recipe = nlohmann::json::parse(text);
    // `get` would convert any number, also one beyond all whole ones.
    for (const char* whole : {"dim", "seed", "resamples"}) recipe.at(whole).get_ref<const std::uint64_t&>();
    return recipe.get<Recipe>();
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(fmt::format("the description of the model cannot be read ({})", error.what()));
  }
}

}  // namespace bellwether
