#pragma once

#include <string>

#include <bellwether/core/error.h>

namespace bellwether::testing {

/// The message with which `f` rejects its argument, or "accepted".
template <class F>
std::string rejection(F&& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace bellwether::testing
