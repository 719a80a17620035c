#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <bellwether/data/log/log_steps.h>
#include <bellwether/model/learning/learn_request.h>
#include <bellwether/model/recipe.h>

namespace bellwether {

/// A log that is ready to be learned from.
struct OpenLog {
  Recipe recipe;                    // what the request leaves open has been filled in
  std::vector<std::string> chosen;  // each default that was chosen, with the reason, as a sentence
  std::unique_ptr<LogSteps> steps;
};

/// What a caller of `open_log` may want to take part in.
struct OpenLogCallbacks {
  std::function<bool()> stopped = [] { return false; };        // reading a stream ends when it returns true
  std::function<void(double share)> progress = [](double) {};  // of the pass over files that finds ranges

  /// Changes ranges of the variables so that they hold those of others who read other files of the same log.
  std::function<void(std::vector<Variable>&)> agree = [](std::vector<Variable>&) {};
};

/// How many threads a request allows: `jobs`, or one for each processor. All but one read ahead.
unsigned threads_of(const LearnRequest& request);

/// Opens the files of a request and completes the recipe: finds the columns, the ranges of the variables (a first pass
/// over files, the first rows of a stream) and, where they are not given, features, discount and learner. Throws
/// InvalidArgument or IoError naming the file.
OpenLog open_log(const LearnRequest& request, const OpenLogCallbacks& callbacks = {});

/// Opens the files for a recipe that exists. Throws InvalidArgument when the request asks for something else, or when
/// a file does not fit.
OpenLog open_log(const LearnRequest& request, const Recipe& recipe, const OpenLogCallbacks& callbacks = {});

}  // namespace bellwether
