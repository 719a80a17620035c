#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <bellwether/study/figure.h>

/// SVG as a reader of the picture has it: elements and what the axes say about their places.
namespace bellwether::testing {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;               // without that of the elements in it
  std::vector<Element> elements;  // in it
  double number(const std::string& attribute) const;
  bool is(const std::string& of_class) const;  // one of its classes
};

/// Throws std::runtime_error when the text is not a well-formed XML document in UTF-8.
Element parse_xml(const std::string& text);

/// The elements with this class in an element, at any depth, in order.
std::vector<const Element*> of_class(const Element& element, const std::string& name);
std::vector<const Element*> of_name(const Element& element, const std::string& name);

/// All texts in an element, those of one text element joined.
std::vector<std::string> texts(const Element& element);

using Place = std::pair<double, double>;

/// Of polylines and polygons.
std::vector<Place> points_of(const Element& element);

/// The middle of a mark or a cross; every dot of a path of dots.
Place middle_of(const Element& mark);
std::vector<Place> dots_of(const Element& path);

/// A map from places to values that two labelled ticks of a panel give.
struct Ruler {
  std::function<double(double place)> value;
  double low = 0, high = 0;  // places of the ends of the axis
};
Ruler x_ruler(const Element& panel, Axis kind);
Ruler y_ruler(const Element& first_panel, Axis kind);

}  // namespace bellwether::testing
