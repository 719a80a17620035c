#include "studies/report_page.h"

#include <stdexcept>

namespace bellwether::cli {

std::string report_page(std::string_view page, const std::string& data) {
  constexpr std::string_view before = R"(id="bellwether-data">)";
  constexpr std::string_view empty = "null";
  const std::size_t found = page.find(before);
  if (found == std::string_view::npos || page.substr(found + before.size(), empty.size()) != empty) {
    throw std::logic_error("the page has no place for data");
  }
  const std::size_t place = found + before.size();
  std::string full;
  full.reserve(page.size() + data.size());
  full += page.substr(0, place);
  full += data;
  full += page.substr(place + empty.size());
  return full;
}

}  // namespace bellwether::cli
