#include <bellwether/data/numpy/npz.h>

#include <algorithm>

#include <fmt/format.h>

#include <bellwether/core/error.h>
#include <bellwether/core/params.h>

namespace bellwether {

namespace {

constexpr std::string_view ending = ".npy";

}  // namespace

NpzArchive::NpzArchive(const std::string& path) : zip_(path) {
  for (const ZipMember& member : zip_.members()) {
    if (member.name.ends_with(ending)) arrays_.push_back(member.name.substr(0, member.name.size() - ending.size()));
  }
}

bool NpzArchive::has(const std::string& array) const {
  return std::find(arrays_.begin(), arrays_.end(), array) != arrays_.end();
}

NpyReader NpzArchive::open(const std::string& array) const {
  for (const ZipMember& member : zip_.members()) {
    if (member.name == array + std::string(ending)) {
      return {zip_.open(member), fmt::format("{}: array '{}'", name(), array)};
    }
  }
  throw InvalidArgument(fmt::format("{}: {}", name(), no_such("array", array, arrays_)));
}

}  // namespace bellwether
