#include <bellwether/study/formula.h>

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bellwether/core/support/rng.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using List = std::vector<double>;

const Constants constants{{"alpha", {0.5}}, {"alphas", {1, 2, 4}}, {"pair", {10, 20}}, {"x_2", {7}}};

double value(std::string_view formula) {
  const List list = evaluate(formula, constants);
  EXPECT_EQ(list.size(), 1U) << formula;
  return list.front();
}

TEST(Formula, OfOneNumberIsThatNumber) {
  EXPECT_EQ(value("3"), 3);
  EXPECT_EQ(value("  0.1 "), 0.1);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("2."), 2);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("2.5E+2"), 250);
}

TEST(Formula, HasTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("2 * 3^2"), 18);
  EXPECT_EQ(value("1 - 2 - 3"), -4) << "from the left";
  EXPECT_EQ(value("16 / 4 / 2"), 2) << "from the left";
  EXPECT_EQ(value("2^3^2"), 512) << "from the right";
  EXPECT_EQ(value("(2^3)^2"), 64);
}

TEST(Formula, BindsASignLessThanAPowerAndMoreThanAProduct) {
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^-3"), 0.125);
  EXPECT_EQ(value("2^-1^2"), 0.5);
  EXPECT_EQ(value("2 * -3"), -6);
  EXPECT_EQ(value("2--3"), 5);
  EXPECT_EQ(value("- - 2"), 2);
  EXPECT_EQ(value("+-+2"), -2);
}

TEST(Formula, TakesItsVariableThroughEveryWholeNumberOfARange) {
  List expected;
  for (int j = -12; j <= 5; ++j) expected.push_back(0.1 * std::pow(2.0, j));
  EXPECT_EQ(evaluate("0.1 * 2^j, j = -12..5"), expected);
  EXPECT_EQ(evaluate("k,k=3..3"), List{3});
  EXPECT_EQ(evaluate("i, i = 0.5..2.75"), (List{0.5, 1.5, 2.5})) << "the end need not be met";
  EXPECT_EQ(evaluate("i, i = 1.5..3.5"), (List{1.5, 2.5, 3.5})) << "a dot beside the two dots";
  EXPECT_EQ(evaluate("j, j = alpha..2 * 2", constants), (List{0.5, 1.5, 2.5, 3.5})) << "ends may be formulas";
  EXPECT_EQ(evaluate("j * j - j, j = 1..3"), (List{0, 2, 6})) << "a variable may appear twice";
}

TEST(Formula, TakesStepsOfARange) {
  const List etas = evaluate("10^j, j = -4..4.5 by 0.5");
  ASSERT_EQ(etas.size(), 18U);
  EXPECT_EQ(etas.front(), 1e-4);
  EXPECT_EQ(etas.back(), std::pow(10.0, 4.5));
  EXPECT_EQ(evaluate("j, j = -4..5 by 0.75").size(), 13U);
  EXPECT_EQ(evaluate("j, j = 0..1 by 0.1").size(), 11U) << "although ten times 0.1 is not reached exactly";
  EXPECT_EQ(evaluate("j, j = 0..1 by 2"), List{0});
  EXPECT_EQ(evaluate("j, j = 1..2 by alpha", constants), (List{1, 1.5, 2}));
}

TEST(Formula, KnowsConstants) {
  EXPECT_EQ(value("alpha / 5"), 0.1);
  EXPECT_EQ(value("x_2"), 7);
  EXPECT_EQ(evaluate("alphas", constants), (List{1, 2, 4}));
  EXPECT_EQ(evaluate("alphas / 10 + alpha", constants), (List{0.6, 0.7, 0.9}));
  EXPECT_EQ(evaluate("1 / alphas", constants), (List{1, 0.5, 0.25}));
  EXPECT_EQ(evaluate("alphas * alphas", constants), (List{1, 4, 16})) << "lists of one length go together";
  EXPECT_EQ(evaluate("alphas * j, j = 1..3", constants), (List{1, 4, 12}));
  EXPECT_EQ(evaluate("alpha, alpha = 1..2", constants), (List{1, 2})) << "the variable hides a constant";
}

struct Mistake {
  std::string formula;
  std::string message;
};

TEST(Formula, SaysWhatIsWrongWithIt) {
  const std::vector<Mistake> mistakes{
      {"", "it ends early"},
      {"   ", "it ends early"},
      {"1 +", "it ends early"},
      {"2 *", "it ends early"},
      {"2^", "it ends early"},
      {"-", "it ends early"},
      {"(1", "a parenthesis is not closed"},
      {"(1 + 2", "a parenthesis is not closed"},
      {"1)", "')' is not expected"},
      {"()", "')' is not expected"},
      {"* 2", "'* 2' is not expected"},
      {"2 3", "'3' is not expected"},
      {"2 alpha", "'alpha' is not expected"},
      {"0x10", "'x10' is not expected"},
      {"1e", "'e' is not expected"},
      {"1,5", "after the comma a variable is expected, such as j = -3..3"},
      {"1,", "after the comma a variable is expected, such as j = -3..3"},
      {"j, j", "after the comma a variable is expected, such as j = -3..3"},
      {"j, j = 3", "a range is expected, such as j = -3..3"},
      {"j, j = 3.5", "a range is expected, such as j = -3..3"},
      {"j, j = 1..", "it ends early"},
      {"j, j = 1..3 by", "it ends early"},
      {"j, j = 1..3 step 2", "'step' is not expected"},
      {"j, j = 1..3 by 1 2", "'2' is not expected"},
      {"j, j = 1..2, k = 1..2", "', k = 1..2' is not expected"},
      {"j, j = 1..3 by 0", "the step of a range must be above 0"},
      {"j, j = 1..3 by -1", "the step of a range must be above 0"},
      {"j, j = 3..1", "a range must not begin above its end"},
      {"j, j = alphas..5", "a range is made of single numbers, not of lists"},
      {"j, j = 0..1e9", "1e+09 values are outside [1, 100000]"},
      {"j, j = 1/0..1/0", "a value is not finite"},
      {"j, j = 0..1/0", "a value is not finite"},
      {"j^0, j = 0..1 by 1/0", "a value is not finite"},
      {"j, j = j..3", "'j' is neither its variable nor a constant"},
      {"1..3", "'..3' is not expected"},
      {"1 / 0", "a value is not finite"},
      {"(-8)^(1/3)", "a value is not finite"},
      {"1e999", "'1e999' is not a number"},
      {".", "'.' is not a number"},
      {"2^k, j = 1..3", "'k' is neither its variable nor a constant"},
      {"alhpas", "'alhpas' is neither its variable nor a constant; did you mean 'alphas'?"},
      {"nan", "'nan' is neither its variable nor a constant"},
      {"alphas + pair", "lists of 3 and 2 values do not go together"},
      {"2 ? 3", "'? 3' is not expected"},
      {"\xc3\xa4", "'\xc3\xa4' is not expected"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_EQ(testing::rejection([&] { evaluate(mistake.formula, constants); }),
              fmt::format("formula '{}': {}", mistake.formula, mistake.message));
  }
}

TEST(Formula, RefusesConstantsThatAreEmpty) {
  EXPECT_EQ(testing::rejection([] {
              evaluate("2 * none", {{"none", {}}});
            }),
            "formula '2 * none': the constant 'none' is an empty list");
}

TEST(Formula, MayBeNestedOnlySoDeeply) {
  EXPECT_EQ(evaluate(fmt::format("{}1{}", std::string(50, '('), std::string(50, ')'))), List{1});
  for (const char* opening : {"(", "-", "2^", "-("}) {
    std::string formula;
    for (int i = 0; i < 3000; ++i) formula += opening;
    EXPECT_NE(testing::rejection([&] { evaluate(formula + "1"); }).find("it is nested too deeply"), std::string::npos);
  }
  std::string flat = "0";
  for (int i = 0; i < 1000; ++i) flat += " + 2^2";
  EXPECT_EQ(evaluate(flat), List{4000}) << "which is long, not deep";
}

TEST(Formula, IsRefusedWhenItIsVeryLong) {
  std::string sum = "1";
  while (sum.size() < 2'000'001) sum += "+1";
  EXPECT_EQ(testing::rejection([&] { evaluate(sum); }),
            "formula '1+1+1+1+1+1+1+1+1+1+...': it has 2000001 characters; 10000 are the most");
}

TEST(Formula, GivesFiniteNumbersOrAReasonWhateverIsWritten) {
  const std::string alphabet = "0123.e+-*/^(),=j alphas by";
  Rng rng(1);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string formula;
    const auto length = static_cast<std::size_t>(rng.uniform() * 12);
    while (formula.size() < length) {
      formula += alphabet[static_cast<std::size_t>(rng.uniform() * static_cast<double>(alphabet.size()))];
    }
    const std::string reason = testing::rejection([&] {
      const List list = evaluate(formula, constants);
      EXPECT_FALSE(list.empty()) << formula;
      for (const double v : list) EXPECT_TRUE(std::isfinite(v)) << formula;
      ++accepted;
    });
    EXPECT_TRUE(reason == "accepted" || reason.starts_with("formula '")) << reason;
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace bellwether
