#include <algorithm>
#include <csignal>
#include <exception>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bellwether/core/error.h>
#include <bellwether/core/support/memory.h>
#include <bellwether/data/categories.h>
#include <bellwether/data/library_table.h>
#include <bellwether/data/process/table_messages.h>
#include <bellwether/data/process/table_process.h>
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

/// The table that is served, and the texts of the rows that were read last.
struct Served {
  std::unique_ptr<TableReader> table;
  std::shared_ptr<std::vector<std::string>> texts = std::make_shared<std::vector<std::string>>();
};

/// Selects columns. The other side numbers categories, so their cells become texts once the table has agreed to them.
void select(Served& served, std::vector<ColumnRequest> columns) {
  bool categories = false;
  for (ColumnRequest& column : columns) {
    if (column.kind == CellKind::text) column.texts = served.texts;
    if (column.kind == CellKind::category) column.categories = std::make_shared<Categories>();
    categories |= column.kind == CellKind::category;
  }
  served.table->select(columns);
  if (!categories) return;
  for (ColumnRequest& column : columns) {
    if (column.kind != CellKind::category) continue;
    column.kind = CellKind::text;
    column.texts = served.texts;
  }
  served.table->select(std::move(columns));
}

Answer answered(Served& served, const Request& request) {
  Answer answer;
  if (request.asked == Asked::open) {
    served.table = open_library_table(request.path, {.bad_rows = request.bad_rows, .decimal = request.decimal});
    answer.columns = served.table->columns();
  } else if (served.table == nullptr) {
    throw InvalidArgument("no table is open");
  } else if (request.asked == Asked::hold_text) {
    for (const bool text : served.table->hold_text(request.names, request.rows)) answer.hold.push_back(text ? 1 : 0);
  } else if (request.asked == Asked::select) {
    select(served, request.columns);
  } else {
    served.texts->clear();
    answer.more = served.table->read(answer.block, request.rows);
    answer.texts.swap(*served.texts);
    answer.fraction = served.table->fraction().value_or(-1);
    answer.skipped = served.table->skipped();
    answer.first_skipped = served.table->first_skipped();
  }
  return answer;
}

Answer answer_or_failure(Served& served, const std::string& bytes) {
  Request request;
  try {
    request = table_messages::request_of(bytes);
    return answered(served, request);
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

void serve(int socket) {
  Served served;
  while (const auto bytes = table_messages::receive(socket, [] { return false; })) {
    limit_time();
    const Answer answer = answer_or_failure(served, *bytes);
    if (!table_messages::send(socket, table_messages::bytes_of(answer))) return;
  }
}

}  // namespace

int serve_table(int socket) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);  // the other side decides
  limit_memory();
  lower_limit(RLIMIT_CORE, 0);  // a crash leaves no file behind
  keep_freed_memory();
  try {
    serve(socket);
    return 0;
  } catch (const std::exception&) {  // there is no memory for a message, so that none can be sent about it either
    return 1;
  }
}

}  // namespace bellwether
