// The power fails at every moment of a command: what was not synchronised with the disk is gone, or there by chance.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "faults/support/disk.h"
#include "faults/support/workplace.h"
#include "support/sanitizers.h"

namespace bellwether {
namespace {

using testing::Disk;
using testing::disk_events_in;
using testing::DiskEvent;
using testing::Job;
using testing::Workplace;

class PowerLoss : public ::testing::TestWithParam<Job> {};

TEST_P(PowerLoss, LeavesWhatWasReportedAndWhatWasThereBefore) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers replace the functions that are recorded";
  const Workplace place(GetParam());
  const testing::TemporaryFolder beside;
  const std::string recorded = beside.path("journal");
  place.renew();
  Disk disk(place.folder());
  const auto done = place.run_with("none:0:0:once", recorded);
  ASSERT_EQ(done.code, 0) << done.err;
  const std::vector<DiskEvent> events = disk_events_in(recorded);
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
      const std::string what = fmt::format("{} without power after {} of {} changes, luck {}", place.job().name, i + 1,
                                           events.size(), static_cast<int>(luck));
      place.check_lines(what);
      place.check_files(ended, what);
      ++failures;
    }
  }
  testing::count("power", place.job().name, failures);
}

INSTANTIATE_TEST_SUITE_P(Commands, PowerLoss, ::testing::ValuesIn(testing::jobs()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace bellwether
