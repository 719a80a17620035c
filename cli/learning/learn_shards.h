#pragma once

#include <memory>
#include <string>
#include <vector>

#include <bellwether/core/ranks.h>
#include <bellwether/model/log_source.h>
#include <bellwether/model/model.h>

#include "learning/learn_summary.h"

namespace bellwether::cli {

/// Learning by several processes that a launcher started together (`mpirun -n 4 bellwether learn shards/*.csv`): each
/// takes every n-th file, all use the recipe of the first, and what they have learned is merged there. A process alone
/// takes all files.
class Shards {
 public:
  /// Leaves in `files` those of this process. Throws InvalidArgument when there are fewer files than processes.
  Shards(Ranks* ranks, std::vector<std::string>& files);

  bool first() const { return ranks_ == nullptr || ranks_->rank() == 0; }

  /// Opens the files with features of equal ranges, and one recipe, everywhere.
  std::unique_ptr<LogSource> open(const LogRequest& request, const LogSource::Progress& progress);

  /// Brings together what was learned. True for the process that has it all.
  bool gather(Model& model, LogRemarks& remarks);

 private:
  void send(int to, const std::string& bytes);
  std::string receive(int from);

  Ranks* ranks_;
  std::vector<std::vector<std::string>> arrived_;  // from each process, not looked at yet
};

}  // namespace bellwether::cli
