#pragma once

#include <deque>
#include <functional>

#include <bellwether/core/support/ranks.h>
#include <bellwether/experiment/dispatch/worker_pool.h>

namespace bellwether {

/// The threads of all processes: those of rank 0, which uses this class, and those of the others, which call `serve`.
///
/// Every thread of another rank has one unit at a time. It asks for the first by an empty message, and for the next by
/// the result of the last. An empty answer tells it that there is no more.
class RankDispatch final : public Dispatch {
 public:
  /// `jobs` is the number of threads of every process.
  RankDispatch(Ranks& ranks, unsigned jobs, WorkerPool::Execute execute);

  bool idle() const override { return here_.idle() || !waiting_.empty(); }
  void submit(WorkUnit work) override;
  std::vector<Done> collect(std::chrono::milliseconds patience) override;
  bool dismissed() override;

 private:
  Ranks& ranks_;
  WorkerPool here_;
  std::deque<int> waiting_;  // the rank of each thread that has asked for a unit
  std::size_t serving_;      // threads of other ranks that have not been told to end
};

/// Executes the units that rank 0 hands out, on `jobs` threads, until there are no more.
void serve(Ranks& ranks, unsigned jobs, WorkerPool::Execute execute, const std::function<bool()>& stopped);

}  // namespace bellwether
