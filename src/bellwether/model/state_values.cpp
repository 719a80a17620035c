#include <bellwether/model/state_values.h>

#include <limits>

namespace bellwether {

StateValues values_of(const Model& model, std::size_t target, const FeatureRows& rows, bool interval) {
  std::vector<double> values(rows.rows, std::numeric_limits<double>::quiet_NaN());
  if (model.why_not_predicted(target).empty()) model.predict(target, rows, values);
  const ValueRange possible = model.possible_values(target);
  StateValues all;
  if (interval) {
    std::vector<double> widths(rows.rows);
    model.half_widths(target, rows, widths);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      all.low.push_back(possible.clamped(values[i] - widths[i]));
      all.high.push_back(possible.clamped(values[i] + widths[i]));
    }
  }
  for (double& value : values) value = possible.clamped(value);
  all.value = std::move(values);
  return all;
}

}  // namespace bellwether
