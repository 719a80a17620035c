#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <bellwether/core/features.h>
#include <bellwether/linalg/dense/growing_vector.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/traces/entry_list.h>

namespace bellwether {

/// All transitions so far, in order, as they are learned from, saved and merged. They define LSTD's matrix
///
///   S = sum_t e_t d_t^T        e_t = f_t e_{t-1} + a_t        d_t = x_t - gamma_{t+1} x_{t+1}
///
/// where a_t = y_t x_t or, for replacing traces, any vector with the entries of x_t. PreparedLog multiplies by it.
///
/// Features are numbered 0, 1, ... in the order in which they are first seen: a million hashed features of which a
/// thousand occur count as a thousand. A row of binary features, or of sparse ones
/// that are all 1, takes four bytes an entry, other sparse rows twelve, dense ones eight (stored as sparse if most
/// entries are zero). The row of x_{t+1} is used for x_t of the next step if the two are equal.
class TransitionLog {
 public:
  /// Room for `capacity` numbers of eight bytes each, for features and everything else. With `additions` every step
  /// brings its own a_t.
  TransitionLog(std::size_t dim, std::size_t capacity, bool additions);

  /// The numbers of a step besides its features. The solution is to make d_t.w equal to `target`.
  struct Numbers {
    double target;
    double gn;  // gamma_{t+1}; x_{t+1} counts only where it is not 0
    double f;
    double y;
  };

  /// Appends a step; `additions` are the values of a_t at the entries of x, if the log has them. Returns false if the
  /// step does not fit: it is left out, and the log is full from then on.
  template <class X>
  bool append(const X& x, const X& xn, const Numbers& numbers, const double* additions);

  /// Appends the steps of `other`, whose trace starts at zero. Returns how many of them did not fit.
  std::size_t append(const TransitionLog& other);

  /// Drops every other piece of `piece` steps, but not the last one, which later steps continue. The trace begins
  /// anew with each piece that is left (with additions: without what the dropped ones would have passed on), and the
  /// log has room again. Returns how many steps were dropped.
  std::size_t thin(std::size_t piece);

  /// Drops all but the newest `count` steps, likewise.
  std::size_t keep_newest(std::size_t count);

  std::size_t size() const { return steps_.size(); }
  bool with_additions() const { return additions_; }
  bool full() const { return full_; }
  std::size_t numbers() const { return words_.size() + words_per_step * steps_.size(); }

  /// The number of features seen, and the feature with number i.
  std::size_t features() const { return feature_.size(); }
  std::uint32_t feature(std::size_t i) const { return feature_[i]; }

  /// The number of features seen in the first `count` steps.
  std::size_t features_of(std::size_t count) const;

  /// Calls use(numbers, x, additions) for every state that is stored, in order. `numbers` are those of the step that
  /// begins in this state, and null if none does. The next state of a step is the one that follows, if any is.
  /// `additions` are null unless the log has them.
  template <class Use>
  void for_each_state(Use&& use) const {
    for (std::size_t t = 0; t < steps_.size(); ++t) {
      const auto visit = [&](const Numbers* numbers, std::uint64_t at) {
        visit_row(at, [&](const auto& x) { use(numbers, x, additions_ ? additions_of(at) : nullptr); });
      };
      const Step& step = steps_[t];
      visit(&step.numbers, step.x);
      if (step.xn != no_row && !goes_on(t)) visit(nullptr, step.xn);
    }
  }

  /// Whether x_{t+1} of step t is x_t of the next step, and stored once.
  bool goes_on(std::size_t t) const {
    return t + 1 < steps_.size() && steps_[t].xn != no_row && steps_[t + 1].x == steps_[t].xn;
  }

  /// Step t: its numbers, and calls of `use(view)` with x_t, with x_{t+1} if gamma_{t+1} is not 0, and with a_t / y_t;
  /// features go by their numbers here.
  const Numbers& numbers_of(std::size_t t) const { return steps_[t].numbers; }
  template <class Use>
  void with_x(std::size_t t, Use&& use) const {
    visit_row(steps_[t].x, use);
  }
  template <class Use>
  void with_next(std::size_t t, Use&& use) const {
    if (steps_[t].numbers.gn != 0) visit_row(steps_[t].xn, use);
  }
  template <class Use>
  void with_addition(std::size_t t, Use&& use) const {
    if (!additions_) return visit_row(steps_[t].x, use);
    visit_row(steps_[t].x, [&](const auto& x) { use(with_values(x, additions_of(steps_[t].x))); });
  }

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.feature_, self.words_, self.steps_, self.full_);
    if constexpr (!std::is_const_v<Self>) visit.require(self.restore());
  }

 private:
  static constexpr std::uint32_t unseen = 0xffffffff;
  static constexpr std::uint64_t no_row = ~std::uint64_t{0};

  struct Step {
    Numbers numbers;
    std::uint64_t x, xn;  // where the rows begin in words_
  };
  static constexpr std::size_t words_per_step = sizeof(Step) / 8;

  /// A row is a word with its layout and number of entries; then the indices, two in a word, unless it is dense; then
  /// the values, unless it is binary; then, in a log with additions, those.
  static std::uint64_t header(Layout layout, std::size_t size) {
    return (std::uint64_t{size} << 2U) | static_cast<std::uint64_t>(layout);
  }
  static std::size_t index_words(std::size_t size) { return (size + 1) / 2; }
  static std::size_t row_words(Layout layout, std::size_t size) {
    return 1 + (layout == Layout::dense ? 0 : index_words(size)) + (layout == Layout::binary ? 0 : size);
  }

  template <class F>
  decltype(auto) visit_row(std::uint64_t at, F&& f) const {
    const std::uint64_t* row = words_.data() + at;
    const std::size_t size = *row >> 2U;
    const auto* indices = reinterpret_cast<const std::uint32_t*>(row + 1);
    switch (static_cast<Layout>(*row & 3U)) {
      case Layout::dense: return f(DenseView{reinterpret_cast<const double*>(row + 1), size});
      case Layout::sparse:
        return f(SparseView{indices, reinterpret_cast<const double*>(row + 1 + index_words(size)), size});
      default: return f(BinaryView{indices, size});
    }
  }

  const double* additions_of(std::uint64_t at) const {
    const std::uint64_t row = words_[at];
    return reinterpret_cast<const double*>(words_.data() + at + row_words(static_cast<Layout>(row & 3U), row >> 2U));
  }

  /// The layout in which a row is stored, and its number of entries.
  struct Form {
    Layout layout;
    std::size_t size;
  };
  template <class X>
  Form form_of(const X& x) const;
  template <class X>
  bool is_row(std::uint64_t at, const X& x) const;
  template <class X>
  std::uint64_t store(const X& x, const Form& form, const double* additions, bool with_additions);
  std::uint32_t number_of(std::size_t feature);
  template <class Keeps>
  std::size_t drop_others(Keeps&& keeps);
  std::size_t checked_row(std::uint64_t at) const;
  bool restore();

  std::size_t dim_;
  std::size_t capacity_;
  bool additions_;
  bool full_ = false;
  bool natural_ = true;                // features were first seen in the order of their indices
  std::vector<std::uint32_t> number_;  // of a feature
  GrowingVector<std::uint32_t> feature_;
  GrowingVector<std::uint64_t> words_;
  GrowingVector<Step> steps_;
  std::uint64_t last_row_ = no_row;  // x_{t+1} of the last step
};

}  // namespace bellwether
