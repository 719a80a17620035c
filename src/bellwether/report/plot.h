#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <bellwether/report/plot_axis.h>

namespace bellwether {

enum class Mark : std::uint8_t {
  none,
  filled,
  open,
  cross,  // the point has no value: it stands at the upper edge, above others that have none there
};

struct PlotPoint {
  double x = 0;
  double y = 0;
  double half_width = 0;  // of an interval around y; infinite: there is none to draw
  Mark mark = Mark::none;
};

enum class Drawn : std::uint8_t {
  curve,   // a line, with a band of the half-widths
  values,  // a line, with a whisker and a mark at each point
  level,   // a level line through the first point
  steps,   // a thin line from the upper edge that keeps its value until the next point, and to the right edge
  marks,   // large marks
  dots,    // faint dots, of which there may be thousands; small circles where the mark is open
};

/// What an entry of the legend stands for. Several labels share one when their curves coincide.
struct PlotKey {
  std::vector<std::string> labels;
  std::size_t colour = 0;  // of palette.h, as is dash, which also is the shape of the marks
  std::size_t dash = 0;
  Drawn drawn = Drawn::curve;  // as the legend has it
};

struct PlotSeries {
  std::size_t key = 0;  // place in Plot::keys
  Drawn drawn = Drawn::curve;
  std::vector<PlotPoint> points;
};

struct PlotPanel {
  std::string title;
  std::vector<PlotSeries> series;  // the first is on top
};

/// A picture as a self-contained SVG: panels side by side with common axes, a legend at the right, notes below.
///
/// Text is text. Lines that leave the range of the axes are cut off at the edge, and points outside it are not drawn.
/// Keys are listed in the order given, those without a series left out. The picture grows with its legend.
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
  bool adapts = false;  // to dark pages; otherwise black on white
  double panel_width = 430;
  double panel_height = 300;

  std::string svg() const;
};

}  // namespace bellwether
