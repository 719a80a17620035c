#pragma once

#include <string>

#include <bellwether/core/error.h>
#include <bellwether/core/state.h>

/// Work units and their results as messages between processes of the same program.
namespace bellwether {

template <class T>
std::string to_bytes(const T& record) {
  StateWriter writer;
  writer(record);
  return writer.take();
}

/// Throws IoError when the bytes are not those of a T.
template <class T>
T from_bytes(const std::string& bytes) {
  try {
    T record;
    StateReader reader(bytes);
    reader(record);
    reader.finish();
    return record;
  } catch (const InvalidArgument&) {
    throw IoError("a message between processes is damaged");
  }
}

}  // namespace bellwether
