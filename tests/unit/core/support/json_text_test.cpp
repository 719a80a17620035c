#include <bellwether/core/support/json_text.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace bellwether {
namespace {

TEST(JsonText, HoldsNamesOfAnyBytes) {
  const nlohmann::json all{{"file", "l\xff.csv"}, {"learner", "\xc3\xa9"}};
  EXPECT_EQ(json_text(all), "{\"file\":\"l\xef\xbf\xbd.csv\",\"learner\":\"\xc3\xa9\"}");
  EXPECT_EQ(json_text(nlohmann::ordered_json{{"b", "\xff"}, {"a", 1}}, 1),
            "{\n \"b\": \"\xef\xbf\xbd\",\n \"a\": 1\n}");
}

}  // namespace
}  // namespace bellwether
