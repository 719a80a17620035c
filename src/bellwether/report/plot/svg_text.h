#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text from anywhere, made fit for a drawing or a page.
namespace bellwether {

/// The text escaped for XML and HTML, so that nothing in it is markup. Control characters and bytes that are not UTF-8
/// become U+FFFD.
std::string xml_text(std::string_view text);

/// The approximate width of text in a sans-serif font of this size, rather too large than too small.
double text_width(std::string_view text, double font_size);

/// The text, cut off with an ellipsis if it is wider than `width`.
std::string shortened(std::string_view text, double width, double font_size);

/// The text broken into lines between words, at most `width` wide.
std::vector<std::string> wrapped(std::string_view text, double width, double font_size);

}  // namespace bellwether
