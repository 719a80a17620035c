#pragma once

#include <string>

#include <bellwether/model/learning/learn.h>

#include "in_use.h"
#include "module.h"

namespace bellwether::python {

/// A model that Python owns. Working with it releases Python's lock, and a second thread is refused.
class OwnedModel {
 public:
  explicit OwnedModel(Model model) : model_(std::move(model)) {}
  OwnedModel(const OwnedModel&) = delete;
  OwnedModel& operator=(const OwnedModel&) = delete;

  /// Calls use(model) while no other thread may, without Python's lock.
  template <class Use>
  auto work(Use&& use) {
    const InUse::Hold hold(in_use_, "this model");
    const nb::gil_scoped_release released;
    return use(model_);
  }

  /// The same where Python's lock is released already.
  template <class Use>
  auto work_released(Use&& use) {
    const InUse::Hold hold(in_use_, "this model");
    return use(model_);
  }

 private:
  Model model_;
  InUse in_use_;
};

/// A request from a dictionary of its fields, as `_learning.py` makes it.
LearnRequest request_of(const nb::list& sources, const nb::dict& fields);

}  // namespace bellwether::python
