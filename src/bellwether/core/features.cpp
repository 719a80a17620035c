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
  rows_ = 0;
  part_ = 0;
}

void RowBuffer::add_ones(std::span<const std::uint32_t> indices) {
  if (layout_ == Layout::dense) {
    double* row = open_dense_row() + part_;
    for (const std::uint32_t i : indices) row[i] = 1;
    return;
  }
  const std::size_t before = indices_.size();
  indices_.insert(indices_.end(), indices.begin(), indices.end());
  for (std::size_t i = before; part_ != 0 && i < indices_.size(); ++i) indices_[i] += static_cast<std::uint32_t>(part_);
  if (layout_ == Layout::sparse) values_.resize(indices_.size(), 1.0);
}

std::span<double> RowBuffer::dense_part(std::size_t count) {
  assert(layout_ != Layout::binary);
  if (layout_ == Layout::dense) return {open_dense_row() + part_, count};
  for (std::size_t i = 0; i < count; ++i) indices_.push_back(static_cast<std::uint32_t>(part_ + i));
  values_.resize(indices_.size(), 0.0);
  return std::span(values_).last(count);
}

std::span<double> RowBuffer::add_dense() {
  assert(layout_ == Layout::dense);
  end_row();
  return std::span(values_).last(dim_);
}

void RowBuffer::end_row() {
  if (layout_ == Layout::dense) open_dense_row();
  else offsets_.push_back(indices_.size());
  ++rows_;
  part_ = 0;
}

void RowBuffer::write(const Features& x) {
  switch (x.layout) {
    case Layout::dense: std::copy_n(x.values, x.size, dense_part(x.size).begin()); return;
    case Layout::binary: add_ones({x.indices, x.size}); return;
    case Layout::sparse:
      if (layout_ == Layout::sparse && part_ == 0) {
        indices_.insert(indices_.end(), x.indices, x.indices + x.size);
        values_.insert(values_.end(), x.values, x.values + x.size);
        return;
      }
      for (std::size_t i = 0; i < x.size; ++i) add(x.indices[i], x.values[i]);
  }
}

void RowBuffer::keep_last() {
  if (rows_ < 2) return;
  rows_ = 1;
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
