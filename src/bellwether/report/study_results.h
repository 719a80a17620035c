#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <bellwether/metrics/metric.h>
#include <bellwether/results/store_reader.h>
#include <bellwether/study/figure.h>

namespace bellwether {

/// What settings must share to be compared: domain and features, each with its parameters.
using ResultsCase = std::tuple<std::string, Settings, std::string, Settings>;

/// "boyan_chain (size=13), its own features"
std::string text_of(const ResultsCase& c);

/// The settings that a study file gives one label.
struct ResultsLearner {
  std::string label;
  std::string learner;             // its name
  std::vector<std::string> swept;  // parameters that take several values, and so tell its settings apart
  std::string own;                 // the swept parameter that figures call its own (study/figure.h); empty: none
  std::size_t colour = 0;          // the same in all figures of a study: learners differ in colour,
  std::size_t dash = 0;            // labels of one learner in dash (palette.h)
};

/// A study of a file of results, sorted for tables and figures. A case, a learner or a setting is known by its index.
struct StudyResults {
  StoredStudy study;
  std::string about;                     // from the study file
  std::vector<Figure> figures;           // that the study file asks for
  std::vector<ResultsCase> cases;        // in the order of their first settings
  std::vector<ResultsLearner> learners;  // in the order of their first settings
  std::vector<Summary> settings;         // by id
  std::vector<std::size_t> case_of;      // of every setting
  std::vector<std::size_t> learner_of;   // of every setting
};

StudyResults study_results(const StoreReader& reader, const StoredStudy& study);

/// The value of a parameter as text; null when the setting has no such parameter.
const std::string* value_of(const Settings& settings, const std::string& key);

bool sweeps(const ResultsLearner& learner, const std::string& parameter);

/// The values that a parameter takes in these settings of learners that sweep it: numbers from the smallest to the
/// largest, then other texts in the order of the study.
std::vector<std::string> values_of(const StudyResults& results, std::vector<std::size_t> settings,
                                   const std::string& parameter);

/// A value of a parameter as a number; nothing unless it is a finite one.
std::optional<double> number_of(const std::string& value);

/// How settings are ranked.
struct Ranking {
  std::size_t metric = 0;
  std::vector<Estimate> Summary::*by = &Summary::average;
};

/// The settings of one case, best first (`better` of store_reader.h; of equals, the earlier).
std::vector<std::size_t> ranked(const StudyResults& results, std::size_t of_case, const Ranking& ranking);

/// Of each learner the first setting only.
std::vector<std::size_t> best_of_learners(const StudyResults& results, std::vector<std::size_t> ranked);

/// The mean error of a case at step 0, before anything is learned: that of its best setting, since all settings begin
/// with the same weights. Infinite when it was not recorded, is zero, or no run has finished.
double error_before_learning(const StoreReader& reader, const StudyResults& results, std::size_t of_case,
                             std::size_t metric);

}  // namespace bellwether
