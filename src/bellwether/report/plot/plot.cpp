#include <bellwether/report/plot/plot.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include <bellwether/report/plot/plot_shapes.h>
#include <bellwether/report/plot/svg_text.h>

namespace bellwether {

namespace {

constexpr double font = 12;
constexpr double title_font = 15;
constexpr double line_height = 16;
constexpr double title_height = 20;
constexpr double edge = 14;       // an empty border around the picture
constexpr double panel_gap = 30;  // between panels, and between the last and the legend
constexpr double sample_width = 28;
constexpr double widest_label = 300;
constexpr double cross_size = 2.6;
constexpr double cross_row = 7;

constexpr const char* dark_style = R"(<style>
  @media (prefers-color-scheme: dark) {
    .page { fill: #16181b; } text { fill: #e6e6e6; } .rule { stroke: #33363d; } .axis, .ink { stroke: #c8c8c8; }
  }
</style>
)";

double width_of(const PlotTick& tick) { return text_width(tick.text, font) + text_width(tick.power, 0.75 * font); }

class Drawing {
 public:
  explicit Drawing(const Plot& plot);
  std::string svg();

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Args>(args)...);
  }
  void text(double x, double y, const std::string& content, const char* attributes = "") {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{}>{}</text>\n", x, y, *attributes == 0 ? "" : " ", attributes,
        xml_text(content));
  }
  void tick_label(double x, double y, const PlotTick& tick, const char* anchor);

  void heading();
  void panel(std::size_t i);
  void x_axis(const PlotArea& area);
  void y_axis(const PlotArea& area, bool labelled);
  void series(const PlotPanel& panel, const PlotArea& area);
  void crosses(const PlotPanel& panel, const PlotArea& area);
  void legend();
  void notes();

  /// The row of a cross: crosses at one position are drawn above one another. `rows` counts those so far.
  std::size_t row_of_cross(const PlotPoint& point, std::map<long, std::size_t>& rows) const;
  PlotArea area(std::size_t panel) const;
  double right_of_panels() const { return area(std::max<std::size_t>(plot_.panels.size(), 1) - 1).right(); }

  const Plot& plot_;
  std::vector<const PlotKey*> keys_;  // the entries of the legend
  std::vector<std::string> title_, subtitle_;
  double left_ = 0;
  double panels_top_ = 0;  // where the titles of panels begin
  double top_ = 0;         // where their axes begin
  double width_ = 0;
  double height_ = 0;
  std::string body_;
};

Drawing::Drawing(const Plot& plot) : plot_(plot) {
  double tick_width = 0;
  for (const PlotTick& tick : plot.y.ticks) tick_width = std::max(tick_width, width_of(tick));
  left_ = edge + font + 10 + tick_width + 8;

  std::set<std::size_t> used;
  for (const PlotPanel& panel : plot.panels) {
    for (const PlotSeries& series : panel.series) used.insert(series.key);
  }
  double label_width = 0;
  for (std::size_t i = 0; i < plot.keys.size(); ++i) {
    if (!used.contains(i) || plot.keys[i].labels.empty()) continue;
    keys_.push_back(&plot.keys[i]);
    for (const auto& label : plot.keys[i].labels) label_width = std::max(label_width, text_width(label, font));
  }
  width_ = right_of_panels() + (keys_.empty() ? 24 : sample_width + 26 + std::min(label_width, widest_label)) + edge;

  title_ = wrapped(plot.title, width_ - left_ - edge, 1.1 * title_font);
  subtitle_ = wrapped(plot.subtitle, width_ - left_ - edge, font);
  double above = 0;  // the height of what is above the axes: titles of panels, crosses
  for (const PlotPanel& panel : plot.panels) {
    std::map<long, std::size_t> rows;
    std::size_t highest = 0;
    for (const PlotSeries& series : panel.series) {
      for (const PlotPoint& p : series.points) {
        if (p.mark == Mark::cross) highest = std::max(highest, row_of_cross(p, rows));
      }
    }
    above = std::max(above, cross_row * static_cast<double>(highest) + (panel.title.empty() ? 0 : title_height));
  }
  panels_top_ =
      edge + static_cast<double>(title_.size()) * title_height + static_cast<double>(subtitle_.size()) * line_height;
  top_ = panels_top_ + above + 11;
}

PlotArea Drawing::area(std::size_t panel) const {
  return {&plot_.x, &plot_.y,          left_ + static_cast<double>(panel) * (plot_.panel_width + panel_gap),
          top_,     plot_.panel_width, plot_.panel_height};
}

std::size_t Drawing::row_of_cross(const PlotPoint& point, std::map<long, std::size_t>& rows) const {
  constexpr double too_close = 3;
  return rows[std::lround(plot_.x.position(point.x) * plot_.panel_width / too_close)]++;
}

void Drawing::tick_label(double x, double y, const PlotTick& tick, const char* anchor) {
  const std::string power =
      tick.power.empty() ? "" : fmt::format("<tspan dy=\"-5\" font-size=\"9\">{}</tspan>", xml_text(tick.power));
  add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}{}</text>\n", x, y, anchor, xml_text(tick.text), power);
}

void Drawing::heading() {
  double y = edge + 14;
  for (const std::string& line : title_) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" font-weight=\"600\">{}</text>\n", left_, y, title_font,
        xml_text(line));
    y += title_height;
  }
  for (const std::string& line : subtitle_) {
    text(left_, y - 3, line, "fill-opacity=\".7\"");
    y += line_height;
  }
}

void Drawing::y_axis(const PlotArea& area, bool labelled) {
  for (const PlotTick& tick : plot_.y.ticks) {
    const double y = area.y(tick.value);
    if (!tick.text.empty()) {
      add("<line class=\"rule\" stroke=\"#e4e4e4\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
          area.left, area.right(), y, y);
      if (labelled) tick_label(area.left - 8, y + 4, tick, "end");
    }
    add("<path class=\"axis\" stroke=\"#000\" d=\"M{:.1f} {:.1f}h{}\"/>\n", area.left, y,
        tick.text.empty() ? -2.5 : -5);
  }
}

void Drawing::x_axis(const PlotArea& area) {
  double taken = -infinity;
  for (const PlotTick& tick : plot_.x.ticks) {
    const double x = area.x(tick.value);
    add("<path class=\"axis\" stroke=\"#000\" d=\"M{:.1f} {:.1f}v{}\"/>\n", x, area.bottom(),
        tick.text.empty() ? 2.5 : 5);
    const double half = 0.5 * width_of(tick);
    const double overhang = 0.5 * panel_gap - 4;  // so that labels of neighbouring panels stay apart
    const double centre = std::max(area.left - overhang + half, std::min(x, area.right() + overhang - half));
    if (tick.text.empty() || centre - half < taken + 3) continue;
    tick_label(centre, area.bottom() + 19, tick, "middle");
    taken = centre + half;
  }
}

void Drawing::series(const PlotPanel& panel, const PlotArea& area) {
  // An inner drawing with the same coordinates, which cuts off whatever leaves it.
  add("<svg x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\" viewBox=\"{0:.1f} {1:.1f} {2:.1f} "
      "{3:.1f}\">\n",
      area.left, area.top, area.width, area.height);
  for (auto s = panel.series.rbegin(); s != panel.series.rend(); ++s) {
    // A line that others cover is made wider, so that it can be seen on both sides of them.
    const auto above = std::count_if(std::next(s), panel.series.rend(),
                                     [&](const PlotSeries& other) { return coincide(*s, other, area); });
    body_ += lines_of(*s, plot_.keys[s->key], area, 2.4 * static_cast<double>(std::min<std::ptrdiff_t>(above, 2)));
  }
  add("</svg>\n");
  std::for_each(panel.series.rbegin(), panel.series.rend(),
                [&](const PlotSeries& s) { body_ += marks_of(s, plot_.keys[s.key], area); });
}

void Drawing::crosses(const PlotPanel& panel, const PlotArea& area) {
  std::map<long, std::size_t> rows;
  for (const PlotSeries& series : panel.series) {
    for (const PlotPoint& p : series.points) {
      if (p.mark != Mark::cross) continue;
      const double y = area.top - cross_row * static_cast<double>(row_of_cross(p, rows));
      body_ += mark_at(area.x(p.x), y, plot_.keys[series.key], Mark::cross, cross_size);
    }
  }
}

void Drawing::panel(std::size_t i) {
  const PlotPanel& panel = plot_.panels[i];
  const PlotArea where = area(i);
  add("<g class=\"panel\">\n");
  y_axis(where, i == 0);
  x_axis(where);
  series(panel, where);
  add("<path class=\"axis\" fill=\"none\" stroke=\"#000\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", where.left,
      where.top, where.bottom(), where.right());
  crosses(panel, where);
  if (!panel.title.empty()) {
    text(where.left + 0.5 * where.width, panels_top_ + 14, panel.title, "text-anchor=\"middle\"");
  }
  add("</g>\n");
}

void Drawing::legend() {
  double y = top_ + 6;
  const double x = right_of_panels() + 18;
  add("<g class=\"legend\">\n");
  for (const PlotKey* key : keys_) {
    body_ += sample_of(*key, x, y, sample_width);
    for (const std::string& label : key->labels) {
      text(x + sample_width + 8, y + 4, shortened(label, widest_label, font));
      y += line_height + 2;
    }
    y += 3;
  }
  add("</g>\n");
  height_ = std::max(height_, y);
}

void Drawing::notes() {
  double y = top_ + plot_.panel_height + 64;
  const bool beside_legend = height_ > y - line_height;
  const double right = beside_legend ? right_of_panels() : width_ - edge;
  for (const std::string& note : plot_.notes) {
    for (const std::string& line : wrapped(note, right - left_, font)) {
      text(left_, y, line, "fill-opacity=\".7\"");
      y += line_height;
    }
  }
  height_ = std::max(height_, y - line_height + edge - (plot_.notes.empty() ? 6 : 0));
}

std::string Drawing::svg() {
  heading();
  for (std::size_t i = 0; i < plot_.panels.size(); ++i) panel(i);
  if (!plot_.panels.empty()) {
    text(0.5 * (left_ + right_of_panels()), top_ + plot_.panel_height + 42, plot_.x_label, "text-anchor=\"middle\"");
    add("<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", edge + font - 4,
        top_ + 0.5 * plot_.panel_height, xml_text(plot_.y_label));
  }
  legend();
  notes();
  const std::string size =
      plot_.adapts ? "" : fmt::format(" width=\"{:.0f}\" height=\"{:.0f}\"", std::ceil(width_), std::ceil(height_));
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\"{} viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{}\">\n{}"
      "<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{}</svg>\n",
      size, std::ceil(width_), std::ceil(height_), xml_text(plot_.title), font, plot_.adapts ? dark_style : "", body_);
}

}  // namespace

std::string Plot::svg() const { return Drawing(*this).svg(); }

}  // namespace bellwether
