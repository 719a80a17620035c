#pragma once

#include <string>

namespace bellwether::cli {

/// Converts SVG to PDF and PNG, for papers and slides, with rsvg-convert if it is installed.
class PictureConverter {
 public:
  PictureConverter();

  bool found() const { return !program_.empty(); }

  /// Writes a picture next to the SVG file, with the same name and the extension `format`: pdf or png. Throws IoError
  /// when it fails.
  void convert(const std::string& svg, const std::string& format) const;

 private:
  std::string program_;
};

}  // namespace bellwether::cli
