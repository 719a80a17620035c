#pragma once

#include <string>
#include <vector>

namespace bellwether {

/// A curve with a band around it.
struct PlotSeries {
  std::vector<std::string> labels;  // the legend has a line for each; several when curves coincide
  std::vector<double> y;
  std::vector<double> half_width;  // same length as y; infinite values are drawn as no band
};

/// A picture of several curves over a common x axis, as a self-contained SVG that adapts to light and dark pages.
///
/// The y axis is logarithmic, because errors are compared by factors. The legend lists the curves in the order given.
/// Colours repeat after eight curves, with another dash.
struct LinePlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<double> x;
  std::vector<PlotSeries> series;

  std::string svg() const;
};

}  // namespace bellwether
