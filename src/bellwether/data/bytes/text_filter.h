#pragma once

#include <memory>
#include <string>
#include <string_view>

/// Conversions of text as it is read, chunk by chunk.
namespace bellwether {

class TextFilter {
 public:
  virtual ~TextFilter() = default;

  /// Appends the conversion of the next bytes. What a chunk leaves incomplete waits for the next one.
  virtual void convert(std::string_view bytes, std::string& out) = 0;

  /// The text has ended. Throws InvalidArgument, beginning with the name of the file, when something is incomplete.
  virtual void finish(const std::string& file) = 0;
};

/// Converts UTF-16 to UTF-8, if the text begins with a byte-order mark that says so; otherwise null. The mark is
/// dropped. Surrogates without their other half become U+FFFD.
std::unique_ptr<TextFilter> utf16_decoder(std::string_view beginning);

/// Makes a line of each element of a JSON array: [{"a": 1}, {"a": 2}] becomes two lines. Newlines within elements
/// become spaces. Text after the array is kept, as a further line.
std::unique_ptr<TextFilter> array_splitter();

/// Whether the bytes are text in UTF-8.
bool is_utf8(std::string_view bytes);

/// The text in UTF-8. Bytes that are not UTF-8 are taken for Latin-1, as older programs write it.
std::string as_utf8(std::string_view bytes);

}  // namespace bellwether
