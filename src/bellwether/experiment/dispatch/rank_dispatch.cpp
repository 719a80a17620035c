#include <bellwether/experiment/dispatch/rank_dispatch.h>

#include <algorithm>

#include <bellwether/experiment/dispatch/wire.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {

namespace {

constexpr std::chrono::milliseconds polling_interval{2};  // a message wakes nobody

}  // namespace

RankDispatch::RankDispatch(Ranks& ranks, unsigned jobs, WorkerPool::Execute execute)
    : ranks_(ranks), here_(jobs, std::move(execute)), serving_(static_cast<std::size_t>(ranks.size() - 1) * jobs) {}

void RankDispatch::submit(WorkUnit work) {
  if (here_.idle()) return here_.submit(std::move(work));
  ranks_.send(waiting_.front(), to_bytes(work));
  waiting_.pop_front();
}

std::vector<Dispatch::Done> RankDispatch::collect(std::chrono::milliseconds patience) {
  auto all = here_.collect(std::min(patience, polling_interval));
  while (auto message = ranks_.poll()) {
    waiting_.push_back(message->from);
    if (!message->bytes.empty()) all.push_back(from_bytes<Done>(message->bytes));
  }
  return all;
}

bool RankDispatch::dismissed() {
  for (; !waiting_.empty(); waiting_.pop_front()) {
    ranks_.send(waiting_.front(), {});
    --serving_;
  }
  return serving_ == 0;
}

void serve(Ranks& ranks, unsigned jobs, WorkerPool::Execute execute, const std::function<bool()>& stopped) {
  WorkerPool pool(jobs, std::move(execute));
  for (unsigned i = 0; i < jobs; ++i) ranks.send(0, {});
  unsigned serving = jobs;
  while (serving > 0) {
    check_stopped(stopped);
    while (auto message = ranks.poll()) {
      if (message->bytes.empty()) --serving;
      else pool.submit(from_bytes<WorkUnit>(message->bytes));
    }
    for (const auto& done : pool.collect(polling_interval)) ranks.send(0, to_bytes(done));
  }
}

}  // namespace bellwether
