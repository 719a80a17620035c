#include <algorithm>
#include <csignal>
#include <exception>
#include <fstream>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/memory.h>
#include <bellwether/data/hdf5/hdf5_table.h>
#include <bellwether/data/hdf5/table_messages.h>
#include <bellwether/data/hdf5/table_process.h>
#include <bellwether/data/skipped_rows.h>

namespace bellwether {

namespace {

using table_messages::Answer;
using table_messages::Asked;
using table_messages::Outcome;
using table_messages::Request;

void lower_limit(int resource, std::uint64_t value) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// What the process has and what is free now, at most. It leaves no file behind when it crashes.
void limit_memory() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  lower_limit(RLIMIT_AS, pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + free_memory());
  lower_limit(RLIMIT_CORE, 0);
}

/// A minute of processor time from now on, after which the system ends the process.
void limit_time() {
  constexpr std::uint64_t most = 60;  // seconds
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  lower_limit(RLIMIT_CPU, static_cast<std::uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + most);
}

/// Memory of an answer that is freed stays with the process for the next one: to get it back cleared from the system
/// each time would take as long as reading.
void keep_freed_memory() {
  constexpr int most_allowed = 32 << 20;  // bytes, for the first
  mallopt(M_MMAP_THRESHOLD, most_allowed);
  mallopt(M_TRIM_THRESHOLD, 8 * most_allowed);
}

Answer answered(std::unique_ptr<TableReader>& table, const Request& request) {
  Answer answer;
  if (request.asked == Asked::open) {
    table = open_hdf5_table(request.path, {.bad_rows = request.bad_rows});
    answer.columns = table->columns();
  } else if (table == nullptr) {
    throw InvalidArgument("no table is open");
  } else if (request.asked == Asked::select) {
    table->select(request.columns);
  } else {
    answer.more = table->read(answer.block, request.rows);
    answer.fraction = table->fraction().value_or(0);
    answer.skipped = table->skipped();
    answer.first_skipped = table->first_skipped();
  }
  return answer;
}

Answer answer_or_failure(std::unique_ptr<TableReader>& table, const Request& request) {
  try {
    return answered(table, request);
  } catch (const BadRow& error) {
    return {.outcome = Outcome::bad_row, .message = error.what()};
  } catch (const InvalidArgument& error) {
    return {.outcome = Outcome::invalid_argument, .message = error.what()};
  } catch (const std::bad_alloc&) {
    return {.outcome = Outcome::io_error, .message = request.path + ": there is not enough memory to read it"};
  } catch (const std::exception& error) {
    return {.outcome = Outcome::io_error, .message = error.what()};
  }
}

}  // namespace

int serve_table(int socket) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);  // the other side decides
  limit_memory();
  keep_freed_memory();
  std::unique_ptr<TableReader> table;
  while (const auto bytes = table_messages::receive(socket, [] { return false; })) {
    limit_time();
    Answer answer = answer_or_failure(table, table_messages::request_of(*bytes));
    if (!table_messages::send(socket, table_messages::bytes_of(answer))) break;
  }
  return 0;
}

}  // namespace bellwether
