#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <bellwether/report/report_data.h>
#include <bellwether/results/store_reader.h>

namespace bellwether {

/// The studies of files of results, read for a page or for figures. A file that is named twice is read once.
///
///     const ReportFiles files({"boyan.db"});
///     const std::string page = page_of_script("Boyan", script, report_data(files.studies(), CurvesKept::all));
class ReportFiles {
 public:
  /// Told how far it is, and which file is read.
  using Reading = std::function<void(double share, const std::string& file)>;

  /// Reads all studies, or those called `study`. Throws InvalidArgument when there are none, or none has a finished
  /// run.
  explicit ReportFiles(std::vector<std::string> files, const std::string& study = {}, const Reading& reading = {});

  const std::vector<ReportStudy>& studies() const { return studies_; }

  /// Throws InvalidArgument when a page at `path` would overwrite one of the files, or what belongs to one.
  void check_output(const std::string& path) const;

 private:
  std::vector<std::string> files_;
  std::deque<StoreReader> readers_;  // studies point to them
  std::vector<ReportStudy> studies_;
};

}  // namespace bellwether
