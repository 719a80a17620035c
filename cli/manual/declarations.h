#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

/// The command line as plain data, from the declarations that it is parsed by: what completion and the manual are made
/// of.
namespace bellwether::cli {

/// What a shell may offer for a value.
enum class Offer : std::uint8_t { nothing, files, folders, choices };

/// An option or a positional argument.
struct Argument {
  std::vector<std::string> names;  // "-o", "--out"; empty for a positional argument
  std::string value;               // what its value is called; empty for a flag
  std::string text;                // its description
  bool required = false;
  bool repeats = false;                   // takes any number of values
  Offer offer = Offer::nothing;           // for its value
  std::vector<std::string> choices = {};  // of Offer::choices

  bool positional() const { return names.empty(); }
};

struct Command {
  std::string name;
  std::string text;   // its description
  std::string group;  // that the help lists it in
  std::string notes;  // examples and remarks, several lines
  std::vector<Argument> arguments;
};

/// All commands with their arguments, in the order of the help.
std::vector<Command> declarations(const CLI::App& app);

}  // namespace bellwether::cli
