#pragma once

#include <memory>

#include <CLI/CLI.hpp>

/// One function per verb, each in a file of its own: adds the verb and its options to the application.
namespace bellwether::cli {

/// Adds a verb that is a struct: its constructor adds the options, which set its members, and `run` does the work.
template <class Verb>
void add_verb(CLI::App& app) {
  auto added = std::make_shared<Verb>(app);
  added->verb.callback([added] { added->run(); });
}

void add_completion(CLI::App& app);
void add_demo(CLI::App& app);
void add_export(CLI::App& app);
void add_help(CLI::App& app);
void add_inspect(CLI::App& app);
void add_learn(CLI::App& app);
void add_list(CLI::App& app);
void add_man(CLI::App& app);
void add_merge(CLI::App& app);
void add_predict(CLI::App& app);
void add_reference(CLI::App& app);
void add_report(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_results(CLI::App& app);
void add_run(CLI::App& app);
void add_simulate(CLI::App& app);
void add_sweep(CLI::App& app);

}  // namespace bellwether::cli
