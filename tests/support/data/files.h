#pragma once

#include <string>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace bellwether::testing {

/// Writes bytes to a file and returns its path.
std::string write_file(const std::string& path, const std::string& bytes);

/// Bytes as a stream of deflate, without a header.
std::string deflated(const std::string& bytes);

/// Bytes as the program gzip compresses them.
std::string gzip(const std::string& bytes);

/// Tests of a reader of files, with a folder to write them to.
class FileTest : public ::testing::Test {
 protected:
  explicit FileTest(const std::string& file) : file_(folder_.path(file)) {}

  /// A message without the folder.
  std::string short_of(std::string message) const;

  TemporaryFolder folder_;
  std::string file_;  // the file that most tests write
};

}  // namespace bellwether::testing
