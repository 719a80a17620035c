#pragma once

#include <optional>
#include <string>

namespace bellwether {

/// Processes that work on one task, numbered from 0, and the messages between them. Used from one thread.
///
/// The library knows this interface only. What carries the messages, such as MPI, is the program's business: the
/// installed program has an implementation, a program of your own derives one from this class. `learn` takes it as its
/// last argument, sweeps take it in `Workers`; without one there is a single process. Process 0 has the result:
///
///     const LearnResult result = learn(request, {}, &ranks);         // in every process, with the same request
///     if (result.whole) std::puts(text_of(result.summary).c_str());  // in process 0
///
/// Numbers cross between processes as bytes of memory, so all must run on the same kind of machine.
class Ranks {
 public:
  using Bytes = std::string;  // any bytes, zeros included
  struct Message {
    int from;     // the rank of the sender
    Bytes bytes;  // what it sent
  };

  virtual ~Ranks() = default;

  /// The number of this process, and how many there are.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Sends a message to another process and returns at once, whether or not it has arrived. The bytes may be changed or
  /// destroyed afterwards.
  virtual void send(int to, const Bytes& bytes) = 0;

  /// A message that has arrived, if there is one. Messages from one sender arrive in the order they were sent.
  virtual std::optional<Message> poll() = 0;

  /// Waits until every process has called it: a barrier.
  virtual void meet() = 0;

  /// Ends all processes at once, with this exit code. For failures of one process that the others would wait for.
  [[noreturn]] virtual void abandon(int code) = 0;

 protected:
  Ranks() = default;
  Ranks(const Ranks&) = default;
  Ranks& operator=(const Ranks&) = default;
};

}  // namespace bellwether
