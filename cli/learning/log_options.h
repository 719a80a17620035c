#pragma once

#include <CLI/CLI.hpp>

#include <bellwether/model/learning/learn_request.h>

namespace bellwether::cli {

/// Adds the options that say which columns of a log mean what. They set the members of `request`.
void add_log_options(CLI::App& verb, LearnRequest& request);

/// Adds `--decimal`, which sets the decimal mark of numbers in CSV.
CLI::Option* add_decimal_option(CLI::App& verb, char& decimal);

}  // namespace bellwether::cli
