#include <bellwether/model/learning/shards.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/state.h>

namespace bellwether {

namespace {

std::string bytes_of(const std::vector<Variable>& variables) {
  StateWriter out;
  for (const Variable& v : variables) out(v.low, v.high, v.whole, v.categories);
  return out.take();
}

/// Widens ranges so that they contain those of another process.
void widen(std::vector<Variable>& variables, const std::string& bytes) {
  StateReader in(bytes);
  for (Variable& v : variables) {
    Variable other{};
    in(other.low, other.high, other.whole, other.categories);
    if (v.categories.empty() != other.categories.empty()) {
      throw InvalidArgument(fmt::format(
          "learn: column '{}' holds text in the first rows of some files and numbers in those of others", v.name));
    }
    for (const std::string& text : other.categories) {
      if (std::find(v.categories.begin(), v.categories.end(), text) == v.categories.end()) v.categories.push_back(text);
    }
    v.low = std::min(v.low, other.low);
    v.high = std::max(v.high, other.high);
    v.whole = v.whole && other.whole;
    if (!v.categories.empty()) v.high = static_cast<double>(v.categories.size());
  }
  in.finish();
}

}  // namespace

Shards::Shards(Ranks* ranks, const std::vector<LogSource>& files) : ranks_(ranks), files_(files) {
  if (alone()) return;
  const auto size = static_cast<std::size_t>(ranks_->size());
  arrived_.resize(size);
  if (files.size() < size) {
    throw InvalidArgument(fmt::format("learn: {} files for {} processes; each needs one", files.size(), size));
  }
  files_.clear();
  for (auto i = static_cast<std::size_t>(ranks_->rank()); i < files.size(); i += size) files_.push_back(files[i]);
}

std::string Shards::receive(int from) {
  auto& waiting = arrived_[static_cast<std::size_t>(from)];
  while (waiting.empty()) {
    if (auto message = ranks_->poll()) {
      arrived_[static_cast<std::size_t>(message->from)].push_back(std::move(message->bytes));
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::string first = std::move(waiting.front());
  waiting.erase(waiting.begin());
  return first;
}

OpenLog Shards::open(const LearnRequest& request, OpenLogCallbacks callbacks) {
  LearnRequest mine = request;
  mine.files = files_;
  if (alone()) return open_log(mine, callbacks);
  if (!first()) {
    // Only the ranges of its own recipe matter.
    ranks_->send(0, bytes_of(open_log(mine, callbacks).recipe.variables));
    return open_log(mine, parse_recipe(receive(0)), callbacks);
  }
  bool agreed = false;
  callbacks.agree = [&](std::vector<Variable>& variables) {
    for (int r = 1; r < ranks_->size(); ++r) widen(variables, receive(r));
    agreed = true;
  };
  OpenLog log = open_log(mine, callbacks);
  for (int r = 1; r < ranks_->size(); ++r) {
    if (!agreed) receive(r);  // there were no ranges to agree on
    ranks_->send(r, text_of(log.recipe));
  }
  return log;
}

bool Shards::gather(Model& model, LogNotes& notes) {
  if (alone()) return true;
  if (!first()) {
    StateWriter mine;
    mine(notes.skipped, notes.first_skipped, notes.without_end, notes.sorted, notes.steps, notes.outside,
         notes.first_outside);
    ranks_->send(0, mine.bytes());
    ranks_->send(0, model.bytes());
    return false;
  }
  for (int r = 1; r < ranks_->size(); ++r) {
    LogNotes theirs;
    const std::string said = receive(r);
    StateReader in(said);
    in(theirs.skipped, theirs.first_skipped, theirs.without_end, theirs.sorted, theirs.steps, theirs.outside,
       theirs.first_outside);
    notes.sorted = notes.sorted || theirs.sorted;
    notes.skipped += theirs.skipped;
    notes.without_end += theirs.without_end;
    notes.steps += theirs.steps;
    notes.outside += theirs.outside;
    if (notes.first_outside.empty()) notes.first_outside = theirs.first_outside;
    if (notes.first_skipped.empty()) notes.first_skipped = theirs.first_skipped;
    model.absorb(Model::parse(receive(r), fmt::format("process {}", r)));
  }
  return true;
}

}  // namespace bellwether
