#include <bellwether/model/learning/agreement.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/params/params.h>
#include <bellwether/learners/learners.h>

namespace bellwether {
namespace {

[[noreturn]] void reject(const std::string& what, const std::string& has, const std::string& asked) {
  throw InvalidArgument(
      fmt::format("the model has {} {}, not {}: leave it out, or learn a new model", what, has, asked));
}

void check_settings(const Settings& given, const Recipe& recipe) {
  const Settings asked = find_entry(learners(), "learner", recipe.learner).resolve(given);
  for (const auto& [name, text] : given) {
    const auto is = [&name = name](const auto& setting) { return setting.first == name; };
    const auto mine = std::find_if(recipe.settings.begin(), recipe.settings.end(), is);
    const auto theirs = std::find_if(asked.begin(), asked.end(), is);
    if (mine->second != theirs->second) reject(name, mine->second, theirs->second);
  }
}

void check_discounts(const std::vector<std::string>& given, const Recipe& recipe) {
  std::vector<std::string> all{recipe.columns.discount};
  for (const Target& target : recipe.targets) all.push_back(format_number(target.discount));
  for (const std::string& text : given) {
    const auto number = discount_number(text);
    const auto has = [&](const Target& target) { return number == target.discount; };
    const bool known =
        number ? std::any_of(recipe.targets.begin(), recipe.targets.end(), has) : text == recipe.columns.discount;
    if (!known) reject("the discount", detail::join(all, " "), text);
  }
}

void check_columns(const char* role, const std::vector<std::string>& given, const std::vector<std::string>& has) {
  for (const std::string& name : given) {
    const auto is = [&](const std::string& column) { return column == name || column.starts_with(name + "."); };
    if (std::none_of(has.begin(), has.end(), is)) reject(role, detail::join(has, ","), name);
  }
}

}  // namespace

std::optional<double> discount_number(const std::string& text) {
  try {
    return detail::parse_number("learn", "discount", text);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

void check_agreement(const LearnRequest& request, const Recipe& recipe) {
  if (!request.learner.empty() && request.learner != recipe.learner) {
    reject("the learner", recipe.learner, request.learner);
  }
  if (!request.features.empty() && request.features != recipe.features) {
    reject("the features", recipe.features, request.features);
  }
  if (request.dim && *request.dim != recipe.dim) {
    reject("the number of features", std::to_string(recipe.dim), std::to_string(*request.dim));
  }
  check_settings(request.settings, recipe);
  check_discounts(request.discount, recipe);
  check_columns("the state", request.columns.state, recipe.columns.state);
  check_columns("the reward", request.columns.reward, recipe.columns.reward);
}

}  // namespace bellwether
