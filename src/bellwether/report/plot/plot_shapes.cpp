#include <bellwether/report/plot/plot_shapes.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <bellwether/report/plot/palette.h>

namespace bellwether {

namespace {

constexpr double small_mark = 2.6;
constexpr double large_mark = 5;

/// A position that may be far outside the axis, but not so far that drawing programs fail.
double bounded(double position) { return std::isnan(position) ? 0 : std::clamp(position, -20.0, 20.0); }

/// Marks what is drawn in ink, which a dark page draws in white.
std::string_view ink_class(const PlotKey& key) { return key.colour % palette.size() == ink ? " ink" : ""; }

std::string stroke(const PlotKey& key, double width) {
  const std::string dash = palette_dash(key.dash);
  return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{} stroke-linejoin=\"round\"",
                     palette_colour(key.colour), width,
                     dash.empty() ? dash : fmt::format(" stroke-dasharray=\"{}\"", dash));
}

std::string position(double x, double y) { return fmt::format("{:.1f},{:.1f} ", x, y); }

/// Calls f(first, last) for every run of consecutive points that have values.
template <class F>
void for_each_stretch(const std::vector<PlotPoint>& points, F&& f) {
  const auto valued = [](const PlotPoint& p) { return p.mark != Mark::cross && std::isfinite(p.y); };
  for (auto first = points.begin(); first != points.end();) {
    first = std::find_if(first, points.end(), valued);
    const auto last = std::find_if_not(first, points.end(), valued);
    if (first != last) f(first, last);
    first = last;
  }
}

std::string polyline(const PlotSeries& series, const PlotKey& key, const PlotArea& area, double width) {
  std::string out;
  for_each_stretch(series.points, [&](auto first, auto last) {
    std::string points;
    for (auto p = first; p != last; ++p) points += position(area.x(p->x), area.y(p->y));
    fmt::format_to(std::back_inserter(out), "<polyline class=\"line{}\" {} points=\"{}\"/>\n", ink_class(key),
                   stroke(key, width), points);
  });
  return out;
}

std::string band(const PlotSeries& series, const PlotKey& key, const PlotArea& area) {
  std::string out;
  const auto wide = [](const PlotPoint& p) { return p.half_width > 0 && std::isfinite(p.half_width); };
  if (std::none_of(series.points.begin(), series.points.end(), wide)) return out;
  for_each_stretch(series.points, [&](auto first, auto last) {
    std::string upper;
    std::string lower;
    for (auto p = first; p != last; ++p) {
      const double spread = std::isfinite(p->half_width) ? p->half_width : 0;
      upper += position(area.x(p->x), area.y(p->y + spread));
      lower.insert(0, position(area.x(p->x), area.y(p->y - spread)));
    }
    fmt::format_to(std::back_inserter(out),
                   "<polygon class=\"band\" fill=\"{}\" fill-opacity=\".12\" points=\"{}{}\"/>\n",
                   palette_colour(key.colour), upper, lower);
  });
  return out;
}

std::string whiskers(const PlotSeries& series, const PlotKey& key, const PlotArea& area) {
  std::string path;
  for_each_stretch(series.points, [&](auto first, auto last) {
    for (auto p = first; p != last; ++p) {
      if (!(p->half_width > 0) || !std::isfinite(p->half_width) || !area.holds(*p)) continue;
      fmt::format_to(std::back_inserter(path), "M{:.1f} {:.1f}V{:.1f}", area.x(p->x), area.y(p->y - p->half_width),
                     area.y(p->y + p->half_width));
    }
  });
  if (path.empty()) return {};
  return fmt::format("<path class=\"whisker{}\" stroke=\"{}\" stroke-opacity=\".4\" d=\"{}\"/>\n", ink_class(key),
                     palette_colour(key.colour), path);
}

std::string level(const PlotSeries& series, const PlotKey& key, const PlotArea& area, double width) {
  const double y = area.y(series.points.front().y);
  return fmt::format("<line class=\"level{}\" {} x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                     ink_class(key), stroke(key, width), area.left, area.right(), y, y);
}

/// The border of the region above (or below) and to the right of some point, from that edge to the right edge.
std::string steps(const PlotSeries& series, const PlotArea& area) {
  double y = series.drawn == Drawn::steps ? area.top : area.bottom();
  std::string points;
  for (const PlotPoint& p : series.points) {
    points += position(area.x(p.x), y);
    y = area.y(p.y);
    points += position(area.x(p.x), y);
  }
  points += position(area.right(), y);
  return fmt::format(
      "<polyline class=\"steps ink\" fill=\"none\" stroke=\"{}\" stroke-opacity=\".55\" points=\"{}\"/>\n",
      palette_colour(ink), points);
}

/// A single path: a dot is a line of no length with round ends, an open one a circle.
std::string dots(const PlotSeries& series, const PlotKey& key, const PlotArea& area) {
  std::string filled;
  std::string open;
  for (const PlotPoint& p : series.points) {
    if (!area.holds(p)) continue;
    const double x = area.x(p.x);
    const double y = area.y(p.y);
    if (p.mark == Mark::open)
      fmt::format_to(std::back_inserter(open), "M{:.1f} {:.1f}a1.6 1.6 0 1 0 .1 0z", x, y - 1.6);
    else fmt::format_to(std::back_inserter(filled), "M{:.1f} {:.1f}h0", x, y);
  }
  const auto path = [&](const char* kind, const char* width, const std::string& d) {
    if (d.empty()) return std::string();
    return fmt::format(
        "<path class=\"{}{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\".3\" stroke-width=\"{}\" "
        "stroke-linecap=\"round\" d=\"{}\"/>\n",
        kind, ink_class(key), palette_colour(key.colour), width, d);
  };
  return path("dots", "2.6", filled) + path("hollow", ".8", open);
}

/// Shapes of about the same area as a circle of radius r: circle, square, triangle, diamond, triangle upside down.
std::string outline(double x, double y, double r, std::size_t shape) {
  switch (shape % 5) {
    case 0:
      return fmt::format("M{:.1f} {:.1f}a{:.1f} {:.1f} 0 1 0 {:.1f} 0a{:.1f} {:.1f} 0 1 0 {:.1f} 0z", x - r, y, r, r,
                         2 * r, r, r, -2 * r);
    case 1:
      return fmt::format("M{:.1f} {:.1f}h{:.1f}v{:.1f}h{:.1f}z", x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, -1.8 * r);
    case 2: return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z", x, y - 1.25 * r, 1.15 * r, 2.0 * r, -2.3 * r);
    case 3:
      return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}z", x, y - 1.3 * r, 1.3 * r, 1.3 * r,
                         -1.3 * r, 1.3 * r, -1.3 * r, -1.3 * r);
    default: return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}h{:.1f}z", x, y + 1.25 * r, 1.15 * r, -2.0 * r, -2.3 * r);
  }
}

}  // namespace

double PlotArea::x(double value) const { return left + width * bounded(x_axis->position(value)); }
double PlotArea::y(double value) const { return bottom() - height * bounded(y_axis->position(value)); }

bool PlotArea::holds(const PlotPoint& point) const {
  constexpr double slack = 1e-9;
  const auto inside = [](double position) { return position >= -slack && position <= 1 + slack; };
  return inside(x_axis->position(point.x)) && inside(y_axis->position(point.y));
}

std::string lines_of(const PlotSeries& series, const PlotKey& key, const PlotArea& area, double wider) {
  if (series.points.empty()) return {};
  switch (series.drawn) {
    case Drawn::curve: return band(series, key, area) + polyline(series, key, area, 1.8 + wider);
    case Drawn::values: return whiskers(series, key, area) + polyline(series, key, area, 1.5 + wider);
    case Drawn::level: return level(series, key, area, 1.5 + wider);
    case Drawn::steps:
    case Drawn::steps_up: return steps(series, area);
    case Drawn::dots: return dots(series, key, area);
    case Drawn::marks: break;
  }
  return {};
}

bool coincide(const PlotSeries& a, const PlotSeries& b, const PlotArea& area) {
  const auto same = [&](const PlotPoint& p, const PlotPoint& q) {
    return p.mark == q.mark && std::abs(area.x(p.x) - area.x(q.x)) < 1 && std::abs(area.y(p.y) - area.y(q.y)) < 1.5;
  };
  return a.drawn == b.drawn && a.drawn != Drawn::dots &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(), same);
}

std::string marks_of(const PlotSeries& series, const PlotKey& key, const PlotArea& area) {
  std::string out;
  if (series.drawn == Drawn::dots) return out;
  const double size = series.drawn == Drawn::marks ? large_mark : small_mark;
  for (const PlotPoint& p : series.points) {
    if (p.mark == Mark::none || p.mark == Mark::cross || !area.holds(p)) continue;
    out += mark_at(area.x(p.x), area.y(p.y), key, p.mark, size);
  }
  return out;
}

std::string mark_at(double x, double y, const PlotKey& key, Mark mark, double size) {
  const char* colour = palette_colour(key.colour);
  if (mark == Mark::cross) {
    return fmt::format(
        "<path class=\"cross{}\" stroke=\"{}\" stroke-width=\"1.4\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}m0 "
        "{:.1f}l{:.1f} {:.1f}\"/>\n",
        ink_class(key), colour, x - size, y - size, 2 * size, 2 * size, -2 * size, -2 * size, 2 * size);
  }
  const bool open = mark == Mark::open;
  return fmt::format("<path class=\"{}{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" d=\"{}\"/>\n",
                     open ? "open" : "mark", ink_class(key), open ? "#fff" : colour, open ? colour : "#fff",
                     open                ? 1.3
                     : size > small_mark ? 1
                                         : 0.5,
                     outline(x, y, size, key.dash));
}

std::string sample_of(const PlotKey& key, double x, double y, double width) {
  const PlotAxis unit_axis;
  const PlotArea area{&unit_axis, &unit_axis, x, y - 1, width, 2};
  const Mark mark = key.drawn == Drawn::values || key.drawn == Drawn::marks ? Mark::filled : Mark::none;
  PlotSeries sample{0, key.drawn, {{0, 0.5}, {1, 0.5}}};
  std::string out = lines_of(sample, key, area);
  sample.points = {{0.5, 0.5, 0, mark}};
  return out + marks_of(sample, key, area);
}

}  // namespace bellwether
