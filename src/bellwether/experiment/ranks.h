#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace bellwether {

/// Processes that work together, numbered from 0, and the messages between them. Used from one thread.
class Ranks {
 public:
  using Bytes = std::vector<std::byte>;
  struct Message {
    int from;
    Bytes bytes;
  };

  virtual ~Ranks() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  virtual void send(int to, const Bytes& bytes) = 0;

  /// A message that has arrived, if there is one.
  virtual std::optional<Message> poll() = 0;

  /// Waits until all are here.
  virtual void meet() = 0;

  /// Ends all processes at once.
  [[noreturn]] virtual void abandon(int code) = 0;

 protected:
  Ranks() = default;
  Ranks(const Ranks&) = default;
  Ranks& operator=(const Ranks&) = default;
};

}  // namespace bellwether
