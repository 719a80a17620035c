#include <bellwether/experiment/dispatch/rank_dispatch.h>

#include <set>

#include <gtest/gtest.h>

#include <bellwether/core/error.h>
#include <bellwether/experiment/workers.h>

namespace bellwether {
namespace {

/// Messages between threads that play processes.
class Mail {
 public:
  explicit Mail(int ranks) : boxes_(static_cast<std::size_t>(ranks)) {}

  int ranks() const { return static_cast<int>(boxes_.size()); }
  void put(int to, Ranks::Message message) {
    const std::lock_guard lock(mutex_);
    boxes_[static_cast<std::size_t>(to)].push_back(std::move(message));
  }
  std::optional<Ranks::Message> take(int of) {
    const std::lock_guard lock(mutex_);
    auto& box = boxes_[static_cast<std::size_t>(of)];
    if (box.empty()) return std::nullopt;
    Ranks::Message first = std::move(box.front());
    box.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::vector<std::deque<Ranks::Message>> boxes_;
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(Mail& mail, int rank) : mail_(mail), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return mail_.ranks(); }
  void send(int to, const Bytes& bytes) override { mail_.put(to, {rank_, bytes}); }
  std::optional<Message> poll() override { return mail_.take(rank_); }
  void meet() override {}
  [[noreturn]] void abandon(int) override { throw IoError("abandoned"); }

 private:
  Mail& mail_;
  int rank_;
};

WorkUnit unit_of(std::uint64_t seed) {
  return {.case_index = 0, .first_seed = seed, .seeds = 1, .settings = {}, .cost = 0};
}

/// A result that tells its unit; units take a moment, so that everybody gets some.
UnitResult result_of(const WorkUnit& work, const std::stop_token&) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return {.trials = {}, .seconds_alone = {static_cast<double>(work.first_seed)}};
}

TEST(RankDispatch, HasEveryUnitDoneOnceByTheThreadsOfAllRanks) {
  constexpr std::uint64_t units = 200;
  Mail mail(3);
  std::atomic<int> elsewhere = 0;
  std::vector<std::jthread> others;
  for (const int rank : {1, 2}) {
    others.emplace_back([&mail, &elsewhere, rank] {
      ThreadRank ranks(mail, rank);
      const auto counted = [&](const WorkUnit& work, const std::stop_token& stop) {
        ++elsewhere;
        return result_of(work, stop);
      };
      serve(ranks, /*jobs=*/2, counted, {});
    });
  }
  ThreadRank first(mail, 0);
  RankDispatch team(first, /*jobs=*/2, result_of);
  std::set<std::uint64_t> seen;
  std::uint64_t next = 0;
  while (seen.size() < units || !team.dismissed()) {
    while (next < units && team.idle()) team.submit(unit_of(next++));
    for (const auto& done : team.collect(std::chrono::milliseconds(50))) {
      EXPECT_TRUE(seen.insert(done.work.first_seed).second);
      EXPECT_EQ(done.result.seconds_alone.at(0), static_cast<double>(done.work.first_seed));
    }
  }
  others.clear();  // they end, having been told that there is no more
  EXPECT_EQ(seen.size(), units);
  EXPECT_GT(elsewhere, 0);
}

TEST(RankDispatch, DismissesRanksThatNeverHadAUnit) {
  Mail mail(2);
  std::jthread other([&mail] {
    ThreadRank ranks(mail, 1);
    serve(ranks, 1, result_of, {});
  });
  ThreadRank first(mail, 0);
  RankDispatch team(first, 1, result_of);
  while (!team.dismissed()) team.collect(std::chrono::milliseconds(1));
}

TEST(RankDispatch, StopsServingWhenAskedTo) {
  Mail mail(2);
  ThreadRank ranks(mail, 1);
  EXPECT_THROW(serve(ranks, 1, result_of, [] { return true; }), Interrupted);
}

}  // namespace
}  // namespace bellwether
