#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/table.h>

/// What a TableProcess and its server say to each other: a length, and so many bytes that core/state.h writes.
namespace bellwether::table_messages {

enum class Asked : std::uint8_t { open, hold_text, select, read };

/// A request; only the fields of its kind mean something.
struct Request {
  Asked asked = Asked::open;
  std::string path = {};
  BadRows bad_rows = BadRows::reject;
  char decimal = '.';
  std::vector<std::string> names = {};      // to `hold_text`
  std::vector<ColumnRequest> columns = {};  // to `select`
  std::uint64_t rows = 0;
};

enum class Outcome : std::uint8_t { good, bad_row, invalid_argument, io_error };

struct Answer {
  Outcome outcome = Outcome::good;
  std::string message = {};               // of an exception
  std::vector<std::string> columns = {};  // to `open`
  std::vector<std::uint64_t> hold = {};   // to `hold_text`
  bool more = false;                      // to `read`, like the rest
  TableBlock block = {};                  // cells of texts and of categories are indices of `texts`
  std::vector<std::string> texts = {};
  double fraction = 0;  // negative when it is not known
  std::uint64_t skipped = 0;
  std::string first_skipped = {};
};

std::string bytes_of(const Request& request);
std::string bytes_of(const Answer& answer);

/// Throw InvalidArgument when the bytes are something else.
Request request_of(const std::string& bytes);
Answer answer_of(const std::string& bytes);

/// Sends a message; false when nobody is there to receive it.
bool send(int socket, const std::string& bytes);

/// Waits for a message; nothing when the other side is gone, or `stopped` became true. It is asked five times a second.
std::optional<std::string> receive(int socket, const std::function<bool()>& stopped);

}  // namespace bellwether::table_messages
