#include <bellwether/model/learning/learn.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/support/rng.h>
#include <bellwether/core/support/thread_limit.h>
#include <bellwether/model/learning/judge_log.h>
#include <bellwether/model/learning/open_log.h>

#include "support/rejection.h"
#include "support/temporary_folder.h"

namespace bellwether {
namespace {

using testing::rejection;

/// A log of walks over `length` states to the right, with noisy rewards.
std::string walks(std::size_t episodes, std::size_t length = 5, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::string text = "s,reward,done\n";
  for (std::size_t i = 0; i < episodes; ++i) {
    for (std::size_t s = 0; s < length; ++s) {
      text += fmt::format("{},{},{}\n", s, 1 + rng.normal(), s + 1 == length ? 1 : 0);
    }
  }
  return text;
}

class Learn : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  LearnRequest request() const { return {.files = {path("log.csv")}}; }

  void SetUp() override { write("log.csv", walks(400)); }

  testing::TemporaryFolder folder_;
};

TEST_F(Learn, OneCallGivesTheModelAndSaysWhatItIs) {
  const LearnResult result = learn(request());
  EXPECT_TRUE(result.whole);
  const LearnSummary& summary = result.summary;
  EXPECT_EQ(summary.recipe.columns.state, std::vector<std::string>{"s"});
  EXPECT_EQ(summary.steps, 2000U);
  EXPECT_EQ(summary.episodes_ended, 400U);
  ASSERT_EQ(summary.chosen.size(), 3U);
  EXPECT_EQ(summary.chosen[0], "features: tabular(others=true), as there is one variable with whole values");
  EXPECT_EQ(summary.chosen[1], "discount: 1, as none is given and episodes end");
  ASSERT_EQ(summary.targets.size(), 1U);
  EXPECT_NEAR(*summary.targets[0].value.value, 5, 2.5 * *summary.targets[0].value.half_width);
  EXPECT_EQ(summary.targets[0].value.value, result.model.policy_value(0).value);
  EXPECT_EQ(summary.targets[0].returns->episodes, 400U);
  EXPECT_TRUE(summary.warnings.empty());
}

TEST_F(Learn, UsesNoMoreThreadsThanJobsAllow) {
  LearnRequest wanted = request();
  wanted.params.jobs = 3;
  const unsigned before = allowed_threads();
  unsigned during = 0;
  learn(wanted, {.before = [&](const Model&, const StepBlock&) { during = allowed_threads(); }});
  EXPECT_EQ(during, 3U);
  EXPECT_EQ(allowed_threads(), before);
}

TEST_F(Learn, TheModelIsTheOneThatBlocksLearnedByHandGive) {
  const OpenLog log = open_log(request());
  Model model(log.recipe);
  while (const StepBlock* block = log.steps->next()) model.learn(*block);
  EXPECT_EQ(learn(request()).model.learner(0).weights(), model.learner(0).weights());
}

TEST_F(Learn, ValuesAreJudgedWheneverTheNumberOfStepsHasDoubled) {
  const LearnResult result = learn(request());
  const auto& judgements = result.summary.targets[0].judgements;
  ASSERT_EQ(judgements.size(), 2U);
  EXPECT_EQ(judgements[0].after, 767U);  // blocks of 256, 512, 1024, ... rows, the last of which waits for the next
  EXPECT_EQ(judgements[1].after, 1791U);
  LearnRequest held_out = request();
  held_out.params.holdout = 0.2;
  const LearnSummary summary = learn(held_out).summary;
  const Judgement& last = summary.targets[0].judgements.back();
  EXPECT_EQ(last.after + last.steps, summary.steps);
}

TEST_F(Learn, TheTextHasNoEscapesUnlessTheCallerEmphasises) {
  const LearnSummary summary = learn(request()).summary;
  const std::string text = text_of(summary);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  const std::string value = text_of(summary.targets[0].value);
  EXPECT_NE(text.find("value of the policy: " + value + "  (mean value of the start states; 95 % interval)\n"),
            std::string::npos)
      << text;
  const auto marked = [](std::string_view words) { return fmt::format("<{}>", words); };
  EXPECT_NE(text_of(summary, marked).find("value of the policy: <" + value + ">"), std::string::npos);
}

TEST_F(Learn, AModelIsContinuedAsIfItHadNeverStopped) {
  write("first.csv", walks(100, 5, 1));
  write("second.csv", walks(100, 5, 2));
  LearnRequest both{.files = {path("first.csv"), path("second.csv")}, .features = "tabular", .learner = "td"};
  const auto weights = learn(both).model.learner(0).weights();
  LearnRequest one = both;
  one.files = {path("first.csv")};
  one.model = path("m.bw");
  one.resume = true;
  std::vector<bool> resumed;
  const LearnCallbacks callbacks{.begin = [&](const Model&, bool was) { resumed.push_back(was); }};
  learn(one, callbacks);
  one.files = {path("second.csv")};
  EXPECT_EQ(learn(one, callbacks).model.learner(0).weights(), weights);
  EXPECT_EQ(resumed, (std::vector<bool>{false, true}));
  EXPECT_EQ(Model::load(path("m.bw")).learner(0).weights(), weights);
  one.learner = "lstd";
  EXPECT_EQ(rejection([&] { learn(one); }),
            "the model has the learner td, not lstd: leave it out, or learn a new model");
}

TEST_F(Learn, ATableOfTheProgramIsLearnedFromAsAFileIs) {
  std::atomic<std::size_t> opened = 0;  // also by the thread that reads ahead
  std::weak_ptr<int> in_use;
  LogSource rows("rows", [&](TableOptions options) {
    EXPECT_TRUE(in_use.expired()) << "there is another reader";
    const auto use = std::make_shared<int>();
    in_use = use;
    options.interrupted = [use] { return false; };  // lives as long as the reader
    ++opened;
    return open_table(path("log.csv"), options);
  });
  rows.bytes = std::filesystem::file_size(path("log.csv"));
  LearnRequest wanted = request();
  wanted.params.passes = 2;
  const LearnResult of_file = learn(wanted);
  wanted.files = {rows};
  const LearnResult of_rows = learn(wanted);
  EXPECT_EQ(of_rows.model.learner(0).weights(), of_file.model.learner(0).weights());
  EXPECT_EQ(of_rows.summary.chosen, of_file.summary.chosen);
  EXPECT_TRUE(of_rows.model.learned_from().empty());
  EXPECT_GE(opened, 3U);  // for ranges and for two passes
}

TEST_F(Learn, ATableThatCanBeReadOnceIsAStream) {
  std::size_t opened = 0;
  LogSource rows("rows", [&](const TableOptions& options) {
    ++opened;
    return open_table(path("log.csv"), options);
  });
  rows.once = true;
  LearnRequest wanted{.files = {rows}};
  EXPECT_EQ(learn(wanted).summary.chosen.front(), "ranges of the state: those of the first 1000 rows");
  EXPECT_EQ(opened, 1U);
  wanted.params.passes = 2;
  EXPECT_EQ(rejection([&] { learn(wanted); }), "learn: a stream can be read only once, so `passes` must be 1");
}

TEST_F(Learn, AModelInMemoryIsContinuedAsOneInAFileIs) {
  write("more.csv", walks(100, 5, 2));
  LearnRequest first = request();
  first.model = path("m.bw");
  Model model = learn(first).model;
  const LearnRequest more{.files = {path("more.csv")}, .model = path("m.bw"), .resume = true};
  const auto weights = learn(more).model.learner(0).weights();
  EXPECT_EQ(learn(std::move(model), {.files = {path("more.csv")}}).model.learner(0).weights(), weights);
}

TEST_F(Learn, ARecipeWillDoInsteadOfAModelLikeIt) {
  LearnRequest first = request();
  first.model = path("m.bw");
  const Model model = learn(first).model;
  write("short.csv", walks(50, 3));
  const LearnRequest like{.files = {path("short.csv")}, .like = path("m.bw")};
  const LearnRequest recipe{.files = {path("short.csv")}, .recipe = model.recipe()};
  EXPECT_EQ(learn(recipe).model.learner(0).weights(), learn(like).model.learner(0).weights());
}

TEST_F(Learn, ALogThatWasHeldOutJudgesAsTheHoldoutOfLearnDoes) {
  const Model model = learn(request()).model;
  write("held_out.csv", walks(100, 5, 7));
  const Judgement found = judge_log(model, {.files = {path("held_out.csv")}})[0];
  EXPECT_EQ(found.after, 2000U);
  EXPECT_EQ(found.steps, 500U);
  EXPECT_EQ(found.returns, 500U);
  const auto log = open_log({.files = {path("held_out.csv")}}, model.recipe());
  const StepBlock first = *log.steps->next();
  EXPECT_EQ(model.judged(0, first).td_error, judge(first.view(0), model.learner(0).weights(), 0.9).td_error);
  EXPECT_NEAR(found.return_error, std::sqrt(3), 0.3);  // noise of 1 to 5 rewards
  write("empty.csv", "s,reward,done\n1,2,0\n");
  EXPECT_EQ(rejection([&] { judge_log(model, {.files = {path("empty.csv")}}); }),
            path("empty.csv") + ": holds no step to judge by");
}

TEST_F(Learn, AModelLikeAnotherHasItsRecipeButNothingItLearned) {
  LearnRequest first = request();
  first.model = path("m.bw");
  learn(first);
  write("short.csv", walks(50, 3, 7));  // two of the five states are missing
  LearnRequest other{.files = {path("short.csv")}, .like = path("m.bw")};
  const LearnResult result = learn(other);
  EXPECT_EQ(result.model.recipe().dim, 6U);
  EXPECT_EQ(result.summary.steps, 150U);
}

TEST_F(Learn, BlocksAreShownBeforeTheyAreLearnedFrom) {
  std::uint64_t shown = 0;
  double share = 0;
  LearnRequest twice = request();
  twice.params.passes = 2;
  const LearnCallbacks callbacks{.progress = [&](const LearnProgress& now) { share = now.share; },
                                 .before =
                                     [&](const Model& model, const StepBlock& block) {
                                       EXPECT_EQ(model.episodes().steps(), shown);
                                       shown += block.size();
                                     }};
  const LearnResult result = learn(twice, callbacks);
  EXPECT_EQ(shown, 2000U) << "in the first pass only";
  EXPECT_EQ(result.model.learner(0).steps(), 4000U);
  EXPECT_EQ(share, 1);
}

TEST_F(Learn, StoppedBetweenBlocksItKeepsTheCheckpointsAndNothingElse) {
  int blocks = 0;
  LearnCallbacks callbacks;
  callbacks.stopped = [&] { return blocks == 2; };
  callbacks.before = [&](const Model&, const StepBlock&) { ++blocks; };
  LearnRequest wanted = request();
  wanted.model = path("m.bw");
  const LearnResult plain = learn(wanted, callbacks);
  EXPECT_TRUE(plain.stopped);
  EXPECT_FALSE(plain.whole);
  EXPECT_EQ(plain.model.episodes().steps(), 767U);
  EXPECT_FALSE(std::filesystem::exists(wanted.model));
  blocks = 0;
  wanted.checkpoint = 1e-9;
  learn(wanted, callbacks);
  EXPECT_EQ(Model::load(wanted.model).episodes().steps(), 767U);
}

TEST_F(Learn, TheModelDoesNotDependOnTheNumberOfThreads) {
  LearnRequest wanted = request();
  for (const std::size_t episodes : {30U, 3000U, 1U, 700U}) {
    wanted.files.push_back(write(fmt::format("{}.csv", episodes), walks(episodes, 5, episodes)));
  }
  wanted.params.holdout = 0.1;
  for (const char* learner : {"td", "lstd"}) {
    wanted.learner = learner;
    wanted.params.passes = wanted.learner == "td" ? 2 : 1;
    wanted.params.jobs = 1;
    const std::string alone = learn(wanted).model.bytes();
    for (const std::int64_t jobs : {2, 3, 8}) {
      wanted.params.jobs = jobs;
      EXPECT_TRUE(learn(wanted).model.bytes() == alone) << learner << " with jobs = " << jobs;
    }
  }
}

TEST_F(Learn, ImpossibleRequestsAreRejectedByTheNamesOfTheirFields) {
  const auto rejected = [&](auto&& change) {
    LearnRequest wanted = request();
    change(wanted);
    return rejection([&] { learn(wanted); });
  };
  EXPECT_EQ(rejected([](LearnRequest& r) { r.files.clear(); }), "learn: there are no files to learn from");
  EXPECT_EQ(rejected([](LearnRequest& r) { r.files.emplace_back("-"); }),
            "learn: a stream cannot be read together with other files");
  EXPECT_EQ(rejected([](LearnRequest& r) { r.checkpoint = 10; }), "learn: `checkpoint` needs a `model` to write");
  EXPECT_EQ(rejected([](LearnRequest& r) { r.resume = true; }), "learn: `resume` needs the `model` to continue from");
  EXPECT_EQ(rejected([](LearnRequest& r) { r.params.holdout = 1; }), "learn: holdout = 1 is outside [0, 1)");
  EXPECT_EQ(rejected([](LearnRequest& r) {
              r.feature_settings = {{"tilings", "2"}};
            }),
            "learn: features.tilings is set, but `features` is not");
  EXPECT_EQ(rejected([](LearnRequest& r) { r.model = r.files[0].name; }),
            "learn: " + path("log.csv") + " would be overwritten");
  EXPECT_EQ(rejected([](LearnRequest& r) {
              r.discount = {"0.9", "gamma"};
            }),
            "`discount` takes numbers or one column, not 'gamma' beside others");
  write("endless.csv", "s,reward\n1,1\n2,1\n");
  EXPECT_EQ(rejected([&](LearnRequest& r) { r.files = {path("endless.csv")}; }),
            path("endless.csv") + ": nothing says where episodes end, so values need a discount: `discount=0.99`, say");
}

/// Messages between threads that stand for processes.
class Mailboxes {
 public:
  explicit Mailboxes(int size) : boxes_(static_cast<std::size_t>(size)) {}

  void send(int to, Ranks::Message message) {
    const std::lock_guard lock(mutex_);
    boxes_[static_cast<std::size_t>(to)].push_back(std::move(message));
  }
  std::optional<Ranks::Message> poll(int rank) {
    const std::lock_guard lock(mutex_);
    auto& box = boxes_[static_cast<std::size_t>(rank)];
    if (box.empty()) return std::nullopt;
    Ranks::Message message = std::move(box.front());
    box.pop_front();
    return message;
  }
  int size() const { return static_cast<int>(boxes_.size()); }

 private:
  std::mutex mutex_;
  std::vector<std::deque<Ranks::Message>> boxes_;
};

class ThreadRank final : public Ranks {
 public:
  ThreadRank(Mailboxes& boxes, int rank) : boxes_(boxes), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return boxes_.size(); }
  void send(int to, const Bytes& bytes) override { boxes_.send(to, {rank_, bytes}); }
  std::optional<Message> poll() override { return boxes_.poll(rank_); }
  void meet() override {}
  [[noreturn]] void abandon(int code) override { std::exit(code); }

 private:
  Mailboxes& boxes_;
  int rank_;
};

TEST_F(Learn, ProcessesShareTheFilesAndTheFirstOneMerges) {
  LearnRequest all;
  for (std::uint64_t i = 0; i < 5; ++i) all.files.push_back(write(fmt::format("{}.csv", i), walks(40, 3 + i, i + 1)));
  all.features = "tile_coding(tilings=2 tiles=3)";
  all.learner = "lstd";
  const LearnSummary alone = learn(all).summary;
  Mailboxes boxes(3);
  std::vector<std::optional<LearnResult>> results(3);
  std::vector<std::thread> threads;
  for (int r = 0; r < 3; ++r) {
    threads.emplace_back([&, r] {
      ThreadRank rank(boxes, r);
      results[static_cast<std::size_t>(r)] = learn(all, {}, &rank);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(results[0]->whole);
  EXPECT_FALSE(results[1]->whole);
  const LearnSummary& merged = results[0]->summary;
  EXPECT_EQ(merged.steps, alone.steps);
  EXPECT_EQ(merged.episodes, alone.episodes);
  EXPECT_EQ(merged.recipe.variables[0].high, alone.recipe.variables[0].high);
  EXPECT_NEAR(*merged.targets[0].value.value, *alone.targets[0].value.value, 1e-9);
  ThreadRank single(boxes, 0);
  LearnRequest resumed = all;
  resumed.model = path("m.bw");
  resumed.resume = true;
  EXPECT_EQ(rejection([&] { learn(resumed, {}, &single); }),
            "learn: `resume` and `checkpoint` work in a single process only");
}

}  // namespace
}  // namespace bellwether
