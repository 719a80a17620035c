#include <bellwether/learners/least_squares/equations/transition_log.h>

#include <algorithm>
#include <span>

#include <bellwether/core/state.h>

namespace bellwether {

TransitionLog::TransitionLog(std::size_t dim, std::size_t capacity, bool additions)
    : dim_(dim),
      capacity_(capacity),
      additions_(additions),
      number_(dim, unseen),
      feature_(dim),
      words_(capacity),
      steps_(capacity / words_per_step) {}

std::uint32_t TransitionLog::number_of(std::size_t feature) {
  std::uint32_t& number = number_[feature];
  if (number == unseen) {
    number = static_cast<std::uint32_t>(feature_.size());
    natural_ = natural_ && number == feature;
    feature_.push_back(static_cast<std::uint32_t>(feature));
  }
  return number;
}

/// The number of words of the row that starts at `at`, 0 if there is no valid row.
std::size_t TransitionLog::checked_row(std::uint64_t at) const {
  if (at >= words_.size()) return 0;
  const std::uint64_t layout = words_[at] & 3U;
  const std::size_t size = words_[at] >> 2U;
  if (layout > static_cast<std::uint64_t>(Layout::binary) || size > dim_) return 0;
  const std::size_t words = row_words(static_cast<Layout>(layout), size) + (additions_ ? size : 0);
  if (words > words_.size() - at) return 0;
  const bool sound = visit_row(at, [&](const auto& row) {
    if constexpr (std::is_same_v<decltype(row), const DenseView&>) return natural_ && row.size == features();
    else return all_below(features(), std::span(row.indices, row.size));
  });
  return sound ? words : 0;
}

/// Recomputes what follows from a state that was read. False if the state contradicts itself: rows must lie one after
/// another in the order of the steps.
bool TransitionLog::restore() {
  std::fill(number_.begin(), number_.end(), unseen);
  natural_ = true;
  for (std::uint32_t i = 0; i < feature_.size(); ++i) {
    if (feature_[i] >= dim_ || number_[feature_[i]] != unseen) return false;
    number_[feature_[i]] = i;
    natural_ = natural_ && feature_[i] == i;
  }
  last_row_ = no_row;
  std::uint64_t end = 0;
  const auto takes = [&](std::uint64_t at) {
    const std::size_t words = at == end ? checked_row(at) : 0;
    end += words;
    return words > 0;
  };
  for (const Step& step : steps_) {
    const bool known = step.x == last_row_ && last_row_ != no_row;
    if (!known && !takes(step.x)) return false;
    if (step.numbers.gn != 0 ? !takes(step.xn) : step.xn != no_row) return false;
    last_row_ = step.xn;
  }
  return end == words_.size() && numbers() <= capacity_;
}

template <class X>
TransitionLog::Form TransitionLog::form_of(const X& x) const {
  if constexpr (std::is_same_v<X, BinaryView>) {
    return {Layout::binary, x.size};
  } else {
    constexpr bool dense = std::is_same_v<X, DenseView>;
    std::size_t entries = 0;
    bool ones = true;
    x.for_each([&](std::size_t, double value) {
      entries += !dense || value != 0 ? 1 : 0;
      ones = ones && (value == 1 || (dense && value == 0));
    });
    if (dense && natural_ && (additions_ || 3 * entries > 2 * x.size)) return {Layout::dense, x.size};
    return {ones ? Layout::binary : Layout::sparse, entries};
  }
}

/// Whether the row at `at` is what `store` would write for x.
template <class X>
bool TransitionLog::is_row(std::uint64_t at, const X& x) const {
  if (at == no_row) return false;
  return visit_row(at, [&](const auto& row) {
    std::size_t k = 0;
    bool same = true;
    constexpr bool skip_zeros = std::is_same_v<X, DenseView> && !std::is_same_v<decltype(row), const DenseView&>;
    x.for_each([&](std::size_t j, double value) {
      if (skip_zeros && value == 0) return;
      same = same && k < row.size && index_of(row, k) == number_[j] && value_of(row, k) == value;
      ++k;
    });
    return same && k == row.size;
  });
}

template <class X>
std::uint64_t TransitionLog::store(const X& x, const Form& form, const double* additions, bool with_additions) {
  const std::uint64_t at = words_.size();
  std::uint64_t* row = words_.append(row_words(form.layout, form.size) + (with_additions ? form.size : 0));
  *row = header(form.layout, form.size);
  if (form.layout == Layout::dense) {
    for (std::size_t j = feature_.size(); j < dim_; ++j) number_of(j);
  }
  auto* indices = reinterpret_cast<std::uint32_t*>(row + 1);
  auto* values = reinterpret_cast<double*>(row + 1 + (form.layout == Layout::dense ? 0 : index_words(form.size)));
  double* added = form.layout == Layout::binary ? values : values + form.size;
  std::size_t k = 0;
  for (std::size_t i = 0; i < x.size; ++i) {
    const double value = bellwether::value_of(x, i);
    if (std::is_same_v<X, DenseView> && form.layout != Layout::dense && value == 0) continue;
    if (form.layout != Layout::dense) indices[k] = number_of(index_of(x, i));
    if (form.layout != Layout::binary) values[k] = value;
    if (with_additions) added[k] = additions == nullptr ? 0 : additions[i];
    ++k;
  }
  return at;
}

template <class X>
bool TransitionLog::append(const X& x, const X& xn, const Numbers& numbers, const double* additions) {
  if (full_) return false;
  const bool known = is_row(last_row_, x);
  const Form form = form_of(x);
  const Form next = numbers.gn == 0 ? Form{Layout::binary, 0} : form_of(xn);
  // The row of x_{t+1} has room for the additions that it will have as x of the next step.
  const std::size_t share = additions_ ? 1 : 0;
  const std::size_t needed = (known ? 0 : row_words(form.layout, form.size) + share * form.size) +
                             row_words(next.layout, next.size) + share * next.size + words_per_step;
  if (this->numbers() + needed > capacity_) {
    full_ = true;
    return false;
  }
  // If the system has no more memory, this throws before anything has changed.
  words_.reserve_more(needed - words_per_step);
  steps_.reserve_more(1);
  feature_.reserve_more(std::min(form.size + next.size, dim_ - feature_.size()));
  Step step{numbers, last_row_, no_row};
  if (!known) {
    step.x = store(x, form, additions, additions_);
  } else if (additions_) {
    auto* added = const_cast<double*>(additions_of(last_row_));
    const bool dense_row = static_cast<Layout>(words_[last_row_] & 3U) == Layout::dense;
    std::size_t k = 0;
    for (std::size_t i = 0; i < x.size; ++i) {
      if (std::is_same_v<X, DenseView> && !dense_row && bellwether::value_of(x, i) == 0) continue;
      added[k++] = additions[i];
    }
  }
  if (numbers.gn != 0) step.xn = store(xn, next, nullptr, additions_);
  last_row_ = step.xn;
  steps_.push_back(step);
  return true;
}

template bool TransitionLog::append(const DenseView&, const DenseView&, const Numbers&, const double*);
template bool TransitionLog::append(const SparseView&, const SparseView&, const Numbers&, const double*);
template bool TransitionLog::append(const BinaryView&, const BinaryView&, const Numbers&, const double*);

/// Drops the steps t for which keeps(t) is false; the trace begins anew after a gap. Returns how many there were.
template <class Keeps>
std::size_t TransitionLog::drop_others(Keeps&& keeps) {
  const std::size_t before = steps_.size();
  std::uint64_t words = 0;
  // Rows lie in the order of the steps, so they only ever move towards the front.
  const auto move_row = [&](std::uint64_t at) {
    const std::size_t size = words_[at] >> 2U;
    const std::size_t count =
        row_words(static_cast<Layout>(words_[at] & 3U), size) + (additions_ ? size : std::size_t{0});
    std::copy_n(words_.data() + at, count, words_.data() + words);
    words += count;
    return words - count;
  };
  std::size_t kept = 0;
  std::uint64_t old_next = no_row;  // the next row of the step that was kept last, before and after it moved
  std::uint64_t new_next = no_row;
  bool gap = false;
  for (std::size_t t = 0; t < before; ++t) {
    if (!keeps(t)) {
      gap = true;
      continue;
    }
    Step step = steps_[t];
    if (gap) {
      step.numbers.f = 0;
      old_next = no_row;
    }
    gap = false;
    const bool known = step.x == old_next && old_next != no_row;
    old_next = step.xn;
    step.x = known ? new_next : move_row(step.x);
    if (step.xn != no_row) step.xn = move_row(step.xn);
    new_next = step.xn;
    steps_[kept++] = step;
  }
  steps_.shrink(kept);
  words_.shrink(words);
  last_row_ = new_next;
  full_ = false;
  return before - kept;
}

std::size_t TransitionLog::thin(std::size_t piece) {
  const std::size_t last = steps_.size() == 0 ? 0 : (steps_.size() - 1) / piece;
  return drop_others([&](std::size_t t) { return (last - t / piece) % 2 == 0; });
}

std::size_t TransitionLog::keep_newest(std::size_t count) {
  if (count >= steps_.size()) return 0;
  const std::size_t first = steps_.size() - count;
  return drop_others([&](std::size_t t) { return t >= first; });
}

std::size_t TransitionLog::features_of(std::size_t count) const {
  std::size_t seen = 0;
  const auto look = [&](const auto& x) {
    for (std::size_t k = 0; k < x.size; ++k) seen = std::max(seen, index_of(x, k) + 1);
  };
  for (std::size_t t = 0; t < count; ++t) {
    with_x(t, look);
    with_next(t, look);
  }
  return seen;
}

namespace {

/// A row whose indices are features instead of numbers in a log.
struct OwnRow {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;

  SparseView view() const { return {indices.data(), values.data(), indices.size()}; }
};

}  // namespace

std::size_t TransitionLog::append(const TransitionLog& other) {
  last_row_ = no_row;
  OwnRow x;
  OwnRow xn;
  const auto copy_to = [&](OwnRow& row) {
    return [&](const auto& view) {
      row.indices.clear();
      row.values.clear();
      view.for_each([&](std::size_t i, double value) {
        row.indices.push_back(other.feature(i));
        row.values.push_back(value);
      });
    };
  };
  const auto is_dense = [&](std::uint64_t at) { return static_cast<Layout>(other.words_[at] & 3U) == Layout::dense; };
  for (std::size_t t = 0; t < other.size(); ++t) {
    const Step& step = other.steps_[t];
    const double* additions = additions_ ? other.additions_of(step.x) : nullptr;
    other.with_x(t, copy_to(x));
    other.with_next(t, copy_to(xn));
    const bool dense = is_dense(step.x) && (step.numbers.gn == 0 || is_dense(step.xn));
    const bool fits =
        dense ? append(DenseView{x.values.data(), dim_}, DenseView{xn.values.data(), dim_}, step.numbers, additions)
              : append(x.view(), xn.view(), step.numbers, additions);
    if (!fits) return other.size() - t;
  }
  return 0;
}

}  // namespace bellwether
