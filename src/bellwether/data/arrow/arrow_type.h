#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <bellwether/data/numpy/number_type.h>

namespace bellwether {

/// What the values of an Arrow array are, read from the `format` of its schema.
struct ArrowType {
  enum class Kind : std::uint8_t {
    number,      // integers, float32 and float64, as `number` says
    half,        // float16
    bit,         // booleans, eight in a byte
    decimal,     // integers of `bytes` bytes, times 10^-scale
    duration,    // integers of `bytes` bytes, `per_second` of which are a second: a length of time, or a time of day
    moment,      // the same since 1970; `per_second` is 0 for days
    text,        // UTF-8 between offsets of `bytes` bytes
    text_view,   // UTF-8 in one of several buffers, or beside its length
    nothing,     // all are missing
    record,      // a struct: fields with names
    list,        // lists between offsets of `bytes` bytes
    fixed_list,  // lists of `width` values
    other        // what cannot be read
  };

  Kind kind = Kind::other;
  NumberType number = {};
  std::size_t bytes = 0;
  int scale = 0;
  std::int64_t per_second = 1;
  std::int64_t width = 0;

  bool is_text() const { return kind == Kind::text || kind == Kind::text_view; }
  bool has_children() const { return kind == Kind::record || kind == Kind::list || kind == Kind::fixed_list; }

  /// How many buffers an array of it has; of text views, the fewest.
  std::int64_t buffers() const;
};

/// The type that a format stands for; `other` for one that is not known.
ArrowType arrow_type(std::string_view format);

}  // namespace bellwether
