#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <bellwether/report/figures.h>
#include <bellwether/results/store_writer.h>

#include "support/drawing.h"
#include "support/results.h"
#include "support/temporary_folder.h"

/// Studies made of a few settings, drawn by the library and read back from the drawing.
namespace bellwether::testing {

/// A setting of a study: what its four runs come to.
struct Row {
  std::string label;
  std::string learner;
  Settings parameters;
  double error = 1;            // over the whole curve, of the second of its runs
  std::uint64_t diverged = 0;  // of the runs, the first ones
  std::optional<double> microseconds = 1;
  std::optional<std::uint64_t> bytes = 1000;
  double last = 0;  // of the curve; 0: half the error
};

inline constexpr std::uint64_t seeds = 4;

inline RunRecord run_of(const Row& row, std::uint64_t seed) {
  RunRecord run;
  run.seed = seed;
  if (seed < row.diverged) {
    run.diverged_at = 10;
    return run;
  }
  const double spread = 0.9 + 0.1 * static_cast<double>(seed);
  run.curves = {{1, spread * row.error, spread * (row.last > 0 ? row.last : row.error / 2)}, {10, 9, 8 + spread}};
  run.average = {spread * row.error, 100 / row.error};
  run.last = {run.curves[0].back(), run.curves[1].back()};
  return run;
}

/// A file of results with these settings, read back.
class Results {
 public:
  explicit Results(const std::vector<Row>& rows, const std::string& source = "",
                   const std::string& metric = "relative") {
    StudyRecord study = small_study(seeds);
    study.source = source;
    study.metrics.front() = metric;
    std::vector<SettingRecord> settings;
    for (const Row& row : rows) {
      settings.push_back({"boyan_chain", {{"size", "13"}}, "", {}, row.label, row.learner, row.parameters, 4, 2});
    }
    {
      StoreWriter store(folder_.path("a.db"));
      const auto begun = store.begin(study, settings);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        BlockResult block{begun.settings[i], 0, {}, {}};
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
          block.runs.push_back(run_of(rows[i], seed));
          if (!block.runs.back().diverged_at) add(block.curves, block.runs.back().curves);
        }
        store.commit({&block, 1});
        if (rows[i].microseconds) {
          store.measured_alone(begun.settings[i], 1e-6 * *rows[i].microseconds, rows[i].bytes);
        }
      }
      store.close();
    }
    reader_.emplace(folder_.path("a.db"));
    results_ = study_results(*reader_, reader_->studies().at(0));
  }

  std::string text(const Figure& figure) const { return draw(*reader_, results_, 0, figure); }
  Element drawn(const Figure& figure) const { return parse_xml(text(figure)); }
  const StudyResults& operator*() const { return results_; }
  const StoreReader& reader() const { return *reader_; }
  double error(std::size_t row, std::size_t metric = 0) const { return results_.settings[row].average[metric].mean; }

 private:
  TemporaryFolder folder_;
  std::optional<StoreReader> reader_;
  StudyResults results_;
};

inline Figure figure_of(Shows shows, const std::string& x = "") {
  Figure figure;
  figure.title = "Title";
  figure.shows = shows;
  figure.x = x;
  return figure;
}

inline std::vector<std::string> legend_of(const Element& svg) { return texts(*of_class(svg, "legend").at(0)); }

inline bool says(const Element& svg, const std::string& words) {
  std::string all;
  for (const std::string& text : texts(svg)) all += text + " ";
  return all.find(words) != std::string::npos;
}

/// Places as values, through what the axes of the first panel say.
inline std::vector<Place> values_of(const Element& svg, std::vector<Place> places, Axis x, Axis y = Axis::log) {
  const auto& panel = *of_class(svg, "panel").at(0);
  const auto across = x_ruler(panel, x);
  const auto up = y_ruler(panel, y);
  for (Place& p : places) p = {across.value(p.first), up.value(p.second)};
  return places;
}

inline void expect_close(const std::vector<Place>& values, const std::vector<Place>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i].first, expected[i].first, 0.01 * std::abs(expected[i].first) + 0.003) << i;
    EXPECT_NEAR(values[i].second, expected[i].second, 0.01 * expected[i].second) << i;
  }
}

inline Settings td(const std::string& alpha, const std::string& lambda = "0",
                   const std::string& trace = "accumulating") {
  return {{"alpha", alpha}, {"lambda", lambda}, {"trace", trace}};
}

}  // namespace bellwether::testing
