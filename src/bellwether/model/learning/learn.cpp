#include <bellwether/model/learning/learn.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <span>

#include <fmt/format.h>

#include <bellwether/core/files/file_version.h>
#include <bellwether/core/files/files.h>
#include <bellwether/core/params/params.h>
#include <bellwether/core/support/text.h>
#include <bellwether/core/support/thread_limit.h>
#include <bellwether/data/skipped_rows.h>
#include <bellwether/model/learning/open_log.h>
#include <bellwether/model/learning/shards.h>
#include <bellwether/model/model_file.h>
#include <bellwether/model/model_lock.h>

namespace bellwether {
namespace {

bool reads_a_stream(const LearnRequest& request) {
  return std::any_of(request.files.begin(), request.files.end(), is_stream);
}

void check(const LearnRequest& request, bool several_processes) {
  const auto require = [](bool condition, const char* rule) {
    if (!condition) throw InvalidArgument(rule);
  };
  checked("learn", request.params);
  require(!request.files.empty(), "learn: there are no files to learn from");
  const bool stream = reads_a_stream(request);
  require(!stream || request.files.size() == 1, "learn: a stream cannot be read together with other files");
  require(!stream || request.params.passes == 1, "learn: a stream can be read only once, so `passes` must be 1");
  require(request.checkpoint >= 0, "learn: `checkpoint` must be a positive number of seconds");
  require(request.checkpoint == 0 || !request.model.empty(), "learn: `checkpoint` needs a `model` to write");
  require(!request.resume || !request.model.empty(), "learn: `resume` needs the `model` to continue from");
  require(!several_processes || (!request.resume && request.checkpoint == 0),
          "learn: `resume` and `checkpoint` work in a single process only");
  if (request.features.empty() && !request.feature_settings.empty()) {
    throw InvalidArgument("learn: features." + request.feature_settings.front().first +
                          " is set, but `features` is not");
  }
  std::vector<std::string> paths;
  for (const LogSource& file : request.files) {
    if (file.is_file()) paths.push_back(file.name);
  }
  reject_overwriting("learn", std::move(paths), {request.model});
  if (!request.resume && !stream) reject_replacing_what_is_no_model("learn", request.model);
}

/// Whether there is a model to continue from. A pipe or a device holds none, though one can be written to it.
bool has_model(const LearnRequest& request) {
  std::error_code failed;
  return !request.model.empty() && std::filesystem::is_regular_file(request.model, failed);
}

bool writes_model(const LearnRequest& request, const Ranks* ranks) {
  return !request.model.empty() && (ranks == nullptr || ranks->rank() == 0);
}

Model new_model(const Recipe& recipe, bool written) {
  Model::require_memory(recipe, written);
  return Model(recipe);
}

/// One call of `learn`.
class Learning {
 public:
  Learning(const LearnRequest& request, const LearnCallbacks& callbacks, Ranks* ranks, std::optional<Model> old)
      : request_(request),
        callbacks_(callbacks),
        stream_(reads_a_stream(request)),
        shards_(ranks, request.files),
        lock_(writes_model(request, ranks) ? lock_model(request.model) : nullptr),
        version_(FileVersion::of(request.model)),
        old_(std::move(old)),
        resumes_(old_ || ((request.resume || stream_) && has_model(request))),
        log_(open()),
        model_(resumes_ ? std::move(*old_) : new_model(log_.recipe, writes_model(request, ranks))),
        states_(log_.recipe.columns.state.size()) {}

  LearnResult run() {
    if (!stream_) find_out_what_is_read();
    if (resumes_) {
      log_.steps->continue_from(model_.reader_state());
      steps_saved_ = model_.episodes().steps();
    }
    if (callbacks_.begin) callbacks_.begin(model_, resumes_);
    const std::uint64_t steps_before = model_.episodes().steps();
    for (std::int64_t pass = 0; pass < request_.params.passes && !stopped(); ++pass) read_all(pass);
    const bool stopped_early = stopped();
    LogNotes notes{.chosen = log_.chosen,
                   .skipped = log_.steps->skipped(),
                   .first_skipped = log_.steps->first_skipped(),
                   .without_end = log_.steps->without_end(),
                   .steps = model_.episodes().steps() - steps_before,
                   .outside = log_.steps->outside(),
                   .first_outside = log_.steps->first_outside(),
                   .sorted = log_.steps->sorted()};
    bool whole = false;
    if (!stopped_early) {
      model_.finish_judging();
      note_what_was_read();
      whole = shards_.gather(model_, notes);
      if (whole && !request_.model.empty()) save_all();
    }
    LearnSummary summary = summarise(model_, notes);
    std::optional<LearnFigures> figures;
    if (whole && request_.figures) figures = figures_of(model_, states_);
    return {std::move(model_), std::move(summary), std::move(figures), stopped_early, whole};
  }

 private:
  OpenLog open() {
    OpenLogCallbacks callbacks;
    if (callbacks_.stopped) callbacks.stopped = callbacks_.stopped;
    if (callbacks_.progress) {
      callbacks.progress = [this](double share) {
        callbacks_.progress({LearnProgress::Stage::finding_ranges, share, 0});
      };
    }
    if (!resumes_ && request_.like.empty() && !request_.recipe) return shards_.open(request_, callbacks);
    if (resumes_ && !old_) old_.emplace(Model::load(request_.model));
    LearnRequest mine = request_;
    mine.files = shards_.files();
    if (resumes_) return open_log(mine, old_->recipe(), callbacks);
    return open_log(mine, request_.recipe ? *request_.recipe : Model::load(request_.like).recipe(), callbacks);
  }

  /// Steps that are counted twice make intervals narrower than the data allows. Tables are not recognised.
  void find_out_what_is_read() {
    const auto reject = [](const std::string& file, const LearnedFile& known, const char* who) {
      throw InvalidArgument(
          fmt::format("{}: {} {}{}: its steps would count twice, and intervals would be too narrow "
                      "(`again`, if that is what you want)",
                      file, who, file == known.name ? "it" : known.name,
                      file == known.name ? "" : ", and this file is the same or begins with it"));
    };
    for (const LogSource& source : shards_.files()) {
      const std::string& file = source.name;
      if (!source.is_file()) {
        read_.emplace_back();
        continue;
      }
      for (const LearnedFile& known : model_.learned_from()) {
        if (!request_.again && known.begins(file)) reject(file, known, "the model has already learned from");
      }
      for (const auto& known : read_) {
        if (!request_.again && known && known->begins(file)) reject(file, *known, "the request already has");
      }
      read_.emplace_back(LearnedFile::of(file));
    }
  }

  void note_what_was_read() {
    const std::size_t begun = std::min(read_.size(), files_begun_);
    for (std::size_t i = 0; i < begun; ++i) {
      if (read_[i]) model_.add_learned_file(*read_[i]);
    }
  }

  /// A stream ends by itself when the caller wants to stop, after what has arrived.
  bool stopped() const { return !stream_ && callbacks_.stopped && callbacks_.stopped(); }

  void keep_states(const StepBlock& block) {
    const std::size_t n = log_.recipe.columns.state.size();
    const std::span<const double> all = block.states;
    for (std::size_t i = 0; n > 0 && i + n <= all.size(); i += n) states_.add(all.subspan(i, n));
  }

  void read_all(std::int64_t pass) {
    if (pass > 0) {
      log_.steps->rewind();
      model_.begin_pass();
    }
    const unsigned jobs = threads_of(request_);
    while (const StepBlock* block = next_block()) {
      if (pass == 0) model_.judge(*block);
      if (pass == 0 && callbacks_.before) callbacks_.before(model_, *block);
      if (pass == 0 && request_.figures) keep_states(*block);
      model_.learn(*block, jobs);
      files_begun_ = std::max(files_begun_, log_.steps->files_begun());
      report(pass);
      save_if_due();
      while (pass == 0 && callbacks_.ready && !callbacks_.ready()) save_if_due();
      if (stopped()) return;
    }
  }

  /// A stream cannot be read again: when it fails, what was learned from it is saved before the failure is told.
  const StepBlock* next_block() {
    if (!stream_) return log_.steps->next();
    try {
      return log_.steps->next();
    } catch (const BadRow& bad) {
      throw InvalidArgument(bad.with_advice().what() + save_what_came_before());
    } catch (const InvalidArgument& bad) {
      throw InvalidArgument(bad.what() + save_what_came_before());
    } catch (const IoError& failed) {
      throw IoError(failed.what() + save_what_came_before());
    }
  }

  /// Returns how a message about the failure goes on.
  std::string save_what_came_before() {
    const std::uint64_t steps = model_.episodes().steps();
    if (request_.model.empty() || steps == 0) return "";
    try {
      if (steps > steps_saved_) {
        model_.finish_judging();
        save_all();
      }
    } catch (const IoError& error) {
      return fmt::format("; {}", error.what());
    }
    return fmt::format("; {} holds the {} steps learned before", request_.model, grouped(steps));
  }

  /// Where the lock file was removed, another process may have worked on the model; what it learned is not overwritten.
  void require_lock() {
    if (!lock_) return;
    if (!lock_->in_place()) {
      lock_was_lost_ = true;
      lock_->hold_again();
    }
    const FileVersion now = lock_was_lost_ ? FileVersion::of(request_.model) : version_;
    if (!now.exists() || now == version_) return;
    throw IoError(fmt::format("{} was changed by another process, after its lock had been removed", request_.model));
  }

  void save() {
    saved_ = Clock::now();  // also if it fails: the next checkpoint is due as long after this one
    require_lock();
    if (callbacks_.saving) callbacks_.saving();
    note_what_was_read();
    model_.keep_reader_state(log_.steps->reader_state());
    model_.save(request_.model);
    version_ = FileVersion::of(request_.model);
    steps_saved_ = model_.episodes().steps();
  }

  /// Nothing that was learned is given up because a disk is full for a while.
  void save_if_due() {
    const double seconds = std::chrono::duration<double>(Clock::now() - saved_).count();
    if (request_.checkpoint <= 0 || seconds < request_.checkpoint) return;
    try {
      save();
    } catch (const IoError& error) {
      if (callbacks_.checkpoint_failed) callbacks_.checkpoint_failed(error);
    }
  }

  void save_all() {
    try {
      save();
    } catch (const IoError& error) {
      const std::string steps = grouped(model_.episodes().steps());
      if (steps_saved_ == 0) throw IoError(fmt::format("{}; the {} steps learned are lost", error.what(), steps));
      if (lock_was_lost_) {
        throw IoError(fmt::format("{}; the {} steps learned since this process last read or wrote it are lost",
                                  error.what(), grouped(model_.episodes().steps() - steps_saved_)));
      }
      throw IoError(
          fmt::format("{}; it holds the first {} of {} steps learned", error.what(), grouped(steps_saved_), steps));
    }
  }

  void report(std::int64_t pass) const {
    const auto share = log_.steps->fraction();
    if (!callbacks_.progress || !share) return;
    const double done = (static_cast<double>(pass) + *share) / static_cast<double>(request_.params.passes);
    callbacks_.progress({LearnProgress::Stage::learning, done, model_.learner(0).steps()});
  }

  using Clock = std::chrono::steady_clock;

  const LearnRequest& request_;
  const LearnCallbacks& callbacks_;
  bool stream_;
  Shards shards_;
  std::unique_ptr<FileLock> lock_;
  bool lock_was_lost_ = false;
  FileVersion version_;       // of the model file, when it was locked or last written
  std::optional<Model> old_;  // the model to continue with, until it becomes `model_`
  bool resumes_;
  OpenLog log_;
  Model model_;
  StateSample states_;  // of the log, for figures
  Clock::time_point saved_ = Clock::now();
  std::uint64_t steps_saved_ = 0;                 // that the model file has
  std::vector<std::optional<LearnedFile>> read_;  // what the request has; nothing for a table, none for a stream
  std::size_t files_begun_ = 0;                   // how many of them have been learned from, at least in part
};

LearnResult checked_learn(const LearnRequest& request, const LearnCallbacks& callbacks, Ranks* ranks,
                          std::optional<Model> old) {
  check(request, ranks != nullptr && ranks->size() > 1);
  const ThreadLimit limit(threads_of(request));
  try {
    return Learning(request, callbacks, ranks, std::move(old)).run();
  } catch (const BadRow& bad) {
    throw bad.with_advice();
  }
}

}  // namespace

LearnResult learn(const LearnRequest& request, const LearnCallbacks& callbacks, Ranks* ranks) {
  return checked_learn(request, callbacks, ranks, std::nullopt);
}

LearnResult learn(Model model, const LearnRequest& request, const LearnCallbacks& callbacks) {
  return checked_learn(request, callbacks, nullptr, std::move(model));
}

}  // namespace bellwether
