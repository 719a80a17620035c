#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <bellwether/results/store_reader.h>
#include <bellwether/study/figure.h>

namespace bellwether {

/// Settings that can be compared: those of one domain and one set of features, with their parameters.
using ResultsCase = std::tuple<std::string, Settings, std::string, Settings>;

/// "boyan_chain (size=13), its own features"
std::string text_of(const ResultsCase& c);

/// The settings that a study file gives one label.
struct ResultsLearner {
  std::string label;
  std::string learner;             // its name
  std::vector<std::string> swept;  // parameters that take several values: by these its settings can be told apart
  std::string own;                 // of these the step size or the regulariser; empty: it has none
  std::size_t colour = 0;          // as wherever the study is drawn: learners differ in colour, labels of one in dash
  std::size_t dash = 0;
};

/// A study of a file of results, sorted for tables and figures.
struct StudyResults {
  StoredStudy study;
  std::string about;                     // as the study file has it
  std::vector<Figure> figures;           // that the study file asks for
  std::vector<ResultsCase> cases;        // in the order in which settings have them
  std::vector<ResultsLearner> learners;  // in the order in which settings have them
  std::vector<Summary> settings;         // by id
  std::vector<std::size_t> case_of;      // of every setting, its place in cases
  std::vector<std::size_t> learner_of;   // of every setting, its place in learners
};

StudyResults study_results(const StoreReader& reader, const StoredStudy& study);

/// The value of a parameter as text; null when the setting has no such parameter.
const std::string* value_of(const Settings& settings, const std::string& key);

/// How settings are ranked.
struct Ranking {
  std::size_t metric = 0;
  std::vector<Estimate> Summary::*by = &Summary::average;
};

/// The settings of one case as places in `settings`, best first (`better` of store_reader.h; of equals, the earlier).
std::vector<std::size_t> ranked(const StudyResults& results, std::size_t of_case, const Ranking& ranking);

/// Of each learner only the first.
std::vector<std::size_t> best_of_learners(const StudyResults& results, std::vector<std::size_t> ranked);

/// "relative error"
std::string title_of_metric(const std::string& metric);

}  // namespace bellwether
