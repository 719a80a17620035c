#pragma once

#include <bellwether/study/study.h>

namespace bellwether::python {

/// A study that Python holds.
struct OwnedStudy {
  Study study;
  bool in_python = false;  // some of its domains are, so one thread runs it
};

}  // namespace bellwether::python
