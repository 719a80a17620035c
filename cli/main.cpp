#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <CLI/CLI.hpp>

#include <bellwether/core/error.h>
#include <bellwether/data/hdf5/table_process.h>

#include "application.h"
#include "terminal/flags.h"
#include "terminal/interrupt.h"
#include "terminal/output.h"

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

}  // namespace

int main(int argc, char** argv) {
  using namespace bellwether;
  if (argc == 2 && std::string_view(argv[1]) == table_server) return serve_table(STDIN_FILENO);
  read_hdf5_by({"/proc/self/exe", table_server});
  cli::guard_standard_streams();
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
  } catch (const cli::NobodyReads&) {
    return 0;
  } catch (const cli::Stopped&) {
    return cli::Stopped::code;
  } catch (const CLI::ParseError& error) {
    return complain(error.what(), impossible_request);
  } catch (const InvalidArgument& error) {
    return complain(error.what(), impossible_request);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory; try fewer features, a smaller rank or a smaller window", outside_failed);
  } catch (const std::exception& error) {
    return complain(error.what(), outside_failed);
  }
}
