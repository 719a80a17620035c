#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text of any origin in a drawing.
namespace bellwether {

/// Text as a piece of an XML document: nothing in it is markup, and whatever XML cannot hold (control characters, bytes
/// that are not UTF-8) is U+FFFD.
std::string xml_text(std::string_view text);

/// About how wide text is in a sans-serif font of this size; a little more than less.
double text_width(std::string_view text, double font_size);

/// The text itself when it is at most `width` wide; otherwise as much of it as fits, and an ellipsis.
std::string shortened(std::string_view text, double width, double font_size);

/// Lines of whole words, as wide as `width` allows.
std::vector<std::string> wrapped(std::string_view text, double width, double font_size);

}  // namespace bellwether
