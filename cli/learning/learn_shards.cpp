#include "learning/learn_shards.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/state.h>

namespace bellwether::cli {

namespace {

std::string bytes_of(const std::vector<Variable>& variables) {
  StateWriter out;
  for (const Variable& v : variables) out(v.low, v.high, v.whole);
  return out.take();
}

/// Widens ranges so that they hold those of others.
void widen(std::vector<Variable>& variables, const std::string& bytes) {
  StateReader in(bytes);
  for (Variable& v : variables) {
    Variable other{};
    in(other.low, other.high, other.whole);
    v.low = std::min(v.low, other.low);
    v.high = std::max(v.high, other.high);
    v.whole = v.whole && other.whole;
  }
  in.finish();
}

}  // namespace

Shards::Shards(Ranks* ranks, std::vector<std::string>& files) : ranks_(ranks) {
  if (ranks_ == nullptr) return;
  const auto size = static_cast<std::size_t>(ranks_->size());
  arrived_.resize(size);
  if (files.size() < size) {
    throw InvalidArgument(fmt::format("learn: {} files for {} processes; each needs one", files.size(), size));
  }
  std::vector<std::string> mine;
  for (auto i = static_cast<std::size_t>(ranks_->rank()); i < files.size(); i += size) mine.push_back(files[i]);
  files = mine;
}

void Shards::send(int to, const std::string& bytes) {
  Ranks::Bytes message(bytes.size());
  std::transform(bytes.begin(), bytes.end(), message.begin(), [](char c) { return static_cast<std::byte>(c); });
  ranks_->send(to, message);
}

std::string Shards::receive(int from) {
  auto& waiting = arrived_[static_cast<std::size_t>(from)];
  while (waiting.empty()) {
    if (auto message = ranks_->poll()) {
      std::string bytes(message->bytes.size(), '\0');
      std::transform(message->bytes.begin(), message->bytes.end(), bytes.begin(),
                     [](std::byte b) { return static_cast<char>(b); });
      arrived_[static_cast<std::size_t>(message->from)].push_back(std::move(bytes));
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::string first = std::move(waiting.front());
  waiting.erase(waiting.begin());
  return first;
}

std::unique_ptr<LogSource> Shards::open(const LogRequest& request, const LogSource::Progress& progress) {
  if (ranks_ == nullptr) return std::make_unique<LogSource>(request, progress);
  if (!first()) {
    // Its own choices do not matter, but its ranges do.
    send(0, bytes_of(LogSource(request, progress).recipe().variables));
    return std::make_unique<LogSource>(request, parse_recipe(receive(0)));
  }
  bool agreed = false;
  auto source = std::make_unique<LogSource>(request, progress, [&](std::vector<Variable>& variables) {
    for (int r = 1; r < ranks_->size(); ++r) widen(variables, receive(r));
    agreed = true;
  });
  for (int r = 1; r < ranks_->size(); ++r) {
    if (!agreed) receive(r);  // there were no ranges to agree on
    send(r, text_of(source->recipe()));
  }
  return source;
}

bool Shards::gather(Model& model, LogRemarks& remarks) {
  if (ranks_ == nullptr) return true;
  StateWriter mine;
  mine(remarks.skipped, remarks.first_skipped, remarks.without_end);
  if (!first()) {
    send(0, mine.bytes());
    send(0, model.bytes());
    return false;
  }
  for (int r = 1; r < ranks_->size(); ++r) {
    LogRemarks theirs;
    const std::string said = receive(r);
    StateReader in(said);
    in(theirs.skipped, theirs.first_skipped, theirs.without_end);
    remarks.skipped += theirs.skipped;
    remarks.without_end += theirs.without_end;
    if (remarks.first_skipped.empty()) remarks.first_skipped = theirs.first_skipped;
    model.absorb(Model::parse(receive(r), fmt::format("process {}", r)));
  }
  return true;
}

}  // namespace bellwether::cli
