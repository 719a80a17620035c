#pragma once

#include <optional>
#include <string>

namespace bellwether {

/// Processes that work on one task, numbered from 0, and the messages between them. Used from one thread.
///
/// The library knows this interface only. What carries the messages, such as MPI, is the program's business.
class Ranks {
 public:
  using Bytes = std::string;
  struct Message {
    int from;     // the rank of the sender
    Bytes bytes;  // what it sent
  };

  virtual ~Ranks() = default;

  /// The number of this process, and how many there are.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Sends a message to another process and returns at once.
  virtual void send(int to, const Bytes& bytes) = 0;

  /// A message that has arrived, if there is one. Messages from one sender arrive in the order they were sent.
  virtual std::optional<Message> poll() = 0;

  /// Waits until every process has called it.
  virtual void meet() = 0;

  /// Ends all processes at once.
  [[noreturn]] virtual void abandon(int code) = 0;

 protected:
  Ranks() = default;
  Ranks(const Ranks&) = default;
  Ranks& operator=(const Ranks&) = default;
};

}  // namespace bellwether
