#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <bellwether/data/bytes/lines.h>
#include <bellwether/data/steps.h>
#include <bellwether/model/recipe.h>

namespace bellwether {

/// What a person says about a log and what to make of it; everything may be left out but the files.
struct LogRequest {
  std::vector<std::string> files;  // "-": standard input
  LogColumns columns;
  std::vector<std::string> discounts;  // numbers, each a target of its own with every reward; or a column
  std::string features;                // a description; none: the columns are features already
  Settings feature_settings;
  std::string learner;
  Settings settings;
  std::optional<std::size_t> resamples;
  double holdout = 0;
  std::uint64_t seed = 1;
  std::optional<std::size_t> dim;  // number of features of sparse rows
  std::size_t sample = 1000;       // rows of a stream that ranges are taken from
  TableOptions options;
};

/// Whether a path is read as a stream: standard input, "-", or a pipe.
bool is_stream(const std::string& path);

/// The steps of one or more logs, one after another in blocks. The first blocks are small and each is twice as long as
/// the last, so that what is learned from little data can be judged as well.
class LogSource {
 public:
  static constexpr std::size_t first_block = 256;
  static constexpr std::size_t largest_block = 8192;

  using Progress = std::function<void(double share, const std::string& note)>;

  /// Agrees ranges of the variables with others that look at other files of the same log.
  using Agreement = std::function<void(std::vector<Variable>&)>;

  /// Opens the logs and makes the recipe: finds the columns, the ranges of the variables (a first pass over files, the
  /// first rows of a stream) and, where they were not given, features and learner. Throws InvalidArgument or IoError
  /// naming the file.
  LogSource(LogRequest request, const Progress& progress = {}, const Agreement& agree = {});

  /// Opens the logs for a recipe there is. Throws InvalidArgument when they do not fit it, or when the request asks for
  /// something else.
  LogSource(LogRequest request, Recipe recipe);

  const Recipe& recipe() const { return recipe_; }

  /// What was chosen, in sentences for people.
  const std::vector<std::string>& choices() const { return choices_; }

  /// The next block of steps; null at the end. A stream may give a block without steps, when nothing has come for a
  /// while.
  const StepBlock* next();

  /// Goes back to the beginning. Throws InvalidArgument for a stream, which has none.
  void rewind();

  /// How much of all files has been read; nothing for a stream.
  std::optional<double> fraction() const;

  std::uint64_t skipped() const;  // bad rows
  std::string first_skipped() const { return first_skipped_; }
  std::uint64_t without_end() const;  // last steps of episodes whose last observation is missing

  /// What waits for the next row of a stream, for who continues.
  std::string waiting() const;
  void continue_from(const std::string& waiting);

 private:
  void open_stream();
  bool holds_ready_steps(const std::string& path) const;
  std::unique_ptr<StepReader> open_ready_steps(const std::string& path);
  std::unique_ptr<TableReader> open_log(const std::string& path);
  void open(std::size_t file);
  void close_reader();
  void make_table_recipe(const Progress& progress, const Agreement& agree);
  void find_ranges(const Progress& progress);
  void make_targets(std::size_t rewards);
  void choose_the_learner();
  bool is_stream() const { return request_.files.size() == 1 && bellwether::is_stream(request_.files[0]); }
  void check_agreement() const;
  std::optional<std::uint64_t> bytes() const;

  LogRequest request_;
  Recipe recipe_;
  std::shared_ptr<const FeatureMap> map_;
  std::vector<std::string> choices_;
  std::optional<Lines> stream_;  // standard input, before anything was made of it
  bool sparse_stream_ = false;
  std::unique_ptr<TableReader> sampled_;  // the stream, after its first rows were looked at
  std::unique_ptr<StepReader> reader_;
  std::size_t file_ = 0;
  std::size_t block_ = first_block;
  StepBlock steps_;
  bool peeked_ = false;  // steps_ are to be given out yet
  bool new_file_ = false;
  std::uint64_t skipped_ = 0, without_end_ = 0;  // of files that are done
  std::string first_skipped_;
};

}  // namespace bellwether
