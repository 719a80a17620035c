#include "terminal/options.h"

#include <fmt/format.h>

namespace bellwether::cli {

std::map<std::string, Settings> parse_assignments(const std::vector<std::string>& words,
                                                  const std::vector<std::string>& prefixes) {
  std::map<std::string, Settings> result;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InvalidArgument(fmt::format("--set takes KEY=VALUE, not '{}'", word));
    }
    std::string key = word.substr(0, equals);
    std::string owner;
    for (const std::string& prefix : prefixes) {
      if (key.starts_with(prefix + ".")) {
        owner = prefix;
        key.erase(0, prefix.size() + 1);
        break;
      }
    }
    result[owner].emplace_back(key, word.substr(equals + 1));
  }
  return result;
}

void add_set_option(CLI::App& verb, std::vector<std::string>& words, const std::string& help) {
  verb.add_option("--set", words, help)
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace bellwether::cli
