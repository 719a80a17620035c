#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <bellwether/core/error.h>
#include <bellwether/core/support/memory.h>
#include <bellwether/data/process/table_process.h>

#include "application.h"
#include "terminal/flags.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"
#include "terminal/spare_memory.h"

namespace {

constexpr int outside_failed = 1;
constexpr int impossible_request = 2;

/// Says what went wrong, also when there is no memory left to put it nicely.
int complain(const char* message, int code) {
  using namespace bellwether;
  try {
    std::string line = cli::with_flags(message);
    std::replace(line.begin(), line.end(), '\n', ' ');
    cli::tell("bellwether: {}\n", line);
  } catch (const std::bad_alloc&) {
    for (const char* part : {"bellwether: ", message, "\n"}) cli::tell_terminal(part);
  }
  return code;
}

int written() {
  const auto failure = bellwether::cli::standard_output_failure();
  return failure ? complain(failure->c_str(), outside_failed) : 0;
}

int run(int argc, char** argv) {
  using namespace bellwether;
  const auto app = cli::make_application();
  try {
    cli::run(*app, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
    if (app->get_subcommands().empty()) cli::print(app->help());
    return written();
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app->get_subcommands();
    cli::print(chosen.empty() ? app->help() : chosen.front()->help("bellwether"));
    return written();
  } catch (const CLI::CallForVersion& request) {
    cli::print(std::string(request.what()) + "\n");
    return written();
  } catch (const CLI::ParseError& error) {
    const auto chosen = app->get_subcommands();
    if (chosen.empty()) return complain(error.what(), impossible_request);
    const std::string verb = chosen.front()->get_name();
    const std::string line = fmt::format("{}: {} (see bellwether help {})", verb, error.what(), verb);
    return complain(line.c_str(), impossible_request);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bellwether;
  if (argc == 2 && std::string_view(argv[1]) == table_server) return serve_table(STDIN_FILENO);
  cli::guard_standard_streams();
  cli::keep_spare_memory();
  limit_memory();
  try {
    read_apart_by({"/proc/self/exe", table_server});
    return run(argc, argv);
  } catch (const cli::NobodyReads&) {
    return 0;
  } catch (const cli::Stopped&) {
    return cli::Stopped::code;
  } catch (const InvalidArgument& error) {
    return complain(error.what(), impossible_request);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory; try fewer features, a smaller rank or a smaller window", outside_failed);
  } catch (const std::exception& error) {
    return complain(error.what(), outside_failed);
  }
}
