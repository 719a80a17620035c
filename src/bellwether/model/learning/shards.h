#pragma once

#include <string>
#include <vector>

#include <bellwether/core/support/ranks.h>
#include <bellwether/model/learning/open_log.h>
#include <bellwether/model/learning/summary.h>
#include <bellwether/model/model.h>

namespace bellwether {

/// Learning by several processes: each takes every n-th file, all use the recipe of process 0, and process 0 merges
/// what they have learned. A single process takes all files.
class Shards {
 public:
  /// `ranks` may be null: there is only this process. Throws InvalidArgument when there are fewer files than processes.
  Shards(Ranks* ranks, const std::vector<LogSource>& files);

  /// The files of this process.
  const std::vector<LogSource>& files() const { return files_; }

  /// Opens the files of this process, with the same recipe in all of them: ranges hold the states of all files.
  OpenLog open(const LearnRequest& request, OpenLogCallbacks callbacks);

  /// Merges what the processes have learned. True for the process that has the result.
  bool gather(Model& model, LogNotes& notes);

 private:
  bool alone() const { return ranks_ == nullptr; }
  bool first() const { return ranks_->rank() == 0; }
  std::string receive(int from);

  Ranks* ranks_;
  std::vector<LogSource> files_;
  std::vector<std::vector<std::string>> arrived_;  // messages of each process that have not been read yet
};

}  // namespace bellwether
