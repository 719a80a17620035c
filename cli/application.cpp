#include "application.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>
#include <bellwether/core/version.h>

#include "verbs.h"

namespace bellwether::cli {

namespace {

/// Rejects an unknown command with a suggestion, which CLI11 does not make.
void check_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (word.starts_with('-') || std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
  throw InvalidArgument(
      fmt::format("there is no command '{}'{} (see bellwether --help)", word, suggestion(word, verbs)));
}

/// Whether a word is an option and not a negative number or "-", which is standard input.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

/// Rejects an unknown option with a suggestion, which CLI11 does not make either. A word after an option that takes a
/// value is its value, whatever it looks like.
void check_options(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with('-')) return;
  const CLI::App* const verb = app.get_subcommand(words[0]);
  std::vector<std::string> known;
  for (const CLI::Option* option : verb->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (!is_option(words[i])) continue;
    const bool is_long = words[i].starts_with("--");
    const std::string name = words[i].substr(0, is_long ? words[i].find('=') : 2);  // -m.bw is -m with a value
    const CLI::Option* const option = verb->get_option_no_throw(name);
    if (option == nullptr) {
      throw InvalidArgument(fmt::format("{}: there is no option '{}'{} (see bellwether help {})", words[0], name,
                                        suggestion(name, known), words[0]));
    }
    const bool takes_value = option->get_items_expected_min() > 0;
    const bool next = takes_value && name.size() == words[i].size();
    const bool nothing = takes_value && words[i] == name + "=";  // CLI11 would take the next word
    const std::string type = option->get_type_name();
    const bool names_file = type.starts_with("FILE") || type == "DIR";
    if (nothing || (next && names_file && i + 1 < words.size() && words[i + 1].empty())) {
      const auto& names = option->get_lnames();
      throw InvalidArgument(fmt::format("{}: {} needs {}", words[0], names.empty() ? name : "--" + names.front(),
                                        !names_file     ? "a value"
                                        : type == "DIR" ? "the name of a folder"
                                                        : "the name of a file"));
    }
    i += next ? 1 : 0;
  }
}

/// Adds commands, which the help lists under this title.
void add_group(CLI::App& app, const std::string& title, std::initializer_list<void (*)(CLI::App&)> commands) {
  const std::size_t before = app.get_subcommands({}).size();
  for (const auto add : commands) add(app);
  const auto all = app.get_subcommands({});
  for (std::size_t i = before; i < all.size(); ++i) all[i]->group(title);
}

/// Whether a word is the name of a file that begins with a dash, such as -x.db, and not an option or a number.
bool is_file_like_option(const CLI::App& app, const std::string& word) {
  if (!is_option(word) || word[1] == '-' || word.find('.', 2) == std::string::npos) return false;
  const auto verbs = app.get_subcommands({});
  return std::none_of(verbs.begin(), verbs.end(),
                      [&](const CLI::App* verb) { return verb->get_option_no_throw(word.substr(0, 2)) != nullptr; });
}

}  // namespace

std::unique_ptr<CLI::App> make_application() {
  auto made = std::make_unique<CLI::App>(
      "Bellwether evaluates policies: it learns how much reward to expect from each state.", "bellwether");
  CLI::App& app = *made;
  app.set_version_flag("-V,--version", version());
  app.require_subcommand(0, 1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.footer("Run bellwether help NAME to read about a command, a learner, a domain or a feature map.");
  add_group(app, "Experiments", {add_demo, add_run, add_sweep, add_reproduce, add_results, add_report, add_export});
  add_group(app, "Logs and models", {add_learn, add_predict, add_inspect, add_merge, add_simulate});
  add_group(app, "Documentation", {add_list, add_help, add_reference, add_man, add_completion});
  return made;
}

void run(CLI::App& app, std::vector<std::string> words) {
  if (!words.empty()) check_verb(app, words.front());
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (is_file_like_option(app, words[i])) words[i].insert(0, "./");  // CLI11 would take it for an option
  }
  check_options(app, words);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  app.parse(std::move(words));
}

}  // namespace bellwether::cli
