#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <bellwether/core/params.h>

/// Command-line options made from the parameter mechanism, so that they share its checks and messages.
namespace bellwether::cli {

/// Gives a verb one `--name VALUE` option for every field of P.
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

  /// The options as given, checked.
  P parsed() const {
    Settings given;
    for (const auto& [name, texts] : texts_) {
      for (const std::string& text : texts) given.emplace_back(name, text);
    }
    return parse_params<P>(verb_->get_name(), given);
  }

 private:
  CLI::App* verb_;
  std::map<std::string, std::vector<std::string>> texts_;  // nodes stay where they are, so options may point at them
};

/// `key=value` words as settings. Keys that start with one of `prefixes` and a dot go to that prefix, without it; the
/// rest goes to "".
std::map<std::string, Settings> parse_assignments(const std::vector<std::string>& words,
                                                  const std::vector<std::string>& prefixes = {});

/// Adds `--set KEY=VALUE`, repeatable.
void add_set_option(CLI::App& verb, std::vector<std::string>& words, const std::string& help);

}  // namespace bellwether::cli
