// What is learned from a log is what is learned from the same steps in memory, bit for bit, by every registered
// learner.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/domains/mountain_car.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/learners/learners.h>
#include <bellwether/model/learning/open_log.h>
#include <bellwether/model/model.h>

#include "support/temporary_folder.h"

namespace bellwether {
namespace {

constexpr std::size_t steps = 700;

/// A log of Mountain Car in several formats, each of which holds the same numbers.
class Logs {
 public:
  Logs() {
    const MountainCar car({});
    Rng rng(1);
    std::vector<double> state(2);
    car.start(rng, state);
    std::ofstream csv(path("log.csv")), tsv(path("log.tsv")), json(path("log.jsonl"));
    const std::vector<std::string> names{"position", "velocity",      "reward",       "discount",
                                         "rho",      "next_position", "next_velocity"};
    csv << fmt::format("{}\n", fmt::join(names, ","));
    tsv << fmt::format("{}\n", fmt::join(names, "\t"));
    for (std::size_t t = 0; t < steps; ++t) {
      std::vector<double> row = state;
      const Outcome outcome = car.step(rng, state);
      if (outcome.discount == 0) car.start(rng, state);
      for (const double v : {outcome.reward, outcome.discount, outcome.rho, state[0], state[1]}) row.push_back(v);
      csv << fmt::format("{}\n", fmt::join(row, ","));
      tsv << fmt::format("{}\n", fmt::join(row, "\t"));
      std::vector<std::string> members;
      for (std::size_t i = 0; i < row.size(); ++i) members.push_back(fmt::format("\"{}\": {}", names[i], row[i]));
      json << fmt::format("{{{}}}\n", fmt::join(members, ", "));
    }
    // Features that are ready-made, as sparse rows and as columns.
    Stream stream(car, features(), 1);
    const Batch batch = stream.next(steps);
    std::ofstream sparse(path("log.sparse")), dense(path("features.csv"));
    const std::size_t d = features()->dim();
    for (const char* prefix : {"x", "next_x"}) {
      for (std::size_t j = 0; j < d; ++j) dense << fmt::format("{}.{},", prefix, j);
    }
    dense << "reward,discount\n";
    for (std::size_t t = 0; t < steps; ++t) {
      sparse << fmt::format("{} {}", batch.reward[t], batch.discount[t]);
      for (const FeatureRows* rows : {&batch.x, &batch.x_next}) {
        std::vector<double> all(d, 0.0);
        sparse << " |";
        visit(rows->row(t), [&](const auto& x) {
          x.for_each([&](std::size_t j, double v) {
            sparse << fmt::format(" {}:{}", j, v);
            all[j] = v;
          });
        });
        dense << fmt::format("{},", fmt::join(all, ","));
      }
      sparse << '\n';
      dense << fmt::format("{},{}\n", batch.reward[t], batch.discount[t]);
    }
  }

  std::string path(const std::string& name) const { return folder_.path(name); }

  /// The features that a reader fits to the first of the logs.
  std::shared_ptr<const FeatureMap> features() const {
    if (!map_) map_ = open_log(request("log.csv", "td")).recipe.map();
    return map_;
  }

  LearnRequest request(const std::string& name, const std::string& learner) const {
    LearnRequest made;
    made.files = {path(name)};
    if (name.starts_with("log.") && !name.ends_with(".sparse")) made.features = "tile_coding(tilings=2 tiles=3)";
    made.learner = learner;
    made.params.resamples = 0;
    made.dim = name.ends_with(".sparse") ? std::optional(features()->dim()) : std::nullopt;
    return made;
  }

 private:
  testing::TemporaryFolder folder_;
  mutable std::shared_ptr<const FeatureMap> map_;
};

const Logs& logs() {
  static const Logs all;
  return all;
}

std::vector<double> learned(const std::string& name, const std::string& learner) {
  const OpenLog log = open_log(logs().request(name, learner));
  Model model(log.recipe);
  while (const StepBlock* block = log.steps->next()) model.learn(*block);
  EXPECT_EQ(model.learner(0).steps(), steps);
  return model.learner(0).weights();
}

/// The same steps in memory, in the layout that a file of this name is read in.
std::vector<double> in_memory(const std::string& name, const std::string& learner) {
  const auto made = make_learner(learner, logs().features()->dim());
  const Layout layout = name.ends_with(".sparse")        ? Layout::sparse
                        : name.ends_with("features.csv") ? Layout::dense
                                                         : Layout::binary;
  const MountainCar car({});
  Stream stream(car, logs().features(), 1);
  const Batch batch = stream.next(steps);
  RowBuffer rows(layout, made->dim());
  for (std::size_t t = 0; t <= steps; ++t) rows.append(batch.x.row(t));
  Batch same = batch;
  same.x = rows.view();
  same.x_next = rows.view().slice(1, steps);
  same.pi = nullptr;  // the logs do not tell
  if (layout != Layout::binary) same.rho = nullptr;
  made->learn(same);
  return made->weights();
}

class LogsOf : public ::testing::TestWithParam<std::string> {};

TEST_P(LogsOf, EveryFormatGivesTheWeightsThatLearningInMemoryGives) {
  for (const char* name : {"log.csv", "log.tsv", "log.jsonl", "log.sparse", "features.csv"}) {
    EXPECT_EQ(learned(name, GetParam()), in_memory(name, GetParam())) << name;
  }
}

TEST_P(LogsOf, AModelGoesOnBitForBitWhereverTheLogIsCut) {
  for (const std::size_t cut : {1U, 2U}) {  // blocks
    const OpenLog log = open_log(logs().request("log.csv", GetParam()));
    Model model(log.recipe);
    std::size_t blocks = 0;
    while (const StepBlock* block = log.steps->next()) {
      model.learn(*block);
      if (++blocks == cut) model = Model::parse(model.bytes(), "model");
    }
    EXPECT_EQ(model.learner(0).weights(), learned("log.csv", GetParam())) << cut;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const LearnerEntry& entry : learners()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(EveryLearner, LogsOf, ::testing::ValuesIn(names()), [](const auto& of) { return of.param; });

}  // namespace
}  // namespace bellwether
