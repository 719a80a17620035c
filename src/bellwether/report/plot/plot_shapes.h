#pragma once

#include <string>

#include <bellwether/report/plot/plot.h>

namespace bellwether {

/// The rectangle that a panel draws values in.
struct PlotArea {
  const PlotAxis* x_axis;
  const PlotAxis* y_axis;
  double left, top, width, height;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double x(double value) const;
  double y(double value) const;
  bool holds(const PlotPoint& point) const;  // within both axes
};

/// The parts of a series that are cut off at the edge of the area: lines, bands, whiskers and dots. Lines are this much
/// `wider` than usual.
std::string lines_of(const PlotSeries& series, const PlotKey& key, const PlotArea& area, double wider = 0);

/// True when the lines of two series look the same.
bool coincide(const PlotSeries& a, const PlotSeries& b, const PlotArea& area);

/// The marks of a series, which are on top of all lines and not cut off at the edge; all but crosses, whose positions
/// depend on each other.
std::string marks_of(const PlotSeries& series, const PlotKey& key, const PlotArea& area);

/// One mark at a position on the page.
std::string mark_at(double x, double y, const PlotKey& key, Mark mark, double size);

/// The sample of a key in the legend, `width` wide.
std::string sample_of(const PlotKey& key, double x, double y, double width);

}  // namespace bellwether
