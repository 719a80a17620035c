#include <bellwether/features/support/description.h>

#include <gtest/gtest.h>

#include <bellwether/domains/domains.h>
#include <bellwether/features/feature_maps.h>

#include "support/rejection.h"
#include "support/rows.h"

namespace bellwether {
namespace {

using testing::features_of;
using testing::rejection;

/// The parts, each as "name key=value key=value", with semicolons between them.
std::string parsed(std::string_view description, const Settings& settings = {}) {
  return rejection([&] {
    auto parts = parse_description(description);
    add_settings(parts, settings);
    std::string text;
    for (const auto& part : parts) {
      text += (text.empty() ? "" : "; ") + part.name;
      for (const auto& variable : part.variables) text += " [" + variable + "]";
      for (const auto& setting : part.settings) text += " " + setting.first + "=" + setting.second;
    }
    throw InvalidArgument(text);
  });
}

TEST(Description, NamesMapsWithTheirParameters) {
  EXPECT_EQ(parsed("tile_coding"), "tile_coding");
  EXPECT_EQ(parsed("tile_coding()"), "tile_coding");
  EXPECT_EQ(parsed(" tile_coding ( tilings=8   tiles=10x5 ) "), "tile_coding tilings=8 tiles=10x5");
  EXPECT_EQ(parsed("own+noise(count=100 active=50)+bias"), "own; noise count=100 active=50; bias");
  EXPECT_EQ(parsed("a(x=1+2) + b(y==)"), "a x=1+2; b y==");
  EXPECT_EQ(parsed("a(x=)"), "a x=");
}

TEST(Description, RejectsWhatIsNotOfThatForm) {
  const auto rule = [](const std::string& description, const std::string& what) {
    return "features: '" + description + "' " + what + "; write name(variable key=value) + name + ...";
  };
  const std::string nameless = "lacks the name of a feature map";
  for (const char* text : {"", " ", "+", "a +", "+ a", "a + + b", "(x=1)"})
    EXPECT_EQ(parsed(text), rule(text, nameless));
  for (const char* text : {"a(", "a(x=1", "a(x=1 + b", "a(x=1) y"}) {
    EXPECT_EQ(parsed(text), rule(text, "opens a parenthesis that it does not close"));
  }
  for (const char* text : {"a)", "a(x=1))", "a) + (b", "a)(x=1)"}) {
    EXPECT_EQ(parsed(text), rule(text, "closes a parenthesis that it did not open"));
  }
  EXPECT_EQ(parsed("a(=1)"), rule("a(=1)", "holds '=1', which sets nothing"));
  EXPECT_EQ(parsed("a(x = 1)"), rule("a(x = 1)", "holds '=', which sets nothing"));
  EXPECT_EQ(parsed("a(\"x)"), rule("a(\"x)", "opens a quote that it does not close"));
}

TEST(Description, NamesTheVariablesOfAMap) {
  EXPECT_EQ(parsed("a(x)"), "a [x]");
  EXPECT_EQ(parsed("a(x y) + b(x, y,z)"), "a [x] [y]; b [x] [y] [z]");
  EXPECT_EQ(parsed("a(x, k=1,2, y m=3)"), "a [x] [y] k=1,2 m=3");
  EXPECT_EQ(parsed("a(obs.0 \"day of (the) week, + all=1\" k=1)"), "a [obs.0] [day of (the) week, + all=1] k=1");
  for (const std::string name : {"x", "obs.0", "day of week", "a+b", "f(x)", "k=1", "a,b"}) {
    EXPECT_EQ(parsed("a(" + spelled(name) + ")"), "a [" + name + "]");
  }
}

TEST(Description, TakesSettingsFromElsewhere) {
  EXPECT_EQ(parsed("a", {{"x", "1"}}), "a x=1");
  EXPECT_EQ(parsed("a(x=1)", {{"y", "2"}, {"a.z", "3"}}), "a x=1 y=2 z=3");
  EXPECT_EQ(parsed("a + b", {{"b.x", "1"}, {"a.x", "2"}}), "a x=2; b x=1");
}

TEST(Description, RejectsSettingsThatBelongToNobody) {
  EXPECT_EQ(parsed("a + b", {{"x", "1"}}),
            "features: x could belong to several maps; write NAME.x, where NAME is one of a, b");
  EXPECT_EQ(parsed("a + b", {{"c.x", "1"}}), "features: c.x is set, but there is no c among the features");
  EXPECT_EQ(parsed("a + b + a", {{"a.x", "1"}}),
            "features: a.x could belong to any of 2 maps a; write it in parentheses");
}

TEST(MakeFeatures, MakesMapsSideBySide) {
  const FeatureContext context({{"x", 0, 3, true}});
  const auto map = make_features("tabular + polynomial(degree=1) + bias", context, {{"polynomial.terms", "each"}});
  EXPECT_EQ(map->type(), "tabular+polynomial+bias");
  const double state = 3;
  EXPECT_EQ(features_of(*map, {&state, 1}), (std::vector<double>{0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(make_features("tabular", context)->type(), "tabular");
}

TEST(MakeFeatures, KnowsTheFeaturesThatComeWithADomain) {
  const auto walk = make_domain("random_walk", {{"size", "5"}});
  EXPECT_EQ(make_features("", *walk)->dim(), 5U);
  const auto map = make_features("own + bias", *walk);
  EXPECT_EQ(map->dim(), 6U);
  const double state = 2;
  EXPECT_EQ(features_of(*map, {&state, 1}), (std::vector<double>{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(rejection([&] { make_features("own(x=1)", *walk); }), "own: 'x' is set, but there are no parameters");
  EXPECT_EQ(
      rejection([&] { make_features("own", FeatureContext(walk->variables())); }).find("there is no feature map 'own'"),
      0U);
}

TEST(MakeFeatures, PassesSeedAndRunToMapsThatAreRandom) {
  const auto walk = make_domain("random_walk", {});
  const double state = 2;
  const auto at = [&](std::uint64_t seed, std::uint64_t run) {
    return features_of(*make_features("noise", *walk, seed, run), {&state, 1});
  };
  EXPECT_EQ(at(1, 2), at(1, 2));
  EXPECT_NE(at(1, 2), at(1, 3));
  EXPECT_NE(at(1, 2), at(2, 2));
}

TEST(MakeFeatures, RejectsAParameterThatIsSetTwice) {
  EXPECT_EQ(rejection([] {
              make_features("noise(count=3)", FeatureContext({}), {{"count", "4"}});
            }),
            "noise: count is set twice, to '3' and to '4'");
}

}  // namespace
}  // namespace bellwether
