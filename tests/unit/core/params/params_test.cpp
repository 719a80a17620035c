#include <bellwether/core/params/params.h>

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

enum class Colour : std::uint8_t { red, green };
constexpr auto names(Colour) { return std::array{"red", "green"}; }

struct Params {
  double alpha = 0.1;
  std::int64_t rank = 5;
  bool fast = false;
  Colour colour = Colour::green;
  std::optional<double> eta = std::nullopt;
  std::optional<std::int64_t> window = 3;
  double anything = -2;

  static constexpr auto fields() {
    return std::tuple{Field("alpha", &Params::alpha, positive, "step size"),
                      Field("rank", &Params::rank, between(1, 10), "how many directions"),
                      Field("fast", &Params::fast, "whether to hurry"),
                      Field("colour", &Params::colour, "of the line"),
                      Field("eta", &Params::eta, unit, "regulariser"),
                      Field("window", &Params::window, at_least(2), "steps remembered"),
                      Field("anything", &Params::anything, "a number")};
  }
};

struct Nothing {
  static constexpr auto fields() { return std::tuple{}; }
};

struct Words {
  std::string groups = "all";

  static constexpr auto fields() { return std::tuple{Field("groups", &Words::groups, "what belongs together")}; }
};

std::string parse_error(const Settings& settings) {
  return rejection([&] { parse_params<Params>("toy", settings); });
}

std::string check_error(const Params& params) {
  return rejection([&] { checked("toy", params); });
}

TEST(Params, AreTheDefaultsWhenNothingIsSet) { EXPECT_EQ(values(parse_params<Params>("toy", {})), values(Params{})); }

TEST(Params, ReadEveryTypeFromText) {
  const auto p = parse_params<Params>("toy", {{"alpha", "2.5e-1"},
                                              {"rank", "10"},
                                              {"fast", "true"},
                                              {"colour", "red"},
                                              {"eta", "1"},
                                              {"window", "auto"},
                                              {"anything", "-7"}});
  EXPECT_EQ(p.alpha, 0.25);
  EXPECT_EQ(p.rank, 10);
  EXPECT_TRUE(p.fast);
  EXPECT_EQ(p.colour, Colour::red);
  EXPECT_EQ(p.eta, 1.0);
  EXPECT_EQ(p.window, std::nullopt);
  EXPECT_EQ(p.anything, -7.0);
}

TEST(Params, WriteEveryTypeAsText) {
  EXPECT_EQ(values(Params{}), (Settings{{"alpha", "0.1"},
                                        {"rank", "5"},
                                        {"fast", "false"},
                                        {"colour", "green"},
                                        {"eta", "auto"},
                                        {"window", "3"},
                                        {"anything", "-2"}}));
}

TEST(Params, ReadBackWhatTheyWroteBitForBit) {
  for (const double alpha : {0.1, 1.0 / 3, 1e-300, 1.7976931348623157e308, 5e-324}) {
    Params p;
    p.alpha = alpha;
    EXPECT_EQ(parse_params<Params>("toy", values(p)).alpha, alpha);
  }
}

TEST(Params, DescribeTypeDefaultRangeAndSentence) {
  const auto all = describe<Params>();
  const auto line = [](const ParamInfo& p) {
    return p.name + ", " + p.type + ", " + p.default_value + ", " + p.accepts + ", " + p.text;
  };
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(line(all[0]), "alpha, number, 0.1, (0, inf), step size");
  EXPECT_EQ(line(all[1]), "rank, integer, 5, [1, 10], how many directions");
  EXPECT_EQ(line(all[2]), "fast, boolean, false, false | true, whether to hurry");
  EXPECT_EQ(line(all[3]), "colour, choice, green, red | green, of the line");
  EXPECT_EQ(line(all[4]), "eta, number, auto, auto | [0, 1], regulariser");
  EXPECT_EQ(line(all[5]), "window, integer, 3, auto | [2, inf), steps remembered");
  EXPECT_EQ(line(all[6]), "anything, number, -2, (-inf, inf), a number");
  EXPECT_TRUE(describe<Nothing>().empty());
}

TEST(Params, TakeTextAsItIs) {
  for (const char* text : {"x*speed,2", "", " spaced ", "auto"}) {
    const auto words = parse_params<Words>("toy", {{"groups", text}});
    EXPECT_EQ(words.groups, text);
    EXPECT_EQ(values(words), (Settings{{"groups", text}}));
  }
  const auto all = describe<Words>();
  EXPECT_EQ(all[0].type, "text");
  EXPECT_EQ(all[0].default_value, "all");
  EXPECT_EQ(all[0].accepts, "text");
  EXPECT_EQ(rejection([] { checked("toy", Words{.groups = "anything"}); }), "accepted");
}

TEST(Params, RejectAnUnknownNameAndSuggestTheNearest) {
  EXPECT_EQ(parse_error({{"alhpa", "1"}}),
            "toy: there is no parameter 'alhpa'; did you mean 'alpha'? (known: alpha, rank, fast, colour, eta, window, "
            "anything)");
  EXPECT_EQ(parse_error({{"temperature", "1"}}),
            "toy: there is no parameter 'temperature' (known: alpha, rank, fast, colour, eta, window, anything)");
  EXPECT_EQ(rejection([] {
              parse_params<Nothing>("empty", {{"alpha", "1"}});
            }),
            "empty: 'alpha' is set, but there are no parameters");
}

TEST(Params, SuggestNamesInAnyCaseButNoneOfWhichEverythingDiffers) {
  EXPECT_EQ(nearest("LSTD", {"lstd_stream", "lstd"}), "lstd");
  EXPECT_EQ(nearest("Lst", {"td", "LSTD"}), "LSTD");
  EXPECT_EQ(nearest("X", {"s", "x"}), "x");
  EXPECT_EQ(nearest("x", {"s", "t"}), std::nullopt);
  EXPECT_EQ(nearest("no", {"td"}), std::nullopt);
  EXPECT_EQ(nearest("", {"s"}), std::nullopt);
}

TEST(Params, RejectTextWhereANumberBelongs) {
  for (const char* text : {"many", "", "1x", " 1", "1,5", "0x10", "nan", "-nan"}) {
    EXPECT_EQ(parse_error({{"alpha", text}}), "toy: alpha = '" + std::string(text) + "' is not a number");
  }
  EXPECT_EQ(parse_error({{"eta", "automatic"}}), "toy: eta = 'automatic' is not a number");
}

TEST(Params, RejectANumberWhereAWholeNumberBelongs) {
  for (const char* text : {"2.5", "1e-1", "two", "", "99999999999999999999", "1e300", "inf", "nan"}) {
    EXPECT_EQ(parse_error({{"rank", text}}), "toy: rank = '" + std::string(text) + "' is not a whole number");
    EXPECT_EQ(parse_error({{"window", text}}), "toy: window = '" + std::string(text) + "' is not a whole number");
  }
}

TEST(Params, TakeWholeNumbersHoweverTheyAreWritten) {
  for (const char* text : {"2000", "2e3", "2000.0", "0.2e4"}) {
    EXPECT_EQ(parse_params<Params>("toy", {{"window", text}}).window, 2000) << text;
  }
}

TEST(Params, RejectAChoiceThatIsNone) {
  EXPECT_EQ(parse_error({{"colour", "gren"}}), "toy: colour = 'gren' is not one of red, green; did you mean 'green'?");
  EXPECT_EQ(parse_error({{"fast", "yes"}}), "toy: fast = 'yes' is not one of false, true");
  EXPECT_EQ(parse_error({{"colour", "auto"}}), "toy: colour = 'auto' is not one of red, green");
}

TEST(Params, RejectAValueOutOfRangeNamingTheRange) {
  EXPECT_EQ(parse_error({{"alpha", "0"}}), "toy: alpha = 0 is outside (0, inf)");
  EXPECT_EQ(parse_error({{"alpha", "inf"}}), "toy: alpha = inf is outside (0, inf)");
  EXPECT_EQ(parse_error({{"rank", "0"}}), "toy: rank = 0 is outside [1, 10]");
  EXPECT_EQ(parse_error({{"rank", "11"}}), "toy: rank = 11 is outside [1, 10]");
  EXPECT_EQ(parse_error({{"eta", "1.5"}}), "toy: eta = 1.5 is outside [0, 1]");
  EXPECT_EQ(parse_error({{"window", "1"}}), "toy: window = 1 is outside [2, inf)");
  EXPECT_EQ(parse_error({{"anything", "-inf"}}), "toy: anything = -inf is outside (-inf, inf)");
}

TEST(Params, RejectANameThatIsSetTwice) {
  EXPECT_EQ(parse_error({{"alpha", "1"}, {"rank", "2"}, {"alpha", "3"}}), "toy: alpha is set twice, to '1' and to '3'");
}

TEST(Params, AreCheckedAlsoWhenNotGivenAsText) {
  EXPECT_EQ(check_error({.alpha = -1}), "toy: alpha = -1 is outside (0, inf)");
  EXPECT_EQ(check_error({.alpha = std::nan("")}), "toy: alpha = nan is outside (0, inf)");
  EXPECT_EQ(check_error({.eta = std::nan("")}), "toy: eta = nan is outside [0, 1]");
  EXPECT_EQ(check_error({.anything = std::nan("")}), "toy: anything = nan is outside (-inf, inf)");
  EXPECT_EQ(check_error({.window = 1}), "toy: window = 1 is outside [2, inf)");
  EXPECT_EQ(check_error({.eta = std::nullopt, .window = std::nullopt}), "accepted");
}

TEST(Range, ContainsItsClosedEndsAndNotItsOpenOnes) {
  EXPECT_TRUE(unit.contains(0));
  EXPECT_TRUE(unit.contains(1));
  EXPECT_FALSE(positive.contains(0));
  EXPECT_TRUE(non_negative.contains(0));
  EXPECT_FALSE(positive.contains(infinity));
  EXPECT_TRUE(positive_or_infinite.contains(infinity));
  for (const Range range : {finite, positive, positive_or_infinite, non_negative, unit}) {
    EXPECT_FALSE(range.contains(std::nan("")));
  }
  EXPECT_EQ(positive_or_infinite.text(), "(0, inf]");
}

TEST(Nearest, IsTheCandidateOfLeastEditDistanceOrNoneThatIsFar) {
  EXPECT_EQ(nearest("lamda", {"alpha", "lambda", "gamma"}), "lambda");
  EXPECT_EQ(nearest("x", {"alpha", "lambda"}), std::nullopt);
  EXPECT_EQ(nearest("word", {}), std::nullopt);
}

}  // namespace
}  // namespace bellwether
