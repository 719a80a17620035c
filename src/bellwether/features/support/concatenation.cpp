#include <bellwether/features/support/concatenation.h>

#include <algorithm>

namespace bellwether {

Concatenation::Concatenation(std::vector<std::unique_ptr<FeatureMap>> parts) : parts_(std::move(parts)) {
  for (const auto& part : parts_) {
    first_.push_back(dim_);
    dim_ += part->dim();
    max_active_ += part->max_active();
    if (!type_.empty()) type_ += '+';
    type_ += part->type();
  }
  const bool binary =
      std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->layout() == Layout::binary; });
  if (!binary) layout_ = 2 * max_active_ > dim_ ? Layout::dense : Layout::sparse;
}

void Concatenation::write(std::span<const double> state, Moment moment, RowBuffer& rows) const {
  const std::size_t part = rows.part();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    rows.begin_part(part + first_[i]);
    parts_[i]->write(state, moment, rows);
  }
}

}  // namespace bellwether
