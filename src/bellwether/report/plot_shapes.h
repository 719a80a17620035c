#pragma once

#include <string>

#include <bellwether/report/plot.h>

namespace bellwether {

/// A rectangle of the page in which values have places.
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

/// What of a series lies within the area and is cut off at its edge: lines, bands, whiskers, dots.
/// Lines are `wider` than usual.
std::string lines_of(const PlotSeries& series, const PlotKey& key, const PlotArea& area, double wider = 0);

/// True when no eye could tell the lines of two series apart.
bool coincide(const PlotSeries& a, const PlotSeries& b, const PlotArea& area);

/// What stands on top of all lines, whole also at the edge: marks; crosses not, which know of each other.
std::string marks_of(const PlotSeries& series, const PlotKey& key, const PlotArea& area);

/// One mark at a place of the page.
std::string mark_at(double x, double y, const PlotKey& key, Mark mark, double size);

/// What the legend has for a key, `width` wide.
std::string sample_of(const PlotKey& key, double x, double y, double width);

}  // namespace bellwether
