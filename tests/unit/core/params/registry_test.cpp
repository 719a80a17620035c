#include <bellwether/core/params/registry.h>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

struct Square final : Shape {
  static constexpr const char* name = "square";
  static constexpr Doc doc{.summary = "Four equal sides.", .detail = "side^2", .reference = "Euclid"};
  struct Params {
    double side = 1;
    static constexpr auto fields() { return std::tuple{Field("side", &Params::side, positive, "length of a side")}; }
  };
  Square(double scale, const Params& params) : area_(scale * params.side * params.side) {}
  double area() const override { return area_; }
  double area_;
};

struct Point final : Shape {
  static constexpr const char* name = "point";
  static constexpr Doc doc{.summary = "No extent.", .detail = "0", .reference = "Euclid"};
  struct Params {
    static constexpr auto fields() { return std::tuple{}; }
  };
  Point(double, const Params&) {}
  double area() const override { return 0; }
};

const auto& shapes() {
  static const auto all = entries<Shape, double>(TypeList<Square, Point>{});
  return all;
}

TEST(Registry, ListsNamesDocumentationAndParametersInOrder) {
  ASSERT_EQ(shapes().size(), 2U);
  EXPECT_EQ(shapes()[0].name, "square");
  EXPECT_STREQ(shapes()[0].doc.summary, "Four equal sides.");
  ASSERT_EQ(shapes()[0].params.size(), 1U);
  EXPECT_EQ(shapes()[0].params[0].name, "side");
  EXPECT_EQ(shapes()[1].name, "point");
  EXPECT_TRUE(shapes()[1].params.empty());
}

TEST(Registry, MakesATypeByNameWithItsContextAndSettings) {
  const auto& square = find_entry(shapes(), "shape", "square");
  EXPECT_EQ(square.make({{"side", "3"}}, 2.0)->area(), 18);
  EXPECT_EQ(square.make({}, 2.0)->area(), 2);
  EXPECT_EQ(rejection([&] { square.make({{"side", "-3"}}, 2.0); }), "square: side = -3 is outside (0, inf)");
}

TEST(Registry, RejectsAnUnknownNameAndSuggestsTheNearest) {
  EXPECT_EQ(rejection([] { find_entry(shapes(), "shape", "sqare"); }),
            "there is no shape 'sqare'; did you mean 'square'? (known: square, point)");
  EXPECT_EQ(rejection([] { find_entry(shapes(), "shape", "dodecahedron"); }),
            "there is no shape 'dodecahedron' (known: square, point)");
}

TEST(Registry, VisitsEveryTypeOfAListOnce) {
  std::string visited;
  for_each_type(TypeList<Square, Point>{}, [&]<class T>() { visited += std::string(T::name) + " "; });
  EXPECT_EQ(visited, "square point ");
}

}  // namespace
}  // namespace bellwether
