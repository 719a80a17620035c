// The power fails at every moment of a command: what was not synchronised with the disk is gone, or there by chance.
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <bellwether/core/support/rng.h>

#include "faults/shim/journal.h"
#include "faults/support/workplace.h"
#include "support/sanitizers.h"

namespace bellwether {
namespace {

namespace fs = std::filesystem;
using testing::Job;
using testing::Workplace;

struct Event {
  journal::Header header;
  std::string bytes;
};

std::vector<Event> events_in(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<Event> all;
  journal::Header header{};
  while (in.read(reinterpret_cast<char*>(&header), sizeof header)) {
    Event& event = all.emplace_back(Event{header, std::string(header.size, '\0')});
    in.read(event.bytes.data(), static_cast<std::streamsize>(header.size));
  }
  return all;
}

void apply(const Event& event, std::string& content) {
  const auto& h = event.header;
  if (h.event == journal::resize) return content.resize(h.at);
  if (content.size() < h.at + h.size) content.resize(h.at + h.size);
  content.replace(h.at, h.size, event.bytes);
}

/// A folder on a disk that has a cache: what the disk surely has, and what it has been told since.
class Disk {
 public:
  explicit Disk(const std::string& folder) : folder_inode_(inode_of(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      const std::uint64_t inode = inode_of(entry.path());
      names_[entry.path().filename()] = inode;
      safe_files_[inode] = testing::read_file(entry.path());
    }
    safe_names_ = names_;
  }

  void happens(const Event& event) {
    const auto& h = event.header;
    switch (h.event) {
      case journal::fresh: told_[h.inode].clear(), safe_files_[h.inode].clear(), names_[event.bytes] = h.inode; break;
      case journal::create: names_[event.bytes] = h.inode; break;
      case journal::remove: names_.erase(event.bytes); break;
      case journal::sync: synchronise(h.inode); break;
      default: told_[h.inode].push_back(event);
    }
  }

  enum class Luck { none, all, some };

  /// Writes into a folder what is found after the power comes back.
  void write_to(const std::string& folder, Luck luck, Rng& rng) const {
    fs::remove_all(folder);
    fs::create_directory(folder);
    const auto kept = [&] { return luck == Luck::all || (luck == Luck::some && rng.uniform() < 0.5); };
    for (const auto& [name, inode] : kept() ? names_ : safe_names_) {
      std::string content = safe_files_.at(inode);
      if (const auto told = told_.find(inode); told != told_.end()) {
        for (const Event& event : told->second) {
          if (kept()) apply(event, content);
        }
      }
      std::ofstream(folder + "/" + name, std::ios::binary) << content;
    }
  }

 private:
  static std::uint64_t inode_of(const std::string& path) {
    struct stat status {};
    stat(path.c_str(), &status);
    return status.st_ino;
  }

  void synchronise(std::uint64_t inode) {
    if (inode == folder_inode_) {
      safe_names_ = names_;
      return;
    }
    for (const Event& event : told_[inode]) apply(event, safe_files_[inode]);
    told_[inode].clear();
  }

  std::uint64_t folder_inode_;
  std::map<std::string, std::uint64_t> names_, safe_names_;
  std::map<std::uint64_t, std::string> safe_files_;   // by inode
  std::map<std::uint64_t, std::vector<Event>> told_;  // and not yet synchronised
};

class PowerLoss : public ::testing::TestWithParam<Job> {};

TEST_P(PowerLoss, LeavesWhatWasReportedAndWhatWasThereBefore) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers replace the functions that are recorded";
  const Workplace place(GetParam());
  const testing::TemporaryFolder beside;
  const std::string recorded = beside.path("journal");
  place.renew();
  Disk disk(place.folder());
  const auto done =
      place.run({"LD_PRELOAD=" BELLWETHER_SHIM, "FAULT_FOLDER=" + place.folder(), "FAULT_JOURNAL=" + recorded});
  ASSERT_EQ(done.code, 0) << done.err;
  const std::vector<Event> events = events_in(recorded);
  ASSERT_GT(events.size(), 3U);
  const auto tried = static_cast<double>(testing::amount("BELLWETHER_FAULTS", 2));
  const double share = std::min(1.0, tried / static_cast<double>(events.size()));
  Rng rng(1);
  long failures = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    disk.happens(events[i]);
    const bool ended = i + 1 == events.size();
    if (!ended && rng.uniform() >= share) continue;
    for (const auto luck : {Disk::Luck::none, Disk::Luck::all, Disk::Luck::some}) {
      disk.write_to(place.folder(), luck, rng);
      place.check_files(ended, fmt::format("{} without power after {} of {} changes, luck {}", place.job().name, i + 1,
                                           events.size(), static_cast<int>(luck)));
      ++failures;
    }
  }
  testing::count("power", place.job().name, failures);
}

std::vector<Job> jobs_in_one_folder() {
  std::vector<Job> all;
  for (const Job& job : testing::jobs()) {
    if (job.name != "export") all.push_back(job);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Commands, PowerLoss, ::testing::ValuesIn(jobs_in_one_folder()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace bellwether
