#include <bellwether/data/file_steps.h>

#include <algorithm>
#include <system_error>

#include <bellwether/core/state.h>

namespace bellwether {

StepReader& FileSteps::reader() {
  if (!reader_) reader_ = open_();
  return *reader_;
}

std::string FileSteps::state_now() const {
  StateWriter out;
  if (reader_) reader_->save(out);
  return out.take();
}

bool FileSteps::read(Block& block) {
  block.last = !reader().read(block.steps, steps_);
  if (!block.last && block.steps.size() > 0) steps_ = std::min(2 * steps_, largest_block);
  block.fraction = reader_->fraction();
  block.skipped = reader_->skipped();
  block.without_end = reader_->without_end();
  block.outside = reader_->outside();
  block.first_skipped = reader_->first_skipped();
  block.first_outside = reader_->first_outside();
  return !block.last;
}

void FileSteps::read_ahead() {
  constexpr std::size_t most = 4;
  if (ahead_) return;
  try {
    ahead_.emplace(most, [this](Block& block) {
      const bool more = read(block);
      block.reader_state = state_now();
      return more;
    });
  } catch (const std::system_error&) {
    // No thread: blocks are read when they are asked for.
  }
}

FileSteps::Block& FileSteps::next() {
  Block* const block = ahead_ ? &ahead_->next() : &own_;
  if (!ahead_) read(own_);
  current_ = block;
  return *block;
}

std::string FileSteps::reader_state() const { return !ahead_ ? state_now() : current_ ? current_->reader_state : ""; }

void FileSteps::continue_from(const std::string& reader_state) {
  StateReader in(reader_state);
  reader().load(in);
}

}  // namespace bellwether
