#pragma once

#include <memory>
#include <vector>

#include <bellwether/core/params/entry.h>
#include <bellwether/core/params/params.h>

/// Lists of types, and their entries by name (core/params/entry.h).
///
/// `using TDLearners = TypeList<TD, TrueOnlineTD, ...>` is the only place where a learner of that family is registered.
/// No macros and no static self-registration: linkers drop objects nobody refers to.
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

/// Two lists as one: TypeList<A...>{} + TypeList<B...>{}
template <class... A, class... B>
constexpr TypeList<A..., B...> operator+(TypeList<A...>, TypeList<B...>) {
  return {};
}

/// The entry of the type T.
template <class Interface, class T, class... Context>
Entry<Interface, Context...> entry_of() {
  return {T::name, T::doc, describe<typename T::Params>(),
          [](const Settings& settings, Context... context) -> std::unique_ptr<Interface> {
            return std::make_unique<T>(context..., parse_params<typename T::Params>(T::name, settings));
          },
          [](const Settings& settings) { return values(parse_params<typename T::Params>(T::name, settings)); }};
}

template <class Interface, class... Context, class... T>
std::vector<Entry<Interface, Context...>> entries(TypeList<T...>) {
  return {entry_of<Interface, T, Context...>()...};
}

}  // namespace bellwether
