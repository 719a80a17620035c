#include <bellwether/data/process/table_messages.h>

#include <cerrno>

#include <poll.h>
#include <sys/socket.h>

#include <bellwether/core/state.h>

namespace bellwether::table_messages {

namespace {

/// The fields of messages, for writing and for reading alike.
template <class Self, class Visit>
void visit_column(Self& column, Visit& visit) {
  visit(column.name, column.kind, column.range.low, column.range.high, column.range.low_open, column.range.high_open,
        column.may_be_empty);
}

template <class Self, class Visit>
void visit_request(Self& request, Visit& visit) {
  visit(request.asked, request.path, request.bad_rows, request.decimal, request.names, request.rows);
}

template <class Self, class Visit>
void visit_answer(Self& answer, Visit& visit) {
  visit(answer.outcome, answer.message, answer.columns, answer.hold, answer.more, answer.fraction, answer.skipped,
        answer.first_skipped, answer.texts, answer.block.columns, answer.block.rows, answer.block.cells,
        answer.block.row);
}

/// Sends or receives `size` bytes with `transfer`; false when the other side is gone.
template <class Transfer>
bool all_of(std::size_t size, Transfer&& transfer) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = transfer(done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

std::string bytes_of(const Request& request) {
  StateWriter out;
  visit_request(request, out);
  out(std::uint64_t{request.columns.size()});
  for (const ColumnRequest& column : request.columns) visit_column(column, out);
  return out.take();
}

Request request_of(const std::string& bytes) {
  StateReader in(bytes);
  Request request;
  visit_request(request, in);
  std::uint64_t columns = 0;
  in(columns);
  in.require(columns <= bytes.size());
  request.columns.resize(columns);
  for (ColumnRequest& column : request.columns) visit_column(column, in);
  in.finish();
  return request;
}

std::string bytes_of(const Answer& answer) {
  StateWriter out;
  visit_answer(answer, out);
  return out.take();
}

Answer answer_of(const std::string& bytes) {
  StateReader in(bytes);
  Answer answer;
  visit_answer(answer, in);
  const TableBlock& block = answer.block;
  in.require(block.row.size() == block.rows);
  in.require(block.rows == 0
                 ? block.cells.empty()
                 : block.cells.size() / block.rows == block.columns && block.cells.size() % block.rows == 0);
  in.finish();
  return answer;
}

bool send(int socket, const std::string& bytes) {
  const std::uint64_t size = bytes.size();
  const auto send_all = [socket](const void* from, std::size_t count) {
    return all_of(count, [&](std::size_t done, std::size_t left) {
      return ::send(socket, static_cast<const char*>(from) + done, left, MSG_NOSIGNAL);
    });
  };
  return send_all(&size, sizeof size) && send_all(bytes.data(), size);
}

std::optional<std::string> receive(int socket, const std::function<bool()>& stopped) {
  constexpr int patience = 200;                               // milliseconds
  constexpr std::uint64_t longest = std::uint64_t{1} << 32U;  // bytes
  const auto receive_all = [&](void* to, std::size_t size) {
    return all_of(size, [&](std::size_t done, std::size_t left) -> ssize_t {
      pollfd waiting{socket, POLLIN, 0};
      while (poll(&waiting, 1, patience) <= 0) {
        if (stopped()) return 0;
      }
      return recv(socket, static_cast<char*>(to) + done, left, 0);
    });
  };
  std::uint64_t size = 0;
  if (!receive_all(&size, sizeof size) || size > longest) return std::nullopt;
  std::string bytes(size, '\0');
  if (!receive_all(bytes.data(), size)) return std::nullopt;
  return bytes;
}

}  // namespace bellwether::table_messages
