#include <bellwether/report/report_files.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params/params.h>

namespace bellwether {

namespace {

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

bool begun(const ReportStudy& study) {
  return std::any_of(study.results.settings.begin(), study.results.settings.end(),
                     [](const Summary& summary) { return summary.runs > 0; });
}

}  // namespace

ReportFiles::ReportFiles(std::vector<std::string> files, const std::string& study, const Reading& reading)
    : files_(std::move(files)) {
  std::vector<std::string> names;
  for (auto file = files_.begin(); file != files_.end(); ++file) {
    if (std::any_of(files_.begin(), file, [&](const std::string& earlier) { return same_file(earlier, *file); })) {
      continue;
    }
    if (reading) reading(static_cast<double>(file - files_.begin()) / static_cast<double>(files_.size()), *file);
    const StoreReader& reader = readers_.emplace_back(*file);
    for (const StoredStudy& stored : reader.studies()) {
      names.push_back(stored.record.name);
      if (study.empty() || study == stored.record.name) {
        studies_.push_back({&reader, *file, study_results(reader, stored)});
      }
    }
  }
  const std::string where = files_.size() == 1 ? files_.front() : fmt::format("{} and the others", files_.front());
  if (names.empty()) throw InvalidArgument(fmt::format("{} holds no study yet", where));
  if (studies_.empty()) throw InvalidArgument(fmt::format("{}: {}", where, no_such("study", study, names)));
  if (std::none_of(studies_.begin(), studies_.end(), begun)) {
    throw InvalidArgument(fmt::format("{} has no finished run yet; run bellwether sweep first", where));
  }
}

void ReportFiles::check_output(const std::string& path) const {
  for (const std::string& file : files_) {
    for (const char* ending : {"", "-wal", "-shm", ".lock"}) {
      if (!same_file(path, file + ending)) continue;
      throw InvalidArgument(
          fmt::format("{} is a file of results, or belongs to one: the page would overwrite it", path));
    }
  }
}

}  // namespace bellwether
