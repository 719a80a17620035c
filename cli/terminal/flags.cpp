#include "terminal/flags.h"

#include <algorithm>

namespace bellwether::cli {

namespace {

/// The option for a field. They have equal names, apart from one that is a word of C++.
std::string flag(std::string name) {
  if (name == "resume") name = "continue";
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

bool is_field(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string_view::npos;
}

}  // namespace

std::string with_flags(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) return out.append(text);
    const std::string_view quoted = text.substr(open + 1, close - open - 1);
    const std::string_view name = quoted.substr(0, quoted.find('='));
    if (!is_field(name)) {  // the second backtick may begin a field
      out.append(text.substr(0, close));
      text.remove_prefix(close);
      continue;
    }
    out.append(text.substr(0, open)).append(flag(std::string(name)));
    if (name.size() < quoted.size()) out.append(" ").append(quoted.substr(name.size() + 1));
    text.remove_prefix(close + 1);
  }
}

}  // namespace bellwether::cli
