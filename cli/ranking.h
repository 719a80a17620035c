#pragma once

#include <string>
#include <tuple>
#include <vector>

#include <bellwether/experiment/store_reader.h>

/// The settings of a study in a file of results, ranked, for people to look at.
namespace bellwether::cli {

/// A study with what its runs come to.
struct Shown {
  StoredStudy study;
  std::vector<Summary> all;
};

/// Settings that can be compared: those of one domain and one set of features.
using Case = std::tuple<std::string, Settings, std::string, Settings>;

std::vector<Case> cases(const Shown& shown);

/// "boyan_chain (size=13), its own features"
std::string text_of(const Case& c);

/// How settings are ranked, and which.
struct Ranking {
  std::size_t metric = 0;
  std::vector<Estimate> Summary::*by = &Summary::average;
  bool best = false;    // only the best of every label
  std::string learner;  // or label; empty: all
};

/// The settings of one case, best first.
std::vector<const Summary*> ranked(const Shown& shown, const Case& c, const Ranking& ranking);

/// "relative error"
std::string title_of(const std::string& metric);

/// A heading, and for every case a table.
std::string ranking_text(const Shown& shown, const Ranking& ranking);

}  // namespace bellwether::cli
