#include <bellwether/core/state.h>

#include <limits>

#include <gtest/gtest.h>

#include "support/rejection.h"

namespace bellwether {
namespace {

using testing::rejection;

enum class Colour : std::uint8_t { red, green };

/// A class with padding between its members, and one of every kind of them.
struct Point {
  bool seen = false;
  double x = 0;

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.seen, self.x);
  }
  bool operator==(const Point&) const = default;
};

struct Everything {
  std::uint32_t count = 0;
  Colour colour = Colour::red;
  std::string name;
  std::array<double, 2> pair{};
  std::vector<double> numbers;
  std::vector<Point> points;
  std::optional<std::uint64_t> when, never{3};
  std::variant<double, std::vector<int>> either{std::vector<int>{}};
  std::pair<int, std::string> both;
  std::vector<double> known = std::vector<double>(3);

  template <class Self, class Visit>
  static void state(Self& self, Visit&& visit) {
    visit(self.count, self.colour, self.name, self.pair, self.numbers, self.points);
    visit(self.when, self.never, self.either, self.both);
    visit.fixed(self.known);
    visit(std::span(self.known.data(), 1));
    visit.require(self.count < 10);
  }
  bool operator==(const Everything&) const = default;
};

Everything something() {
  Everything all;
  all.count = 7;
  all.colour = Colour::green;
  all.name = {'a', '\0', 'b'};
  all.pair = {-0.0, std::numeric_limits<double>::infinity()};
  all.numbers = {1, 2.5};
  all.points = {{true, 1}, {false, 2}};
  all.when = 11;
  all.never.reset();
  all.either = std::vector<int>{4, 5};
  all.both = {-1, "one"};
  all.known = {1, 2, 3};
  return all;
}

template <class... T>
std::string written(const T&... parts) {
  StateWriter out;
  out(parts...);
  return out.take();
}

template <class T>
T read(const std::string& bytes, T into = {}) {
  StateReader in(bytes);
  in(into);
  in.finish();
  return into;
}

TEST(State, IsReadAsItWasWritten) { EXPECT_EQ(read<Everything>(written(something())), something()); }

TEST(State, HoldsNoPadding) {
  EXPECT_EQ(written(Point{true, 1}).size(), 9U);
  EXPECT_EQ(written(std::vector<Point>(3)).size(), 8U + 27U);
}

TEST(State, OfFixedVectorsAndSpansHoldsNumbersOnly) {
  const std::vector<double> numbers{1, 2, 3};
  StateWriter out;
  out.fixed(numbers);
  EXPECT_EQ(out.bytes(), written(std::span(numbers)));
  EXPECT_EQ(out.bytes().size(), 24U);
}

TEST(State, IsRejectedWhereverItEndsTooEarly) {
  const std::string bytes = written(something());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(rejection([&] { read<Everything>(bytes.substr(0, size)); }), "a saved state ends too early") << size;
  }
}

TEST(State, IsRejectedWhenSomethingIsLeft) {
  EXPECT_EQ(rejection([] { read<double>(written(1.0, 2.0)); }), "a saved state is longer than what it belongs to");
}

TEST(State, WithMoreElementsThanBytesIsRejectedBeforeThereIsMemoryForThem) {
  const std::string bytes = written(std::uint64_t{1} << 60U, 1.0);
  EXPECT_EQ(rejection([&] { read<std::vector<double>>(bytes); }), "a saved state ends too early");
  EXPECT_EQ(rejection([&] { read<std::string>(bytes); }), "a saved state ends too early");
}

TEST(State, OfAnotherAlternativeIsRejected) {
  const std::variant<double, int> number(1);
  EXPECT_EQ(rejection([&] { read<std::variant<double, int>>(written(number)); }),
            "a saved state belongs to something else");
}

TEST(State, ThatBreaksARuleIsRejected) {
  Everything wrong = something();
  wrong.count = 10;
  EXPECT_EQ(rejection([&] { read<Everything>(written(wrong)); }), "a saved state contradicts itself");
}

TEST(State, WithATruthThatIsNeitherTrueNorFalseIsRejected) {
  EXPECT_EQ(rejection([] { read<bool>("\x02"); }), "a saved state contradicts itself");
}

TEST(State, KeepsTheRoomThatAVectorHas) {
  std::vector<double> numbers;
  numbers.reserve(100);
  const std::string bytes = written(std::vector<double>{1, 2});
  StateReader in(bytes);
  in(numbers);
  EXPECT_EQ(numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(numbers.capacity(), 100U);
}

TEST(Places, AreBelowASizeOrNot) {
  const std::vector<std::uint32_t> places{0, 4, 2};
  EXPECT_TRUE(all_below(5, places, std::vector<std::size_t>{}));
  EXPECT_FALSE(all_below(4, places));
  EXPECT_FALSE(all_below(5, places, std::vector<std::size_t>{5}));
}

}  // namespace
}  // namespace bellwether
