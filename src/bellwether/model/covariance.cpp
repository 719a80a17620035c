#include <bellwether/model/covariance.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include <bellwether/linalg/simd/kernels.h>

namespace bellwether {

namespace {

/// The bytes of a row, to compare rows by. Values follow indices of as many features, so different rows differ.
void write_row(const FeatureRows& x, std::size_t row, std::string& to) {
  const std::size_t begin = x.offsets[row], size = x.offsets[row + 1] - begin;
  to.assign(reinterpret_cast<const char*>(x.indices + begin), size * sizeof *x.indices);
  if (x.layout == Layout::sparse) {
    to.append(reinterpret_cast<const char*>(x.values + begin), size * sizeof *x.values);
  }
}

}  // namespace

Covariance::Covariance(const FeatureRows& x) : x_(x) {
  if (x.layout == Layout::dense) return;
  find_distinct_rows();
  sort_by_feature();
  products_.resize(first_.size());
}

void Covariance::find_distinct_rows() {
  std::unordered_map<std::string, std::uint32_t> known;
  std::string row;
  for (std::size_t t = 0; t < x_.rows; ++t) {
    write_row(x_, t, row);
    const auto [found, is_new] = known.try_emplace(row, static_cast<std::uint32_t>(first_.size()));
    if (is_new) first_.push_back(static_cast<std::uint32_t>(t));
    distinct_.push_back(found->second);
  }
}

void Covariance::sort_by_feature() {
  std::vector<std::size_t> counts(x_.dim, 0), next(x_.dim);
  const auto for_each_entry = [&](auto&& visit_entry) {
    for (std::size_t t = 0; t < x_.rows; ++t) {
      visit(x_.row(t),
            [&](const auto& row) { row.for_each([&](std::size_t j, double value) { visit_entry(t, j, value); }); });
    }
  };
  for_each_entry([&](std::size_t, std::size_t j, double value) {
    ++counts[j];
    ones_ = ones_ && value == 1;
  });
  for (std::size_t j = 0; j < x_.dim; ++j) {
    if (counts[j] > 0) features_.push_back(static_cast<std::uint32_t>(j));
  }
  std::stable_sort(features_.begin(), features_.end(), [&](auto a, auto b) { return counts[a] > counts[b]; });
  begin_.push_back(0);
  for (const std::uint32_t j : features_) {
    next[j] = begin_.back();
    begin_.push_back(next[j] + counts[j]);
  }
  rows_.resize(begin_.back());
  if (!ones_) values_.resize(begin_.back());
  for_each_entry([&](std::size_t t, std::size_t j, double value) {
    const std::size_t entry = next[j]++;
    rows_[entry] = distinct_[t];
    if (!ones_) values_[entry] = value;
  });
}

void Covariance::times(const std::vector<double>& v, std::vector<double>& y) {
  y.assign(v.size(), 0.0);
  const auto n = static_cast<double>(x_.rows);
  if (x_.layout == Layout::dense) {
    products_.resize(x_.rows);
    for (std::size_t t = 0; t < x_.rows; ++t) {
      products_[t] = visit(x_.row(t), [&](const auto& row) { return kernels::dot(row, v.data()); }) / n;
    }
    for (std::size_t t = 0; t < x_.rows; ++t) {
      visit(x_.row(t), [&](const auto& row) { kernels::axpy(products_[t], row, y.data()); });
    }
    return;
  }
  for (std::size_t i = 0; i < first_.size(); ++i) {
    products_[i] = visit(x_.row(first_[i]), [&](const auto& row) { return kernels::dot(row, v.data()); }) / n;
  }
  ones_ ? add_rows<true>(y.data()) : add_rows<false>(y.data());
}

template <bool ones>
void Covariance::add_rows(double* y) const {
  const double* const products = products_.data();
  const auto term = [&](std::size_t entry) {
    if constexpr (ones) return products[rows_[entry]];
    else return products[rows_[entry]] * values_[entry];
  };
  // One sum is a chain of additions that wait for each other; several chains keep the processor busy. The features of a
  // group have nearly as many entries as each other, since they are sorted; the last has the fewest.
  constexpr std::size_t group = 8;
  std::size_t i = 0;
  for (; i + group <= features_.size(); i += group) {
    const std::size_t shared = begin_[i + group] - begin_[i + group - 1];
    std::array<double, group> sums{};
    for (std::size_t k = 0; k < shared; ++k) {
      for (std::size_t c = 0; c < group; ++c) sums[c] += term(begin_[i + c] + k);
    }
    for (std::size_t c = 0; c < group; ++c) {
      for (std::size_t k = begin_[i + c] + shared; k < begin_[i + c + 1]; ++k) sums[c] += term(k);
      y[features_[i + c]] = sums[c];
    }
  }
  for (; i < features_.size(); ++i) {
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) y[features_[i]] += term(k);
  }
}

}  // namespace bellwether
