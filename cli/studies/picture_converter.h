#pragma once

#include <string>

namespace bellwether::cli {

/// Turns SVG into what papers and slides take, with rsvg-convert, if this machine has it.
class PictureConverter {
 public:
  PictureConverter();

  bool there() const { return !program_.empty(); }

  /// Writes a PDF or PNG beside the SVG, under its name with the other ending. Throws IoError when it fails.
  void convert(const std::string& svg, const std::string& format) const;

 private:
  std::string program_;
};

}  // namespace bellwether::cli
