#include <bellwether/core/features.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include <bellwether/core/error.h>

namespace bellwether {

void RowBuffer::clear() {
  values_.clear();
  indices_.clear();
  offsets_.resize(1);
}

std::span<double> RowBuffer::add_dense() {
  assert(layout_ == Layout::dense);
  values_.resize(values_.size() + dim_, 0.0);
  return {values_.data() + values_.size() - dim_, dim_};
}

void RowBuffer::append(const Features& x) {
  assert(x.layout == layout_);
  if (x.values != nullptr) values_.insert(values_.end(), x.values, x.values + x.size);
  if (x.indices != nullptr) {
    indices_.insert(indices_.end(), x.indices, x.indices + x.size);
    end_row();
  }
}

void RowBuffer::keep_last() {
  if (rows() < 2) return;
  const auto drop_front = [](auto& all, std::size_t keep) {
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(keep));
  };
  if (layout_ == Layout::dense) {
    drop_front(values_, dim_);
    return;
  }
  const std::size_t length = offsets_.back() - offsets_[offsets_.size() - 2];
  drop_front(indices_, length);
  if (layout_ == Layout::sparse) drop_front(values_, length);
  offsets_.resize(2);
  offsets_[1] = length;
}

FeatureRows RowBuffer::view() const {
  return {layout_, dim_, rows(), values_.data(), indices_.data(), offsets_.data()};
}

void check_rows(const FeatureRows& rows, const char* owner) {
  std::vector<std::uint32_t> seen;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const Features x = rows.row(i);
    for (std::size_t n = 0; x.values != nullptr && n < x.size; ++n) {
      if (!std::isfinite(x.values[n])) {
        throw InvalidArgument(fmt::format("{}: row {} holds {}, which is not finite", owner, i, x.values[n]));
      }
    }
    if (x.indices == nullptr) continue;
    seen.assign(x.indices, x.indices + x.size);
    std::sort(seen.begin(), seen.end());
    if (!seen.empty() && seen.back() >= rows.dim) {
      throw InvalidArgument(
          fmt::format("{}: row {} holds index {}, but there are {} features", owner, i, seen.back(), rows.dim));
    }
    const auto twice = std::adjacent_find(seen.begin(), seen.end());
    if (twice != seen.end()) throw InvalidArgument(fmt::format("{}: row {} holds index {} twice", owner, i, *twice));
  }
}

}  // namespace bellwether
