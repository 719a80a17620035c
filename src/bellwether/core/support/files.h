#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

/// Whole files: read at once, and written so that nobody ever sees half of one.
namespace bellwether {

/// A file that appears under its name only when it is complete: it is written beside its place and renamed by `commit`.
/// If the program stops before that, a file of the same name keeps its old content. A link stays a link; a pipe or a
/// device is written to directly. Throws IoError naming the file and the reason.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);

  /// Gives the file its name. Without it the file is discarded.
  void commit();

 private:
  [[noreturn]] void fail() const;

  std::string path_;     // as given, for messages
  std::string target_;   // where links lead
  std::string partial_;  // the name of the file until `commit`; empty for pipes and devices
  std::FILE* file_ = nullptr;
};

/// The content of a file. Throws IoError when it cannot be read.
std::string read_file(const std::string& path);

/// Writes an OutputFile at once.
void write_file(const std::string& path, std::string_view bytes);

/// Throws InvalidArgument when an output is one of the inputs, or the same file as another output. Empty paths are
/// outputs that are not wanted, and "-" is a stream, which cannot be overwritten.
void reject_overwriting(std::string_view who, std::vector<std::string> inputs, const std::vector<std::string>& outputs);

}  // namespace bellwether
