#include <bellwether/model/model.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <bellwether/core/files/files.h>
#include <bellwether/core/state.h>
#include <bellwether/core/support/parallel.h>
#include <bellwether/core/support/text.h>
#include <bellwether/data/log/log_columns.h>
#include <bellwether/learners/learners.h>
#include <bellwether/linalg/simd/kernels.h>
#include <bellwether/model/learning/learn_request.h>
#include <bellwether/model/model_file.h>
#include <bellwether/traces/step_size.h>

namespace bellwether {
namespace {

/// The discounts of steps for one target.
std::vector<double> discounted(std::vector<double> discount, const Recipe& recipe, std::size_t target) {
  const double gamma = recipe.targets[target].discount;
  for (double& d : discount) d = recipe.ends_only ? (d > 0 ? gamma : 0) : gamma * d;
  return discount;
}

/// Throws unless the states of a table with the recipe's columns are what its features are made of. Whoever reads a
/// table for a model relies on it, and on every other rule here, without looking again.
void check_state(const Recipe& recipe) {
  const std::size_t columns = recipe.columns.state.size(), variables = recipe.variables.size();
  const bool mapped = recipe.features != "none";
  if (mapped && columns == 0) {
    throw InvalidArgument(
        fmt::format("model: features = {} needs columns of the state, and there are none", recipe.features));
  }
  if ((mapped || variables > 0) && columns != variables) {
    throw InvalidArgument(
        fmt::format("model: the state has {} columns, the features {} variables", columns, variables));
  }
  if (mapped || columns == 0) return;
  if (columns != recipe.dim) {
    throw InvalidArgument(
        fmt::format("model: the state has {} columns, which are the features, but dim = {}", columns, recipe.dim));
  }
  if (recipe.layout != Layout::dense)
    throw InvalidArgument("model: the columns of the state are features, but layout is not dense");
}

void check_ranges(const std::vector<Variable>& variables) {
  for (const Variable& v : variables) {
    if (std::isfinite(v.low) && std::isfinite(v.high) && v.low <= v.high) continue;
    throw InvalidArgument(fmt::format("model: variable '{}' has the range [{}, {}]", v.name, v.low, v.high));
  }
}

/// Throws unless the columns are those that `find_columns` could have found for these features and targets.
void check_table(const Recipe& recipe) {
  check_state(recipe);
  check_ranges(recipe.variables);
  check_columns(recipe.columns, "model");
  if (!recipe.columns.state.empty() && recipe.columns.reward != recipe.rewards()) {
    throw InvalidArgument(fmt::format("model: the columns of the reward are [{}], but the targets have [{}]",
                                      listed(recipe.columns.reward), listed(recipe.rewards())));
  }
}

/// The recipe, if a model can have it and the memory is there for it.
Recipe checked(Recipe recipe) {
  if (recipe.resamples > LearnParams::most_resamples) {
    throw InvalidArgument(
        fmt::format("model: resamples = {} is outside [0, {}]", recipe.resamples, LearnParams::most_resamples));
  }
  if (recipe.targets.empty()) throw InvalidArgument("model: there is no target");
  for (const Target& target : recipe.targets) {
    if (!(target.discount >= 0 && target.discount <= 1)) {
      throw InvalidArgument(fmt::format("model: discount = {} is outside [0, 1]", target.discount));
    }
  }
  if (!(recipe.holdout >= 0 && recipe.holdout < 1)) {
    throw InvalidArgument(fmt::format("model: holdout = {} is outside [0, 1)", recipe.holdout));
  }
  if (recipe.dim == 0) throw InvalidArgument("model: there are 0 features");
  check_table(recipe);
  Model::require_memory(recipe);
  return recipe;
}

/// Of the learner: 0 if it has none, the default if it is left to the learner.
double trace_decay(const Settings& settings) {
  const bool left = std::find(settings.begin(), settings.end(), Setting("lambda", "auto")) != settings.end();
  return left ? default_lambda : number_in(settings, "lambda").value_or(0);
}

}  // namespace

Model::Model(Recipe recipe)
    : recipe_(checked(std::move(recipe))),
      map_(recipe_.map()),
      was_in_(recipe_.resamples + 1, 0),
      episodes_(recipe_.seed),
      statistics_(recipe_.dim, recipe_.rewards().size(), recipe_.resamples),
      returns_(recipe_.targets.size()),
      outcomes_(recipe_.targets.size(), EpisodeReturns(recipe_.dim, recipe_.resamples)),
      judgements_(recipe_.targets.size()),
      compared_(recipe_.targets.size()),
      lambda_(trace_decay(recipe_.settings)),
      discounts_(recipe_.targets.size()) {
  if (map_ && (map_->dim() != recipe_.dim || map_->layout() != recipe_.layout)) {
    throw InvalidArgument(
        fmt::format("model: the features have {} dimensions, the model {}", map_->dim(), recipe_.dim));
  }
  held_out_.clear(recipe_.layout, recipe_.dim, recipe_.rewards().size());
  for (std::size_t k = 0; k < targets(); ++k) {
    auto& all = learners_.emplace_back();
    for (std::size_t h = 0; h <= recipe_.resamples; ++h) {
      all.push_back(make_learner(recipe_.learner, recipe_.dim, recipe_.settings));
    }
  }
}

void Model::begin_pass() { again_.emplace(recipe_.seed); }

/// Which learners learn from a unit, a bit for each half, and whether the learner of all that is not held out does.
Model::Share Model::share_of(std::uint64_t number) const {
  if (episodes_.in_share(number, recipe_.holdout)) return {.all = false, .halves = 0};
  return {.all = true, .halves = recipe_.resamples > 0 ? episodes_.halves(number) : 0};
}

void Model::learn(const StepBlock& steps, unsigned jobs) {
  if (steps.size() == 0) return;
  const auto& segments = (again_ ? *again_ : episodes_).split(steps);
  if (!again_) statistics_.add(steps, segments, episodes_);
  restarts_.assign(steps.size(), 0);
  cuts_.assign(steps.size(), 0);
  shares_.clear();
  for (const Segment& segment : segments) {
    const Restart restart = !segment.begins ? Restart::none : segment.jumps ? Restart::jump : Restart::episode;
    restarts_[segment.first] = static_cast<std::uint8_t>(restart);
    cuts_[segment.first] = segment.unit_begins ? 1 : 0;
    shares_.push_back(share_of(segment.unit));
    if (!again_ && held_out_.size() < most_held_out && !shares_.back().all) {
      held_out_.append(steps, segment.first, segment.count);
    }
  }
  for (std::size_t k = 0; k < targets(); ++k) discounts_[k] = discounted(steps.discount, recipe_, k);
  for (std::size_t k = 0; k < targets() && !again_; ++k) {
    Batch batch = steps.view(recipe_.reward_of(k));
    batch.discount = discounts_[k].data();
    batch.restart = restarts_.data();
    returns_[k].add(batch);
    outcomes_[k].add(batch, segments, episodes_);
  }
  const std::size_t halves = recipe_.resamples + 1;
  parallel_for(targets() * halves, jobs, [&](std::uint64_t i) { learn_with(i / halves, i % halves, steps, segments); });
  for (std::size_t h = 0; h < halves; ++h) was_in_[h] = shares_.back().has(h) ? 1 : 0;
}

void Model::learn_with(std::size_t target, std::size_t half, const StepBlock& steps,
                       const std::vector<Segment>& segments) {
  Learner& learner = *learners_[target][half];
  Batch batch = steps.view(recipe_.reward_of(target));
  batch.discount = discounts_[target].data();
  batch.restart = restarts_.data();
  if (half == 0 && recipe_.holdout == 0) return learner.learn(batch);
  bool was_in = was_in_[half] != 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    const bool in = shares_[i].has(half);
    batch.restart =
        was_in ? restarts_.data() : cuts_.data();  // a learner that left out the last unit does not continue it
    if (in) learner.learn(batch.slice(segment.first, segment.count));
    was_in = in;
  }
}

void Model::judge(const StepBlock& to_come) {
  const std::uint64_t steps = episodes_.steps();
  if (!judging_ && steps >= next_judgement_) {
    next_judgement_ = 2 * steps;
    judging_ = begin_judging();
    if (recipe_.holdout > 0) return finish_judging();
  }
  if (!judging_) return;
  const std::uint64_t wanted = std::min(judging_->after, most_judged);
  if (judging_->steps.size() == 0 && to_come.size() >= wanted) {  // as in files: nothing has to be copied
    add_judgements(*judging_, to_come);
    judging_.reset();
    return;
  }
  judging_->steps.append(to_come, 0, to_come.size());
  if (judging_->steps.size() >= wanted) finish_judging();
}

void Model::finish_judging() {
  if (recipe_.holdout > 0) {
    add_judgements(begin_judging(), held_out_);
  } else if (judging_) {
    add_judgements(*judging_, judging_->steps);
  }
  judging_.reset();
}

Model::Judging Model::begin_judging() const {
  Judging judging;
  judging.after = learner(0).steps();
  judging.steps.clear(recipe_.layout, recipe_.dim, recipe_.rewards().size());
  const std::vector<double> x = asks_for_starts() ? statistics_.mean_start(0) : statistics_.mean_state();
  for (std::size_t k = 0; k < targets(); ++k) {
    judging.weights.push_back(learner(k).weights());
    judging.policy.push_back(kernels::dot(x.data(), judging.weights.back().data(), x.size()));
  }
  return judging;
}

std::vector<double> Model::weights(std::size_t target) const {
  std::vector<double> w = learner(target).weights();
  if (learner(target).diverged_at()) std::fill(w.begin(), w.end(), std::numeric_limits<double>::quiet_NaN());
  return w;
}

Judgement Model::judged(std::size_t target, std::span<const double> weights, const StepBlock& steps,
                        std::vector<PredictedReturn>* returns) const {
  Batch batch = steps.view(recipe_.reward_of(target));
  const std::vector<double> discount = discounted(steps.discount, recipe_, target);
  batch.discount = discount.data();
  return bellwether::judge(batch, weights, lambda_, recipe_.dim - statistics_.never_active(), returns);
}

Judgement Model::judged(std::size_t target, const StepBlock& steps) const {
  Judgement found = judged(target, learner(target).weights(), steps, nullptr);
  found.after = learner(target).steps();
  return found;
}

void Model::add_judgements(const Judging& judging, const StepBlock& steps) {
  constexpr std::size_t fewest = 10;
  if (steps.size() < fewest) return;
  for (std::size_t k = 0; k < targets(); ++k) {
    std::vector<PredictedReturn> returns;
    Judgement found = judged(k, judging.weights[k], steps, &returns);
    found.after = judging.after;
    if (std::isfinite(judging.policy[k])) found.policy = judging.policy[k];
    judgements_[k].push_back(found);
    if (2 * returns.size() < compared_[k].returns.size()) continue;
    compared_[k] = {judging.after, std::move(returns)};
  }
}

void Model::absorb(const Model& other) {
  const std::string mine = text_of(recipe_), theirs = text_of(other.recipe_);
  if (mine != theirs) {
    const char* what =
        recipe_.features != other.recipe_.features || recipe_.feature_settings != other.recipe_.feature_settings
            ? "features"
        : recipe_.dim != other.recipe_.dim           ? "numbers of features"
        : recipe_.learner != other.recipe_.learner   ? "learners"
        : recipe_.settings != other.recipe_.settings ? "parameters of the learner"
        : recipe_.targets != other.recipe_.targets   ? "targets"
        : recipe_.seed != other.recipe_.seed         ? "seeds"
        : recipe_.resamples != other.recipe_.resamples || recipe_.holdout != other.recipe_.holdout
            ? "resamples or shares held out"
            : "columns or ranges of the variables";
    throw InvalidArgument(fmt::format("two models with different {} cannot be merged", what));
  }
  for (const LearnedFile& file : other.learned_from_) {
    if (const LearnedFile* const known = learned_file(file)) {
      throw InvalidArgument(
          fmt::format("both models have learned from {}{}: its steps would count twice", file.name,
                      known->name == file.name ? "" : fmt::format(", which is the same as {}", known->name)));
    }
  }
  std::vector<std::vector<std::unique_ptr<Learner>>> merged(targets());
  for (std::size_t k = 0; k < targets(); ++k) {
    for (std::size_t h = 0; h <= recipe_.resamples; ++h) {
      merged[k].push_back(learners_[k][h]->clone());
      merged[k].back()->absorb(*other.learners_[k][h]);
    }
  }
  learners_ = std::move(merged);
  episodes_.absorb(other.episodes_);
  statistics_.absorb(other.statistics_);
  for (std::size_t k = 0; k < targets(); ++k) {
    returns_[k].absorb(other.returns_[k]);
    outcomes_[k].absorb(other.outcomes_[k]);
  }
  for (auto& judgements : judgements_) judgements.clear();  // they were of parts of the data
  compared_.assign(targets(), {});
  judging_.reset();
  was_in_ = other.was_in_;
  reader_state_ = other.reader_state_;
  for (const LearnedFile& file : other.learned_from_) add_learned_file(file);
}

const LearnedFile* Model::learned_file(const LearnedFile& file) const {
  const auto same = [&](const LearnedFile& known) { return known.same_as(file); };
  const auto found = std::find_if(learned_from_.begin(), learned_from_.end(), same);
  return found == learned_from_.end() ? nullptr : &*found;
}

void Model::add_learned_file(const LearnedFile& file) {
  if (learned_file(file) == nullptr) learned_from_.push_back(file);
}

template <class Self, class Visit>
void Model::state(Self& self, Visit&& visit) {
  visit.sized(self.was_in_);
  visit(self.episodes_, self.statistics_);
  visit.sized(self.returns_, self.judgements_);
  for (auto& outcome : self.outcomes_) visit(outcome);
  visit(self.reader_state_, self.learned_from_);
}

void Model::require_memory(const Recipe& recipe, bool written) {
  const std::size_t halves = recipe.resamples + 1;
  const std::size_t learners = recipe.targets.size() * halves;
  const std::size_t sums = halves + 2;  // of the states where episodes start, of all states, and of visits
  constexpr std::size_t value = 2;      // the features and the weights whose product is the value of the policy
  const std::size_t vectors = sums + std::max(value, written ? learners + sums : 0);
  const double beside = static_cast<double>(vectors) * static_cast<double>(recipe.dim) * sizeof(double);
  require_memory_for(learners, recipe.learner, recipe.dim, recipe.settings, beside);
}

std::string Model::bytes() const {
  const auto write = [this](StateWriter& out) {
    state(*this, out);
    for (const auto& all : learners_) {
      for (const auto& learner : all) learner->save(out);
    }
  };
  StateWriter counter = StateWriter::counter();
  write(counter);
  StateWriter out(counter.counted());
  write(out);
  return model_file(text_of(recipe_), out.bytes());
}

void Model::save(const std::string& path) const { write_file(path, bytes()); }

Model Model::load(const std::string& path) { return parse(read_model_file(path), path); }

Model Model::parse(std::string_view bytes, std::string_view name) {
  const ModelParts parts = parse_model_file(bytes, name);
  try {
    Model model(parse_recipe(std::string(parts.recipe)));
    StateReader in(parts.state);
    state(model, in);
    for (const auto& all : model.learners_) {
      for (const auto& learner : all) learner->load(in);
    }
    in.finish();
    return model;
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(fmt::format("{}: {}", name, in_one_line(error.what())));
  }
}

}  // namespace bellwether
