#pragma once

#include <cstdint>
#include <vector>

#include "arrays.h"

namespace bellwether::python {

/// Steps of experience as arrays of Python (core/batch.h says what the fields mean).
class ArrayBatch {
 public:
  ArrayBatch(nb::object x, const nb::object& reward, const nb::object& discount, nb::object x_next,
             const nb::object& rho, const nb::object& pi, const nb::object& interest, const nb::object& lambda,
             const nb::object& restart);

  /// Steps that the library has made.
  explicit ArrayBatch(BatchBuffer made) : size_(made.size()), made_(std::move(made)) {}

  std::size_t size() const { return size_; }
  std::size_t dim() const { return made_ ? made_->x().dim() : x_.dim(); }

  /// Calls use(batch) for consecutive parts that together are all steps: once, unless numbers have to be converted.
  /// Needs nothing of Python.
  template <class Use>
  void for_each_part(Use&& use) const {
    if (made_) return use(made_->view());
    const std::size_t each = chained_ ? x_.at_once() : std::min(x_.at_once(), x_next_.at_once());
    std::vector<double> space;
    std::vector<double> next_space;
    for (std::size_t first = 0; first < size_; first += each) {
      use(part(first, std::min(each, size_ - first), space, next_space));
    }
  }

 private:
  Batch part(std::size_t first, std::size_t count, std::vector<double>& space, std::vector<double>& next_space) const;

  std::size_t size_ = 0;
  Rows x_;
  Rows x_next_;
  bool chained_ = false;  // x has one state more than there are steps: x_next are its rows from 1 on
  Column reward_, discount_, rho_, pi_, interest_, lambda_;
  std::vector<std::uint8_t> restart_;
  std::optional<BatchBuffer> made_;  // instead of all of these
};

}  // namespace bellwether::python
