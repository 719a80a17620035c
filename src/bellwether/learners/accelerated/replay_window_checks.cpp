// What a state that was read has to be for the window to go on.
#include <cstdint>
#include <span>
#include <vector>

#include <bellwether/core/state.h>
#include <bellwether/learners/accelerated/replay_window.h>

namespace bellwether {

/// Samples follow one another in the arrays of their numbers.
bool ReplayWindow::samples_are_consistent() const {
  std::size_t value = 0, row = 0;
  for (std::size_t j = 0; j < samples_.size(); ++j) {
    const Sample& s = samples_[j];
    const std::size_t numbers = std::size_t{s.a} + s.d;
    if (s.begin < value || s.rows < row || s.begin > values_.size() || s.rows > rows_.size()) return false;
    if (numbers > values_.size() - s.begin || (!s.dense && numbers > rows_.size() - s.rows)) return false;
    value = s.begin + numbers;
    row = s.rows + (s.dense ? 0 : numbers);
  }
  return first_ <= samples_.size() && errors_.size() == errors_before_.size() && errors_.size() <= samples_.size();
}

/// Every row is listed that a sample of the window touches, once, with the number of these samples.
bool ReplayWindow::lists_are_consistent() const {
  if (!all_below(before_.size(), std::span(saved_.data(), saved_.size()))) return false;
  if (!counted_) return true;
  std::vector<std::uint32_t> touches(uses_.size());
  for (std::size_t j = first_; j < samples_.size(); ++j) {
    const Sample& s = samples_[j];
    const std::size_t rows = s.dense ? s.d : std::size_t{s.a} + s.d;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t row = s.dense ? i : rows_[s.rows + i];
      if (row >= touches.size()) return false;
      ++touches[row];
    }
  }
  std::size_t listed = 0;
  for (std::size_t row = 0; row < touches.size(); ++row) {
    if (uses_[row] != 0 ? uses_[row] != touches[row] + 1 : touches[row] != 0) return false;
    if (uses_[row] != 0) ++listed;
  }
  std::vector<bool> seen(uses_.size());
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    const std::uint32_t row = listed_[i];
    if (row >= uses_.size() || uses_[row] == 0 || seen[row]) return false;
    seen[row] = true;
  }
  return listed == listed_.size();
}

bool ReplayWindow::fits(std::size_t rows) const {
  const std::size_t known = w_.size();
  if (known > rows || tail_.size() != known || evicted_.size() != known || before_.size() > rows) return false;
  for (std::size_t j = 0; j < samples_.size(); ++j) {
    if (samples_[j].dense && (samples_[j].a != rows || samples_[j].d != rows)) return false;
  }
  return uses_.size() <= rows && saved_in_.size() <= rows && all_below(rows, std::span(rows_.data(), rows_.size()));
}

}  // namespace bellwether
