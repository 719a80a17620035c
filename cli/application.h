#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace bellwether::cli {

/// The program: its commands, with their options.
std::unique_ptr<CLI::App> make_application();

/// Does what a command line, without the name of the program, says. Throws what CLI11 throws when it cannot be
/// understood or asks for help, and what the command throws. A file may be called -x.db.
void run(CLI::App& app, std::vector<std::string> words);

}  // namespace bellwether::cli
