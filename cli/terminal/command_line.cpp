#include "terminal/command_line.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace bellwether::cli {

namespace {

std::string quoted(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("-_./=,:+@%").find(static_cast<char>(c)) != std::string::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') text += "'\\''";
    else text += c;
  }
  return text + "'";
}

}  // namespace

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(file), {});
  std::string text = "bellwether";
  bool program = true;
  for (std::size_t at = 0; at < all.size();) {
    const std::string word = all.substr(at, all.find('\0', at) - at);
    at += word.size() + 1;
    if (!program) text += " " + quoted(word);
    program = false;
  }
  return text;
}

}  // namespace bellwether::cli
