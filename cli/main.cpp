#include <algorithm>
#include <cctype>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>
#include <bellwether/core/version.h>

#include "terminal/flags.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"
#include "verbs.h"

namespace {

constexpr int outside_failed = 1;
constexpr int impossible_request = 2;

int complain(std::string message, int code) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  bellwether::cli::tell("bellwether: {}\n", bellwether::cli::with_flags(message));
  return code;
}

int written() {
  const auto failure = bellwether::cli::standard_output_failure();
  return failure ? complain(*failure, outside_failed) : 0;
}

/// Rejects an unknown command with a suggestion, which CLI11 does not make.
void check_verb(const CLI::App& app, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (word.starts_with('-') || std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
  throw bellwether::InvalidArgument(
      fmt::format("there is no command '{}'{} (see bellwether --help)", word, bellwether::suggestion(word, verbs)));
}

/// Rejects an unknown option with a suggestion, which CLI11 does not make either. A word after an option that takes a
/// value is its value, whatever it looks like.
void check_options(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() < 2 || words[1].starts_with('-')) return;
  const CLI::App* const verb = app.get_subcommand(words[1]);
  std::vector<std::string> known;
  for (const CLI::Option* option : verb->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (std::size_t i = 2; i < words.size() && words[i] != "--"; ++i) {
    if (!words[i].starts_with("-") || words[i].size() < 2) continue;
    const std::string name = words[i].substr(0, words[i].find('='));
    const CLI::Option* const option = verb->get_option_no_throw(name);
    if (option == nullptr && name.starts_with("--")) {
      throw bellwether::InvalidArgument(fmt::format("{}: there is no option '{}'{} (see bellwether help {})", words[1],
                                                    name, bellwether::suggestion(name, known), words[1]));
    }
    if (option != nullptr && option->get_items_expected_min() > 0 && name.size() == words[i].size()) ++i;
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
  if (word.size() < 3 || word[0] != '-' || word.find('.', 2) == std::string::npos) return false;
  if (word[1] == '-' || word[1] == '.' || std::isdigit(static_cast<unsigned char>(word[1])) != 0) return false;
  const auto verbs = app.get_subcommands({});
  return std::none_of(verbs.begin(), verbs.end(),
                      [&](const CLI::App* verb) { return verb->get_option_no_throw(word.substr(0, 2)) != nullptr; });
}

/// The command line, with ./-x.db for -x.db, which CLI11 would take for an option.
std::vector<std::string> words_of(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  for (std::string& word : words) {
    if (is_file_like_option(app, word)) word.insert(0, "./");
  }
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bellwether;
  cli::guard_standard_streams();
  CLI::App app("Bellwether evaluates policies: it learns how much reward to expect from each state.", "bellwether");
  app.set_version_flag("-V,--version", version());
  app.require_subcommand(0, 1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.footer("Run bellwether help NAME to read about a command, a learner, a domain or a feature map.");
  add_group(app, "Experiments",
            {cli::add_demo, cli::add_run, cli::add_sweep, cli::add_reproduce, cli::add_results, cli::add_report,
             cli::add_export});
  add_group(app, "Logs and models",
            {cli::add_learn, cli::add_predict, cli::add_inspect, cli::add_merge, cli::add_simulate});
  add_group(app, "Documentation",
            {cli::add_list, cli::add_help, cli::add_reference, cli::add_man, cli::add_completion});

  try {
    if (argc > 1) check_verb(app, argv[1]);
    const auto words = words_of(app, argc, argv);
    check_options(app, words);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));  // which CLI11 takes from the back
    if (app.get_subcommands().empty()) cli::print(app.help());
    return written();
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    cli::print(chosen.empty() ? app.help() : chosen.front()->help("bellwether"));
    return written();
  } catch (const CLI::CallForVersion& request) {
    cli::print(std::string(request.what()) + "\n");
    return written();
  } catch (const cli::NobodyReads&) {
    return 0;
  } catch (const cli::Stopped&) {
    return cli::Stopped::code;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    if (chosen.empty()) return complain(error.what(), impossible_request);
    const std::string verb = chosen.front()->get_name();
    return complain(fmt::format("{}: {} (see bellwether help {})", verb, error.what(), verb), impossible_request);
  } catch (const InvalidArgument& error) {
    return complain(error.what(), impossible_request);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory; try fewer features, a smaller rank or a smaller window", outside_failed);
  } catch (const std::exception& error) {
    return complain(error.what(), outside_failed);
  }
}
