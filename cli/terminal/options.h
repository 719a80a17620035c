#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <bellwether/core/params/params.h>

/// Command-line options made from parameters (core/params/params.h), so that they share their checks and messages.
namespace bellwether::cli {

/// Adds an option `--name VALUE` to a command for every field of P.
template <class P>
class FieldOptions {
 public:
  explicit FieldOptions(CLI::App& verb) : verb_(&verb) {
    for (const ParamInfo& info : describe<P>()) {
      verb.add_option("--" + info.name, texts_[info.name],
                      info.text + " (" + info.default_value + "; " + info.accepts + ")")
          ->option_text("VALUE")
          ->allow_extra_args(false)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
  }

  /// The parameters with the values given on the command line, checked.
  P parsed() const {
    Settings given;
    for (const auto& [name, texts] : texts_) {
      for (const std::string& text : texts) given.emplace_back(name, text);
    }
    return parse_params<P>(verb_->get_name(), given);
  }

 private:
  CLI::App* verb_;
  std::map<std::string, std::vector<std::string>> texts_;  // options point to the values, which a map never moves
};

/// Words such as `alpha=0.1` as settings, by prefix: `domain.size=9` belongs to "domain" as `size=9` if "domain" is one
/// of the prefixes. Words without a prefix belong to "".
std::map<std::string, Settings> parse_assignments(const std::vector<std::string>& words,
                                                  const std::vector<std::string>& prefixes = {});

/// Adds `--set KEY=VALUE`, which may be repeated.
void add_set_option(CLI::App& verb, std::vector<std::string>& words, const std::string& help);

}  // namespace bellwether::cli
