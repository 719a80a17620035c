// Every call of the system that a command makes fails once, or from then on.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "faults/support/disk.h"
#include "faults/support/workplace.h"
#include "support/sanitizers.h"

namespace bellwether {
namespace {

using testing::Disk;
using testing::Job;
using testing::Workplace;

/// A kind of call and what may come of it.
struct Fault {
  std::string kind;
  int error;       // as the shim takes it
  bool once_only;  // a fault that nobody would meet again and again
};

const std::vector<Fault>& all_faults() {
  static const std::vector<Fault> all{
      {"open", ENOSPC, false},   {"open", EMFILE, false},     {"read", EIO, false},        {"read", EINTR, true},
      {"read", 0, true},         {"write", ENOSPC, false},    {"write", EIO, false},       {"write", EINTR, true},
      {"write", 0, true},        {"sync", EIO, false},        {"sync", ENOSPC, true},      {"rename", EIO, false},
      {"resize", EIO, false},    {"lock", ENOLCK, false},     {"lock", EINTR, true},       {"thread", EAGAIN, false},
      {"memory", ENOMEM, false}, {"clock", 1'000'000, false}, {"clock", -1'000'000, false}};
  return all;
}

/// Which of the calls fail: all of them, or so many, the first and the last and random ones between.
std::set<long> chosen_calls(long calls, long most, std::uint64_t seed) {
  std::set<long> chosen;
  if (calls <= most) {
    for (long n = 1; n <= calls; ++n) chosen.insert(n);
    return chosen;
  }
  Rng rng(seed);
  chosen = {1, calls};
  while (static_cast<long>(chosen.size()) < most)
    chosen.insert(1 + static_cast<long>(rng.below(static_cast<std::uint64_t>(calls))));
  return chosen;
}

/// The power fails after a command that could not synchronise something: what it has reported as done is there, and
/// what was there before.
void check_after_power_loss(const Workplace& place, Disk& disk, bool complete, const std::string& journal,
                            const std::string& what) {
  for (const auto& event : testing::disk_events_in(journal)) disk.happens(event);
  std::filesystem::remove(journal);
  Rng rng(1);
  disk.write_to(place.folder(), Disk::Luck::none, rng);
  place.check_files(complete, what + ", then without power");
}

class Injected : public ::testing::TestWithParam<Job> {};

TEST_P(Injected, FaultsLoseNothingThatWasReportedAndAreSaidInOneLine) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers replace the functions that are to fail";
  const Workplace place(GetParam());
  const long most = testing::amount("BELLWETHER_FAULTS", 2);
  const testing::TemporaryFolder beside;
  const std::string journal = beside.path("journal");
  std::uint64_t seed = 0;
  for (const Fault& fault : all_faults()) {
    long tried = 0;
    for (const long n : chosen_calls(place.calls(fault.kind), most, ++seed)) {
      for (const char* manner : {"once", "on"}) {
        if (fault.once_only && manner == std::string("on")) continue;
        place.renew();
        Disk disk(place.folder());
        const std::string text = fmt::format("{}:{}:{}:{}", fault.kind, n, fault.error, manner);
        const auto done = place.run_with(text, fault.kind == "sync" ? journal : "");
        const std::string what = place.job().name + " with " + text;
        place.check(done, what);
        // Where there is no terminal, no progress is shown, however long it seems to take.
        EXPECT_TRUE(fault.kind != "clock" || done.err == place.said()) << what << ": " << done.err;
        if (fault.kind == "sync") check_after_power_loss(place, disk, done.code == 0, journal, what);
        ++tried;
      }
    }
    testing::count(fmt::format("{} {}", fault.kind, fault.error), place.job().name, tried);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, Injected, ::testing::ValuesIn(testing::jobs()),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace bellwether
