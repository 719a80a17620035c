#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <bellwether/core/error.h>
#include <bellwether/core/support/ranks.h>
#include <bellwether/data/steps.h>
#include <bellwether/model/learning/figures.h>
#include <bellwether/model/learning/learn_request.h>
#include <bellwether/model/learning/summary.h>
#include <bellwether/model/model.h>

namespace bellwether {

/// How far `learn` has come.
struct LearnProgress {
  enum class Stage : std::uint8_t { finding_ranges, learning };
  Stage stage = Stage::learning;
  double share = 0;         // of this stage that is done, from 0 to 1
  std::uint64_t steps = 0;  // learned from
};

/// What a program may want to do while `learn` works. Each may be left out; all are called from the calling thread. An
/// exception that one throws ends `learn` and reaches its caller; the model file is then as the last checkpoint left
/// it.
///
///     LearnCallbacks callbacks;
///     callbacks.progress = [](const LearnProgress& p) { std::fprintf(stderr, "\r%3.0f %%", 100 * p.share); };
///     learn({.files = {"log.csv"}}, callbacks);
struct LearnCallbacks {
  /// Asked again and again. Once it returns true, a stream is taken to end here, and learning from files stops.
  std::function<bool()> stopped = {};

  /// Told after every block of steps; never for a stream, whose end is not known.
  std::function<void(const LearnProgress&)> progress = {};

  /// Called once, with the model that learning starts from; `resumed` if it has learned before.
  std::function<void(const Model&, bool resumed)> begin = {};

  /// Called before the model learns from a block of steps, in the first pass: the place to predict them first, as
  /// `bellwether learn --predict` does.
  std::function<void(const Model&, const StepBlock&)> before = {};

  /// Asked after every block of the first pass, again and again, until it returns true: whether the next one may be
  /// read. The place to wait, for some tenths of a second each time, for a reader of what `before` has made.
  /// Checkpoints are written meanwhile; `stopped` is not asked, so once the program has to stop, it should be true.
  std::function<bool()> ready = {};

  /// Called before the model is written, at every checkpoint and at the end: the place to synchronise with the disk
  /// what was made of the steps that the file will hold, such as the predictions of `before`.
  std::function<void()> saving = {};

  /// Told that a checkpoint could not be written, and why, every time this happens. Learning continues, and the next
  /// checkpoint tries again; the model file holds the last one that could be written.
  std::function<void(const IoError&)> checkpoint_failed = {};
};

/// What `learn` returns, stopped or not.
struct LearnResult {
  Model model;  // all that was learned; ready to predict, to learn more, to be saved
  LearnSummary summary;
  std::optional<LearnFigures> figures = std::nullopt;  // if the request asks for them
  bool stopped = false;  // before the end of the files; no model was written, apart from checkpoints
  bool whole = true;     // false when stopped, and in processes whose share was merged by process 0
};

/// Learns the value of a policy from a log or a stream: finds the columns, chooses features and learner, reads, learns,
/// judges and summarises, and writes the model. This is all that `bellwether learn` does, apart from the terminal.
///
///     LearnResult result = learn({.files = {"log.csv"}, .discount = {"0.99"}, .model = "m.bw"});
///     std::puts(text_of(result.summary).c_str());
///     const PolicyValue value = result.summary.targets[0].value;   // *.value +- *.half_width, 95 % interval
///     learn({.files = {"more.csv"}, .model = "m.bw", .resume = true});
///     Model other = Model::load("other.bw");                       // learned with .like = "m.bw"
///     result.model.absorb(other);                                  // merges what both have learned
///
/// Values are judged on steps before they are learned from, after 500 steps and then whenever the number of steps has
/// doubled (Model::judge); with a holdout, on the episodes held out. Files are read in blocks, so memory does not grow
/// with them.
///
/// While it works, it holds a lock on `model`, MODEL.lock, so that no two calls change one model and lose what the
/// other has learned; the second one throws IoError that says who holds it. If somebody removes the lock file, it is
/// made again at the next checkpoint or at the end; a model that another process has changed meanwhile is not
/// overwritten: IoError.
///
/// When a stream fails, because a row is bad or nothing more can be read, what was learned from it is written to
/// `model` before the exception is thrown, as it cannot be read again. A file can be, so nothing is written then.
///
/// Figures show states of this call; of several processes, those of the files of the first.
///
/// With `ranks`, several processes share the files (model/learning/shards.h). Throws InvalidArgument for an impossible
/// request and for data that cannot be understood, IoError when a file cannot be read or written.
LearnResult learn(const LearnRequest& request, const LearnCallbacks& callbacks = {}, Ranks* ranks = nullptr);

/// Continues with a model that the program has, as `resume` does with one in a file. When learning fails or is stopped
/// the model is lost; pass a copy, Model::parse(model.bytes(), ""), to keep it.
///
///     result = learn(std::move(result.model), {.files = {"more.csv"}});
LearnResult learn(Model model, const LearnRequest& request, const LearnCallbacks& callbacks = {});

}  // namespace bellwether
