#include "fuzz/target.h"

#include <bellwether/core/error.h>

namespace bellwether::fuzz {

std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

bool accepts(const Target& target, const std::string& bytes) {
  try {
    target.run(bytes);
    return true;
  } catch (const InvalidArgument&) {
    return false;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace bellwether::fuzz
