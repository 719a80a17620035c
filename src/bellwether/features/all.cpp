#include <bellwether/features/all.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/features/support/concatenation.h>
#include <bellwether/features/support/description.h>
#include <bellwether/features/support/selection.h>

namespace bellwether {

namespace {

constexpr const char* own = "own";

/// Which variables the map of this name takes where none are named.
Uses usual_variables(const std::string& name) {
  Uses uses = Uses::numbers;
  for_each_type(FeatureMaps{}, [&]<class T>() {
    if constexpr (requires { T::uses; }) uses = T::name == name ? T::uses : uses;
  });
  return uses;
}

/// The indices of the variables that a part of a description is made of. Throws when there is no such variable.
std::vector<std::size_t> indices_of(const FeaturePart& part, const std::vector<Variable>& variables) {
  const auto& params = find_entry(feature_maps(), "feature map", part.name).params;
  for (std::size_t i = 0; i < part.variables.size(); ++i) {
    const auto is_called_so = [&](const auto& one) { return one.name == part.variables[i]; };
    if (std::any_of(variables.begin(), variables.end(), is_called_so)) continue;
    if (std::none_of(params.begin(), params.end(), is_called_so)) continue;
    throw InvalidArgument(fmt::format("{0}: there is no variable '{1}'; {1} is a parameter: {1}={2}", part.name,
                                      part.variables[i],
                                      i + 1 < part.variables.size() ? part.variables[i + 1] : "..."));
  }
  return selected_variables(part.name, usual_variables(part.name), part.variables, variables);
}

/// Throws when a variable that is text would be ignored.
void check_text(std::string_view description, const std::vector<FeaturePart>& parts,
                const std::vector<Variable>& variables) {
  std::vector<bool> used(variables.size());
  for (const FeaturePart& part : parts) {
    for (const std::size_t i : indices_of(part, variables)) used[i] = true;
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] || variables[i].categories.empty()) continue;
    throw InvalidArgument(
        fmt::format("features: variable '{}' holds categories, and no map of '{}' uses it: add categorical({}), or "
                    "leave it out of the state",
                    variables[i].name, description, spelled(variables[i].name)));
  }
}

std::unique_ptr<FeatureMap> make_part(const FeaturePart& part, const FeatureContext& context) {
  const FeatureMapEntry& entry = find_entry(feature_maps(), "feature map", part.name);
  const auto indices = indices_of(part, context.variables);
  const std::size_t all = context.variables.size();
  if (indices.size() == all && std::is_sorted(indices.begin(), indices.end()))
    return entry.make(part.settings, context);
  if (indices.size() > Selection::most) {
    throw InvalidArgument(fmt::format("{}: {} of {} variables are too many; at most {}", part.name, indices.size(), all,
                                      Selection::most));
  }
  FeatureContext some = context;
  some.variables.clear();
  for (const std::size_t i : indices) some.variables.push_back(context.variables[i]);
  return std::make_unique<Selection>(entry.make(part.settings, some), indices);
}

std::unique_ptr<FeatureMap> build(std::string_view description, const FeatureContext& context, const Domain* domain,
                                  const Settings& settings) {
  auto parts = parse_description(description);
  add_settings(parts, settings);
  if (domain == nullptr) {
    for (const FeaturePart& part : parts) find_entry(feature_maps(), "feature map", part.name);
    check_text(description, parts, context.variables);
  }
  std::vector<std::unique_ptr<FeatureMap>> maps;
  for (const FeaturePart& part : parts) {
    if (domain == nullptr || part.name != own) {
      maps.push_back(make_part(part, context));
      continue;
    }
    if (!part.settings.empty()) detail::reject_name(own, part.settings.front().first, {});
    if (!part.variables.empty()) throw InvalidArgument("own: takes no variables");
    maps.push_back(domain->features(context.seed, context.run));
  }
  if (maps.size() == 1) return std::move(maps.front());
  return std::make_unique<Concatenation>(std::move(maps));
}

}  // namespace

const std::vector<FeatureMapEntry>& feature_maps() {
  static const auto all = entries<FeatureMap, const FeatureContext&>(FeatureMaps{});
  return all;
}

std::unique_ptr<FeatureMap> make_features(std::string_view description, const FeatureContext& context,
                                          const Settings& settings) {
  return build(description, context, nullptr, settings);
}

std::unique_ptr<FeatureMap> make_features(std::string_view description, const Domain& domain, std::uint64_t seed,
                                          std::uint64_t run, const Settings& settings) {
  return build(description.empty() ? own : description, {domain.variables(), seed, run}, &domain, settings);
}

}  // namespace bellwether
