// Command lines, a word on each line, up to where the command would begin its work; and the settings that they give.
#include <cctype>
#include <sstream>

#include <bellwether/core/error.h>
#include <bellwether/learners/learners.h>

#include "application.h"
#include "fuzz/target.h"
#include "terminal/flags.h"
#include "terminal/options.h"
#include "terminal/visible.h"

namespace bellwether::fuzz {
namespace {

std::vector<std::string> words_of(const std::string& bytes) {
  std::vector<std::string> words;
  std::istringstream lines(bytes);
  for (std::string line; std::getline(lines, line);) words.push_back(line.substr(0, line.find('\0')));
  return words;
}

/// The program, whose commands end when they know what to do.
CLI::App& program() {
  static const auto app = [] {
    auto made = cli::make_application();
    for (CLI::App* const verb : made->get_subcommands({})) verb->parse_complete_callback([] { throw CLI::Success(); });
    return made;
  }();
  return *app;
}

}  // namespace

const Registered command_line_target({.name = "command_line", .run = [](const std::string& bytes) {
                                        const std::vector<std::string> words = words_of(bytes);
                                        try {
                                          cli::run(program(), words);
                                        } catch (const CLI::ParseError& error) {
                                          cli::visible(cli::with_flags(error.what()));
                                        }
                                        std::vector<std::string> assignments;
                                        for (const std::string& word : words) {
                                          if (word.find('=') != std::string::npos) assignments.push_back(word);
                                        }
                                        auto settings = cli::parse_assignments(assignments, {"domain", "features"});
                                        for (const LearnerEntry& entry : learners()) {
                                          if (!words.empty() && words.back() == entry.name) entry.resolve(settings[""]);
                                        }
                                      }});

}  // namespace bellwether::fuzz
