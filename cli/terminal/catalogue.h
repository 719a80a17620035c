#pragma once

#include <string>
#include <vector>

#include <bellwether/core/registry.h>

namespace bellwether::cli {

/// What the library says of one learner, domain or feature map.
struct Page {
  std::string name;
  Doc doc;
  std::vector<ParamInfo> params;
};

/// Pages of one kind.
struct Section {
  std::string kind;      // "learners"
  std::string singular;  // "learner"
  std::vector<Page> pages;
};

/// Everything that is registered, in the order of the registries.
const std::vector<Section>& catalogue();

}  // namespace bellwether::cli
