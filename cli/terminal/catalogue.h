#pragma once

#include <string>
#include <vector>

#include <bellwether/core/params/registry.h>

namespace bellwether::cli {

/// A learner, domain or feature map and its documentation.
struct CatalogueEntry {
  std::string name;
  Doc doc;
  std::vector<ParamInfo> params;
};

/// All entries of one kind.
struct CatalogueSection {
  std::string kind;      // "learners"
  std::string singular;  // "learner"
  std::vector<CatalogueEntry> entries;
};

/// Everything that is registered, in the order of the registries.
const std::vector<CatalogueSection>& catalogue();

}  // namespace bellwether::cli
