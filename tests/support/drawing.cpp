#include "support/drawing.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace bellwether::testing {

namespace {

/// A strict reader of the XML that drawings need.
class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  Element document() {
    check_characters();
    Element root = element();
    space();
    if (at_ < text_.size()) fail("something follows the document");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(why + " at " + std::to_string(at_) + ": " + text_.substr(at_, 40));
  }
  void check_characters() {
    for (at_ = 0; at_ < text_.size();) {
      const auto first = static_cast<unsigned char>(text_[at_]);
      if (first < 0x20 && first != '\n' && first != '\t' && first != '\r') fail("a control character");
      std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
      if (first >= 0x80 && (first < 0xc2 || first > 0xf4)) fail("not UTF-8");
      for (++at_, --length; length > 0; --length, ++at_) {
        if (at_ >= text_.size() || (static_cast<unsigned char>(text_[at_]) & 0xc0) != 0x80) fail("not UTF-8");
      }
    }
    at_ = 0;
  }
  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  void expect(const std::string& word) {
    if (!take(word)) fail("expected " + word);
  }
  std::string name() {
    std::string word;
    while (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-') word += text_[at_++];
    if (word.empty()) fail("expected a name");
    return word;
  }
  std::string characters(char end) {
    std::string out;
    while (at_ < text_.size() && text_[at_] != end) {
      if (text_[at_] == '<') fail("a stray <");
      if (take("&amp;")) out += '&';
      else if (take("&lt;")) out += '<';
      else if (take("&gt;")) out += '>';
      else if (take("&quot;")) out += '"';
      else if (text_[at_] == '&') fail("a stray &");
      else out += text_[at_++];
    }
    return out;
  }
  Element element() {
    expect("<");
    Element e;
    e.name = name();
    for (space(); text_[at_] != '>' && text_[at_] != '/'; space()) {
      const std::string key = name();
      expect("=\"");
      if (!e.attributes.emplace(key, characters('"')).second) fail("an attribute twice");
      expect("\"");
    }
    if (take("/>")) return e;
    expect(">");
    for (e.text = characters('<'); text_.compare(at_, 2, "</") != 0; e.text += characters('<')) {
      e.elements.push_back(element());
    }
    expect("</" + e.name + ">");
    return e;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

void visit(const Element& element, const std::function<void(const Element&)>& f) {
  f(element);
  for (const Element& inner : element.elements) visit(inner, f);
}

struct Label {
  double place, value;
};

Ruler ruler(const std::vector<Label>& labels, Axis kind) {
  if (labels.size() < 2) throw std::runtime_error("an axis with less than two labels");
  const Label a = labels.front();
  const Label b = labels.back();
  Ruler r;
  if (kind == Axis::linear) {
    r.value = [=](double p) { return a.value + (b.value - a.value) * (p - a.place) / (b.place - a.place); };
  } else {
    r.value = [=](double p) { return a.value * std::pow(b.value / a.value, (p - a.place) / (b.place - a.place)); };
  }
  return r;
}

/// The number a label stands for: 0.05, 10 to the power of its tspan, 2 kB.
double value_of_label(const Element& text) {
  char* unit = nullptr;
  double value = std::strtod(text.text.c_str(), &unit);
  if (!text.elements.empty()) {
    const auto times = text.text.find("\u00b7");
    value = (times == std::string::npos ? 1 : value) * std::pow(10, std::atof(text.elements[0].text.c_str()));
  }
  const std::string letters = unit;
  return value * (letters == " kB" ? 1e3 : letters == " MB" ? 1e6 : 1);
}

/// The frame of a panel is "M left top V bottom H right".
std::vector<double> frame_of(const Element& panel) {
  for (const Element* path : of_class(panel, "axis")) {
    double left = 0, top = 0, bottom = 0, right = 0;
    if (std::sscanf(path->attributes.at("d").c_str(), "M%lf %lfV%lfH%lf", &left, &top, &bottom, &right) == 4) {
      return {left, top, right, bottom};
    }
  }
  throw std::runtime_error("a panel without a frame");
}

}  // namespace

double Element::number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }

bool Element::is(const std::string& of_class) const {
  const auto found = attributes.find("class");
  if (found == attributes.end()) return false;
  std::istringstream words(found->second);
  for (std::string word; words >> word;) {
    if (word == of_class) return true;
  }
  return false;
}

Element parse_xml(const std::string& text) { return Reader(text).document(); }

std::vector<const Element*> of_class(const Element& element, const std::string& name) {
  std::vector<const Element*> found;
  visit(element, [&](const Element& e) {
    if (e.is(name)) found.push_back(&e);
  });
  return found;
}

std::vector<const Element*> of_name(const Element& element, const std::string& name) {
  std::vector<const Element*> found;
  visit(element, [&](const Element& e) {
    if (e.name == name) found.push_back(&e);
  });
  return found;
}

std::vector<std::string> texts(const Element& element) {
  std::vector<std::string> all;
  for (const Element* text : of_name(element, "text")) {
    all.push_back(text->text);
    for (const Element& part : text->elements) all.back() += part.text;
  }
  return all;
}

std::vector<Place> points_of(const Element& element) {
  std::vector<Place> points;
  std::istringstream text(element.attributes.at("points"));
  double x = 0;
  double y = 0;
  for (char comma = 0; text >> x >> comma >> y;) points.emplace_back(x, y);
  return points;
}

Place middle_of(const Element& mark) {
  // Every outline begins at its left, its top or its corner; the box around its vertices has the mark in its middle.
  std::istringstream path(mark.attributes.at("d"));
  double x = 0, y = 0, left = 0, right = 0, top = 0, bottom = 0;
  char command = 0;
  while (path >> command && command != 'z') {
    double dx = 0, dy = 0;
    if (command == 'M') {
      path >> x >> y;
      left = right = x;
      top = bottom = y;
      continue;
    }
    if (command == 'a') {
      double radius, flag;
      path >> radius >> radius >> flag >> flag >> flag >> dx >> dy;
    } else if (command == 'h') {
      path >> dx;
    } else if (command == 'v') {
      path >> dy;
    } else {
      path >> dx >> dy;
    }
    x += dx;
    y += dy;
    left = std::min(left, x);
    right = std::max(right, x);
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  return {(left + right) / 2, (top + bottom) / 2};
}

std::vector<Place> dots_of(const Element& path) {
  std::vector<Place> dots;
  std::istringstream text(path.attributes.at("d"));
  double x = 0;
  double y = 0;
  char m = 0, h = 0, zero = 0;
  while (text >> m >> x >> y >> h >> zero && m == 'M' && h == 'h' && zero == '0') dots.emplace_back(x, y);
  return dots;
}

Ruler x_ruler(const Element& panel, Axis kind) {
  const auto frame = frame_of(panel);
  std::vector<Label> labels;
  for (const Element* text : of_name(panel, "text")) {
    if (text->number("y") > frame[3] + 10) labels.push_back({text->number("x"), value_of_label(*text)});
  }
  Ruler r = ruler(labels, kind);
  r.low = frame[0];
  r.high = frame[2];
  return r;
}

Ruler y_ruler(const Element& first_panel, Axis kind) {
  const auto frame = frame_of(first_panel);
  std::vector<Label> labels;
  for (const Element* text : of_name(first_panel, "text")) {
    const auto anchor = text->attributes.find("text-anchor");
    if (anchor == text->attributes.end() || anchor->second != "end") continue;
    labels.push_back({text->number("y") - 4, value_of_label(*text)});
  }
  Ruler r = ruler(labels, kind);
  r.low = frame[3];
  r.high = frame[1];
  return r;
}

}  // namespace bellwether::testing
