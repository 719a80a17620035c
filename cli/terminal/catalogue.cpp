#include "terminal/catalogue.h"

#include <bellwether/domains/domains.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>

namespace bellwether::cli {

namespace {

template <class Registered>
CatalogueSection section(std::string kind, std::string singular, const Registered& registered) {
  CatalogueSection section{std::move(kind), std::move(singular), {}};
  for (const auto& entry : registered) section.entries.push_back({entry.name, entry.doc, entry.params});
  return section;
}

}  // namespace

const std::vector<CatalogueSection>& catalogue() {
  static const std::vector<CatalogueSection> all{section("learners", "learner", learners()),
                                                 section("domains", "domain", domains()),
                                                 section("features", "feature map", feature_maps())};
  return all;
}

}  // namespace bellwether::cli
