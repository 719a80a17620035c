#pragma once

#include <bellwether/learners/families.h>
#include <bellwether/learners/linear_learner.h>
#include <bellwether/learners/sharing/lanes.h>
#include <bellwether/learners/sharing/shared_system.h>
#include <bellwether/traces/step_size.h>

/// The registration of a learner, made from its rule. Only the files that register a family include this, since it
/// compiles every learner of the family, alone and together.
namespace bellwether {

/// The ensemble in which learners of a rule share work: lanes of eight for rules written for them, one system with many
/// heads for rules that have these, and nothing for others.
template <class Rule>
auto ensemble_of() {
  if constexpr (requires { typename Rule::template State<Eight>; }) return std::type_identity<Lanes<Rule>>{};
  else if constexpr (requires { typename Rule::Head; }) return std::type_identity<SharedSystem<Rule>>{};
  else return std::type_identity<void>{};
}

template <class Rule>
RegisteredLearner registered(std::type_identity<LinearLearner<Rule>>) {
  using Params = typename Rule::Params;
  using Together = typename decltype(ensemble_of<Rule>())::type;
  const auto entry = entry_of<Learner, LinearLearner<Rule>, std::size_t>();
  RegisteredLearner learner{entry, entry.resolve, nullptr};
  if constexpr (requires { Rule::work; }) learner.work = Rule::work;
  if constexpr (requires(const Params& params) { Rule::least_numbers(std::size_t{}, params); }) {
    learner.least_numbers = [](std::size_t dim, const Settings& settings) {
      return Rule::least_numbers(dim, parse_params<Params>(Rule::name, settings));
    };
  }
  for_each_field<Params>([&]<template <class, class> class Kind, class T>(const Kind<Params, T>& field) {
    if constexpr (std::is_same_v<Kind<Params, T>, StepSizeField<Params, T>>)
      learner.step_sizes.emplace_back(field.name);
    if constexpr (std::is_same_v<Kind<Params, T>, RidgeField<Params, T>>) learner.ridges.emplace_back(field.name);
  });
  if constexpr (!std::is_void_v<Together>) {
    learner.in_common = [](const Settings& settings) {
      return values(Together::in_common(parse_params<Params>(Rule::name, settings)));
    };
    learner.make_ensemble = [](std::size_t dim, std::span<const Settings> members) -> std::unique_ptr<Ensemble> {
      std::vector<Params> params;
      for (const Settings& settings : members) params.push_back(parse_params<Params>(Rule::name, settings));
      return std::make_unique<Together>(dim, params);
    };
  }
  return learner;
}

/// The registrations of a list of learners, TypeList<TD, TrueOnlineTD, ...>.
template <class... L>
std::vector<RegisteredLearner> registered(TypeList<L...>) {
  return {registered(std::type_identity<L>{})...};
}

}  // namespace bellwether
