#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <bellwether/core/support/ahead.h>
#include <bellwether/data/steps.h>

namespace bellwether {

/// The steps of one log in blocks, which double in length up to the largest. They are read when they are asked for or,
/// once started, by a thread of its own, a few blocks ahead. The blocks are the same.
class FileSteps {
 public:
  static constexpr std::size_t first_block = 256;
  static constexpr std::size_t largest_block = 8192;

  /// Steps, and what the reader said after it had read them.
  struct Block {
    StepBlock steps;
    bool last = false;               // the log has ended, and there are no steps
    std::optional<double> fraction;  // of the log that has been read
    std::uint64_t skipped = 0, without_end = 0, outside = 0;
    std::string first_skipped, first_outside;
    std::string reader_state;  // StepReader::save, if a thread reads ahead
  };
  using Open = std::function<std::unique_ptr<StepReader>()>;

  /// `open` is called when the first block is read, and by whoever reads it.
  FileSteps(Open open, std::size_t first) : open_(std::move(open)), steps_(first) {}

  /// Lets a thread read ahead; it must not be a stream, which makes its reader wait. Does nothing the second time, and
  /// when the system has no more threads to give.
  void read_ahead();

  /// The next block. Throws what the reader throws.
  Block& next();

  /// What has been read up to the last block but has not become a step, and a reader that continues from there. It must
  /// be called before anything has been read.
  std::string reader_state() const;
  void continue_from(const std::string& reader_state);

 private:
  bool read(Block& block);
  StepReader& reader();
  std::string state_now() const;

  Open open_;
  std::size_t steps_;  // of the next block, at most
  std::unique_ptr<StepReader> reader_;
  Block own_;  // without a thread
  const Block* current_ = nullptr;
  std::optional<Ahead<Block>> ahead_;  // the last member, since its thread uses the others
};

}  // namespace bellwether
