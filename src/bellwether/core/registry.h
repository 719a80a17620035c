#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/core/params.h>

/// Lists of types, and what can be asked of them by name at run time.
///
/// `using Learners = TypeList<TD, TrueOnlineTD, ...>` is the only place where a learner is registered. No macros and no
/// static self-registration: linkers drop objects nobody refers to.
namespace bellwether {

template <class... T>
struct TypeList {
  static constexpr std::size_t size = sizeof...(T);
};

/// Calls `f.template operator()<T>()` for each type of the list.
template <class... T, class F>
void for_each_type(TypeList<T...>, F&& f) {
  (f.template operator()<T>(), ...);
}

/// What a page of the reference says, beside the parameters. A header keeps it as `static constexpr Doc doc`, so that
/// the text a reader of the header sees is the text `bellwether help` prints.
struct Doc {
  const char* summary;    // one sentence
  const char* detail;     // the update or the dynamics in ASCII mathematics
  const char* reference;  // where it comes from
  const char* note = "";  // cost, and what surprises
};

/// A registered type behind its interface.
template <class Interface, class... Context>
struct Entry {
  std::string name;
  Doc doc;
  std::vector<ParamInfo> params;
  std::unique_ptr<Interface> (*make)(const Settings&, Context...);
  Settings (*resolve)(const Settings&);  // checks parameters and adds the defaults, without making anything
};

template <class Interface, class... Context, class... T>
std::vector<Entry<Interface, Context...>> entries(TypeList<T...>) {
  return {Entry<Interface, Context...>{
      T::name, T::doc, describe<typename T::Params>(),
      [](const Settings& settings, Context... context) -> std::unique_ptr<Interface> {
        return std::make_unique<T>(context..., parse_params<typename T::Params>(T::name, settings));
      },
      [](const Settings& settings) { return values(parse_params<typename T::Params>(T::name, settings)); }}...};
}

/// The entry called `name`, or InvalidArgument with the nearest name there is.
template <class E>
const E& find_entry(const std::vector<E>& all, std::string_view kind, std::string_view name) {
  std::vector<std::string> known;
  for (const E& entry : all) {
    if (entry.name == name) return entry;
    known.push_back(entry.name);
  }
  throw InvalidArgument(no_such(kind, name, known));
}

}  // namespace bellwether
