#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/params/settings.h>

namespace bellwether {

/// What a page of the reference says, beside the parameters. A header keeps it as `static constexpr Doc doc`, so that
/// the text a reader of the header sees is the text `bellwether help` prints.
struct Doc {
  const char* summary;    // one sentence
  const char* detail;     // the update or the dynamics in ASCII mathematics
  const char* reference;  // where it comes from
  const char* note = "";  // cost, and what surprises
};

/// A learner, domain or feature map that can be made by name.
///
/// `make` takes the settings and whatever else the kind needs: the number of features for a learner, the variables for
/// a feature map. `resolve` checks settings and adds the defaults without making anything. Both throw InvalidArgument.
template <class Interface, class... Context>
struct Entry {
  std::string name;
  Doc doc;
  std::vector<ParamInfo> params;
  std::unique_ptr<Interface> (*make)(const Settings&, Context...);
  Settings (*resolve)(const Settings&);
};

namespace internal {

/// Throws InvalidArgument: "there is no learner 'tdd'; did you mean 'td'? (known: td, lstd)"
[[noreturn]] void reject_entry(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

}  // namespace internal

/// The entry called `name`, such as `find_entry(learners(), "learner", "td")`. Throws InvalidArgument, suggesting the
/// nearest name there is.
template <class E>
const E& find_entry(const std::vector<E>& all, std::string_view kind, std::string_view name) {
  std::vector<std::string> known;
  for (const E& entry : all) {
    if (entry.name == name) return entry;
    known.push_back(entry.name);
  }
  internal::reject_entry(kind, name, known);
}

}  // namespace bellwether
