#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/process.h"
#include "support/temporary_folder.h"

/// What is done to the program in these tests, and what must come of it.
namespace bellwether::testing {

/// A command that writes something. It runs in a folder of its own with what it needs: logs, models, results, a study.
struct Job {
  std::string name;                  // in messages and counts
  std::vector<std::string> words;    // after the name of the program
  std::vector<std::string> outputs;  // files that it writes
  std::string input = "/dev/null";   // standard input: a file of the folder
  bool repeats = true;               // whether the same command, given again, completes what is missing
};

/// Every command that writes something of value.
const std::vector<Job>& jobs();

/// The content of files by their names. Of results it is what they say: times that were measured are left out.
using Contents = std::map<std::string, std::string>;

/// A folder in which a job can be done and disturbed, as often as one likes.
class Workplace {
 public:
  explicit Workplace(const Job& job);

  /// Makes the folder as it was at first.
  void renew() const;

  /// Does the job with these settings of the environment, NAME=VALUE.
  Finished run(const std::vector<std::string>& environment = {}) const;

  /// Does it under the shim. `fault` is as the shim says (shim/shim.cpp); what changes the folder is recorded in the
  /// file `journal`, if one is named.
  Finished run_with(const std::string& fault, const std::string& journal = "") const;

  /// What an undisturbed run says on standard error.
  const std::string& said() const { return said_; }

  /// Calls of a kind that an undisturbed run makes.
  long calls(const std::string& kind) const;

  /// Fails the test if something was lost, counted twice, left lying about or not said. The job is then repeated where
  /// that completes it, and must end as an undisturbed one.
  void check(const Finished& done, const std::string& what) const;

  /// The same for what is in the folder alone: every output must be as before, or as after the job. Results and streams
  /// may be between the two; lines that are appended may be missing or damaged until the job is complete.
  void check_files(bool complete, const std::string& what) const;

  /// Fails the test if a line of a step that a model in the folder has learned from is missing or damaged.
  void check_lines(const std::string& what) const;

  const Job& job() const { return job_; }
  const std::string& folder() const { return folder_; }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string content_of(const std::string& name) const;
  void expect_files(bool complete, const std::string& what) const;

  Job job_;
  TemporaryFolder temporary_;
  std::string start_ = temporary_.path("start");  // what a folder has at first
  std::string folder_ = temporary_.path("work");  // where it is worked
  std::string counts_ = temporary_.path("counts");
  std::string said_;
  std::map<std::string, long> calls_;
  Contents before_;
  Contents after_;
};

/// A number from the environment: how much is tried. `make test` tries little.
long amount(const char* variable, long otherwise);

/// Adds a line to the table of counts, if the environment names a file for it (BELLWETHER_COUNTS).
void count(const std::string& what, const std::string& job, long number);

}  // namespace bellwether::testing
