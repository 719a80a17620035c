#pragma once

#include <string>

#include <bellwether/core/error.h>

namespace bellwether::testing {

/// The message of the InvalidArgument that `f` throws, or "accepted".
template <class F>
std::string rejection(F&& f) {
  try {
    f();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

/// The message of the IoError that `f` throws, or "went well".
template <class F>
std::string failure(F&& f) {
  try {
    f();
  } catch (const IoError& error) {
    return error.what();
  }
  return "went well";
}

}  // namespace bellwether::testing
