#include "terminal/csv.h"

#include <charconv>

namespace bellwether::cli {

bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text[0]) == std::string_view::npos) return false;
  if (text[0] == '+') text.remove_prefix(1);  // which from_chars does not accept
  double ignored = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ignored);
  return error == std::errc::invalid_argument || end != text.data() + text.size();
}

}  // namespace bellwether::cli
