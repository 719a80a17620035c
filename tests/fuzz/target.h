#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// Parsers of bytes that come from outside, as the fuzzer sees them. A file in targets/ adds one. The preset `fuzz`
/// links each with libFuzzer (fuzzer.cpp) into a program of its own; the tests link all of them and replay what is in
/// corpus/.
namespace bellwether::fuzz {

/// Changes a text in some way, which may make it longer, up to the given length.
using Change = std::function<std::string(std::string text, std::size_t longest)>;

struct Target {
  std::string name;

  /// Parses the bytes and uses what was made of them, as the program does. May throw InvalidArgument and IoError; any
  /// other exception, like anything that a sanitizer reports, is a finding.
  std::function<void(const std::string& bytes)> run;

  /// Changes an input of which little would be left by changing its bytes anywhere, such as one with a checksum; none
  /// where libFuzzer does well by itself. `seed` makes the choice, `change` changes a part.
  std::function<std::string(const std::string& bytes, std::size_t longest, std::uint32_t seed, const Change& change)>
      mutate = {};

  /// Good inputs to begin with, beside those in corpus/, by the names of their files.
  std::function<std::map<std::string, std::string>()> seeds = {};
};

/// Those that this program was linked with.
std::vector<Target>& targets();

/// Adds a target before `main` begins.
struct Registered {
  explicit Registered(Target target) { targets().push_back(std::move(target)); }
};

/// Runs a target on one input. Returns whether it was accepted: neither InvalidArgument nor IoError were thrown.
bool accepts(const Target& target, const std::string& bytes);

}  // namespace bellwether::fuzz
