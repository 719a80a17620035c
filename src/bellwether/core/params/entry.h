#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/params/settings.h>

namespace bellwether {

/// What a page of the reference says, beside the parameters. A header keeps it as `static constexpr Doc doc`, so that
/// the text a reader of the header sees is the text `bellwether help` prints.
///
/// The strings are literals, and live as long as the program.
struct Doc {
  const char* summary;    // one sentence, with a full stop
  const char* detail;     // the update or the dynamics in ASCII mathematics
  const char* reference;  // where it comes from
  const char* note = "";  // cost, and what surprises
};

/// A learner, domain or feature map that can be made by name. `learners()`, `domains()` and `feature_maps()` list what
/// there is; a program that offers a choice, or fills a form with parameters, reads it from there:
///
///     for (const LearnerEntry& entry : learners()) {
///       std::printf("%s: %s\n", entry.name.c_str(), entry.doc.summary);
///       for (const ParamInfo& param : entry.params) std::printf("  %s\n", param.name.c_str());
///     }
///
/// `make` takes the settings and whatever else the kind needs: the number of features for a learner, the variables for
/// a feature map. `resolve` checks settings and adds the defaults without making anything. Both throw InvalidArgument
/// when a parameter does not exist, is named twice, cannot be read or is out of range.
template <class Interface, class... Context>
struct Entry {
  std::string name;  // what users type, such as "true_online_td"
  Doc doc;
  std::vector<ParamInfo> params;  // in the order of the help pages
  std::unique_ptr<Interface> (*make)(const Settings&, Context...);
  Settings (*resolve)(const Settings&);  // every parameter, in order
};

namespace internal {

/// Throws InvalidArgument: "there is no learner 'tdd'; did you mean 'td'? (known: td, lstd)"
[[noreturn]] void reject_entry(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

}  // namespace internal

/// The entry called `name`, such as `find_entry(learners(), "learner", "td")`; `kind` is for the message. Throws
/// InvalidArgument, suggesting the nearest name there is. The entry lives as long as the list: to the end of the
/// program.
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
