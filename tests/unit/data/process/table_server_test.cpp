// The process that reads a file for another one: what it is asked may be anything.
#include <bellwether/data/process/table_process.h>

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include <bellwether/data/process/table_messages.h>

#include "support/child.h"
#include "support/sanitizers.h"

namespace bellwether {
namespace {

using table_messages::Answer;
using table_messages::Asked;
using table_messages::Outcome;

/// A table server in a process of its own, which lowers limits for itself.
class TableServer : public ::testing::Test {
 protected:
  TableServer()
      : made_(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) == 0), server_([this] {
          close(ends_[0]);
          return serve_table(ends_[1]);
        }) {
    close(ends_[1]);
  }
  ~TableServer() override { hang_up(); }

  Answer answer_to(const std::string& message) const {
    EXPECT_TRUE(table_messages::send(ends_[0], message));
    const auto bytes = table_messages::receive(ends_[0], [] { return false; });
    EXPECT_TRUE(bytes.has_value()) << "it has ended";
    return bytes ? table_messages::answer_of(*bytes) : Answer{};
  }

  /// Ends the conversation; the exit code of the server.
  int hang_up() {
    if (!made_) return 0;
    made_ = false;
    close(ends_[0]);
    return server_.code();
  }

  int ends_[2] = {-1, -1};
  bool made_;
  testing::Child server_;
};

TEST_F(TableServer, AnswersGarbageWithAnErrorAndGoesOn) {
  ASSERT_TRUE(made_);
  for (const std::string& garbage : {std::string(), std::string("garbage"), std::string(1000, '\xff')}) {
    const Answer answer = answer_to(garbage);
    EXPECT_EQ(answer.outcome, Outcome::invalid_argument);
    EXPECT_TRUE(answer.message.starts_with("a saved state ")) << answer.message;
  }
  EXPECT_EQ(answer_to(table_messages::bytes_of({.asked = Asked::read, .rows = 1})).message, "no table is open");
  EXPECT_EQ(hang_up(), 0);
}

TEST_F(TableServer, EndsWhereAMessageIsLargerThanItsMemory) {
  if (testing::sanitized) GTEST_SKIP() << "sanitizers end the process where memory is short";
  ASSERT_TRUE(made_);
  const std::uint64_t size = std::uint64_t{1} << 32U;  // bytes, the largest that is not refused at once
  ASSERT_EQ(write(ends_[0], &size, sizeof size), static_cast<ssize_t>(sizeof size));
  EXPECT_TRUE(table_messages::send(ends_[0], ""));
  const int code = hang_up();
  EXPECT_TRUE(code == 0 || code == 1) << code;
}

}  // namespace
}  // namespace bellwether
