#include <bellwether/features/all.h>

#include <bellwether/features/support/concatenation.h>
#include <bellwether/features/support/description.h>

namespace bellwether {

namespace {

constexpr const char* own = "own";

std::unique_ptr<FeatureMap> build(std::string_view description, const FeatureContext& context, const Domain* domain,
                                  const Settings& settings) {
  auto parts = parse_description(description);
  add_settings(parts, settings);
  std::vector<std::unique_ptr<FeatureMap>> maps;
  for (const FeaturePart& part : parts) {
    if (domain == nullptr || part.name != own) {
      maps.push_back(find_entry(feature_maps(), "feature map", part.name).make(part.settings, context));
      continue;
    }
    if (!part.settings.empty()) detail::reject_name(own, part.settings.front().first, {});
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
