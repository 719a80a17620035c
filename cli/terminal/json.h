#pragma once

#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include <bellwether/core/params/settings.h>
#include <bellwether/core/support/statistics.h>

namespace bellwether::cli {

/// {"alpha": "0.1", "lambda": "0"}
inline nlohmann::ordered_json json_settings(const Settings& settings) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& [key, value] : settings) object[key] = value;
  return object;
}

template <class T>
nlohmann::ordered_json json_or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// A number that is not known is null: no run finished, or only one.
inline nlohmann::ordered_json json_estimate(const Estimate& e) {
  const auto value = [&](double v) {
    return e.runs > 0 && std::isfinite(v) ? nlohmann::ordered_json(v) : nlohmann::ordered_json(nullptr);
  };
  return {{"mean", value(e.mean)}, {"half_width", value(e.half_width)}, {"runs", e.runs}};
}

}  // namespace bellwether::cli
