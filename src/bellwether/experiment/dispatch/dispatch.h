#pragma once

#include <chrono>
#include <vector>

#include <bellwether/experiment/work.h>

namespace bellwether {

/// Who executes work units: the threads of this process (worker_pool.h), or those of several processes
/// (rank_dispatch.h). Used from one thread, which hands out units and collects results; it alone speaks to stores and
/// to other processes.
class Dispatch {
 public:
  struct Done {
    WorkUnit work;
    UnitResult result;

    template <class Self, class Visit>
    static void state(Self& self, Visit&& visit) {
      visit(self.work, self.result);
    }
  };

  virtual ~Dispatch() = default;

  /// Whether somebody is waiting for a unit.
  virtual bool idle() const = 0;

  /// Hands out a unit.
  virtual void submit(WorkUnit work) = 0;

  /// The units that were finished since the last call; waits up to `patience` for the first. Throws what a unit threw.
  virtual std::vector<Done> collect(std::chrono::milliseconds patience) = 0;

  /// Tells those who wait that there is no more work; true when everybody has been told. Called after the last result
  /// was collected, again and again until it returns true.
  virtual bool dismissed() = 0;
};

}  // namespace bellwether
