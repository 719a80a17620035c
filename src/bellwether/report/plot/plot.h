#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/report/plot/plot_axis.h>

namespace bellwether {

enum class Mark : std::uint8_t {
  none,
  filled,
  open,
  cross,  // the point has no value and is drawn at the upper edge, above other crosses there
};

struct PlotPoint {
  double x = 0;
  double y = 0;
  double half_width = 0;  // of an interval around y; infinite: no interval is drawn
  Mark mark = Mark::none;
};

enum class Drawn : std::uint8_t {
  curve,     // a line, with a band of the half-widths
  values,    // a line, with a whisker and a mark at each point
  level,     // a level line through the first point
  steps,     // a thin line that comes from the upper edge, is level between points, and ends at the right edge
  steps_up,  // the same from the lower edge
  marks,     // large marks
  dots,      // faint dots, possibly thousands; small circles where the mark is open
};

/// An entry of the legend. Several labels may share one.
struct PlotKey {
  std::vector<std::string> labels;
  std::size_t colour = 0;  // indices into palette.h; dash also selects the shape of the marks
  std::size_t dash = 0;
  Drawn drawn = Drawn::curve;  // how the legend shows it
};

struct PlotSeries {
  std::size_t key = 0;  // index into Plot::keys
  Drawn drawn = Drawn::curve;
  std::vector<PlotPoint> points;
};

struct PlotPanel {
  std::string title;
  std::vector<PlotSeries> series;  // the first is on top
};

/// A picture as a self-contained SVG: panels side by side with common axes, a legend on the right, notes below.
///
/// Text stays text. Lines are cut off at the edges of the axes, and points outside are not drawn. The legend lists the
/// keys that have a series, in the order given, and the picture grows with it.
struct Plot {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotKey> keys;
  std::vector<PlotPanel> panels;
  std::vector<std::string> notes;
  bool adapts = false;  // to dark pages, and to the width it is given; otherwise black on white, in its own size
  double panel_width = 430;
  double panel_height = 300;

  std::string svg() const;
};

}  // namespace bellwether
