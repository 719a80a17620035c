#include <bellwether/learners/least_squares/equations/run_matrix.h>

#include <algorithm>
#include <array>
#include <utility>

namespace bellwether {
namespace {

/// Numbers of v are asked for so many entries before they are needed.
constexpr std::size_t ahead = 24;

}  // namespace

void RunMatrix::add(std::size_t row, std::uint32_t column, double value) {
  const std::uint32_t at = pending_of_[column];
  if (at < pending_.size()) {
    Pending& last = pending_[at];
    if (last.run.column == column && last.run.end == row && last.value == value) {
      ++last.run.end;
      return;
    }
  }
  pending_of_[column] = static_cast<std::uint32_t>(pending_.size());
  const auto begin = static_cast<std::uint16_t>(row);
  pending_.push_back({{column, begin, static_cast<std::uint16_t>(begin + 1)}, value});
  if (value != 1 && !valued_) keep_values();
}

/// From the first value on that is not 1.
void RunMatrix::keep_values() {
  valued_ = true;
  std::fill_n(run_values_.append(runs_.size()), runs_.size(), 1.0);
  std::fill_n(values_.append(columns_.size()), columns_.size(), 1.0);
}

void RunMatrix::end_group(std::size_t rows) {
  // Sorted by column: neighbours share a cache line, and additions to one row do not wait for each other.
  std::sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) {
    return a.run.column != b.run.column ? a.run.column < b.run.column : a.run.begin < b.run.begin;
  });
  for (const Pending& p : pending_) {
    if (p.run.end - p.run.begin > 1) {
      runs_.push_back(p.run);
      if (valued_) run_values_.push_back(p.value);
    } else {
      columns_.push_back(p.run.column);
      row_.push_back(static_cast<std::uint8_t>(p.run.begin));
      if (valued_) values_.push_back(p.value);
    }
  }
  rows_.push_back(static_cast<std::uint8_t>(rows));
  starts_.push_back({runs_.size(), columns_.size()});
  pending_.clear();
}

void RunMatrix::finish() {
  pending_ = {};
  pending_of_ = {};
  runs_.append(ahead);  // read, but not used
  columns_.append(ahead);
}

void RunMatrix::divide(std::span<const std::uint32_t> bounds) {
  const std::vector<Start> groups = std::exchange(starts_, {Start{0, 0}});
  parts_ = bounds.size() - 1;
  starts_.reserve(rows_.size() * parts_ + 1);
  for (std::size_t g = 0; g < rows_.size(); ++g) {
    Start at = groups[g];
    for (std::size_t part = 1; part < parts_; ++part) {
      while (at.runs < groups[g + 1].runs && runs_[at.runs].column < bounds[part]) ++at.runs;
      while (at.singles < groups[g + 1].singles && columns_[at.singles] < bounds[part]) ++at.singles;
      starts_.push_back(at);
    }
    starts_.push_back(groups[g + 1]);
  }
}

template <bool valued>
void RunMatrix::add_product_of(std::size_t group, const double* v, double* p) const {
  const Start& first = starts_[group * parts_];
  const Start& end = starts_[(group + 1) * parts_];
  const std::size_t rows = rows_[group];
  if (first.runs < end.runs) {
    const Run* runs = runs_.data();
    std::array<double, largest_group + 1> c;
    std::fill_n(c.begin(), rows + 1, 0.0);
    for (std::size_t k = first.runs; k < end.runs; ++k) {
      __builtin_prefetch(v + runs[k + ahead].column);
      const Run run = runs[k];
      double x = v[run.column];
      if constexpr (valued) x *= run_values_[k];
      c[run.begin] += x;
      c[run.end] -= x;
    }
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i) p[i] += sum += c[i];
  }
  const std::uint32_t* columns = columns_.data();
  const std::uint8_t* row = row_.data();
  for (std::size_t k = first.singles; k < end.singles; ++k) {
    __builtin_prefetch(v + columns[k + ahead]);
    if constexpr (valued) p[row[k]] += values_[k] * v[columns[k]];
    else p[row[k]] += v[columns[k]];
  }
}

template <bool valued>
void RunMatrix::add_transposed_of(std::size_t group, std::size_t part, const double* h, double* out) const {
  const Start& first = starts_[group * parts_ + part];
  const Start& end = starts_[group * parts_ + part + 1];
  // Behind the last entry of this part come those of the same part of the group before.
  const Start& next = starts_[(group == 0 ? 0 : group - 1) * parts_ + part];
  const auto soon = [](std::size_t k, std::size_t last, std::size_t then) {
    return k + ahead < last ? k + ahead : then + (k + ahead - last);
  };
  const std::size_t rows = rows_[group];
  if (first.runs < end.runs) {
    const Run* runs = runs_.data();
    std::array<double, largest_group + 1> c;  // c_i = h_0 + ... + h_{i-1}
    c[0] = 0;
    for (std::size_t i = 0; i < rows; ++i) c[i + 1] = c[i] + h[i];
    for (std::size_t k = first.runs; k < end.runs; ++k) {
      __builtin_prefetch(out + runs[soon(k, end.runs, next.runs)].column, 1);
      const Run run = runs[k];
      const double sum = c[run.end] - c[run.begin];
      if constexpr (valued) out[run.column] += run_values_[k] * sum;
      else out[run.column] += sum;
    }
  }
  const std::uint32_t* columns = columns_.data();
  const std::uint8_t* row = row_.data();
  for (std::size_t k = first.singles; k < end.singles; ++k) {
    __builtin_prefetch(out + columns[soon(k, end.singles, next.singles)], 1);
    if constexpr (valued) out[columns[k]] += values_[k] * h[row[k]];
    else out[columns[k]] += h[row[k]];
  }
}

void RunMatrix::add_product(std::size_t group, const double* v, double* p) const {
  if (valued_) add_product_of<true>(group, v, p);
  else add_product_of<false>(group, v, p);
}

void RunMatrix::add_transposed(std::size_t group, const double* h, double* out) const {
  for (std::size_t part = 0; part < parts_; ++part) add_transposed(group, part, h, out);
}

void RunMatrix::add_transposed(std::size_t group, std::size_t part, const double* h, double* out) const {
  if (valued_) add_transposed_of<true>(group, part, h, out);
  else add_transposed_of<false>(group, part, h, out);
}

}  // namespace bellwether
