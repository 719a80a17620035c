#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <bellwether/learners/sharing/ensemble.h>

/// Learners by name that learn together.
namespace bellwether {

/// Learners of one type with fully resolved settings may learn together when their keys are equal: they then differ
/// only in parameters that leave something to share.
std::string sharing_key(std::string_view name, const Settings& settings);

enum class Sharing : bool { off, on };

/// Learners of one type as an ensemble. They share their work if their sharing keys are equal, unless there is only one
/// or sharing is off.
std::unique_ptr<Ensemble> make_ensemble(std::string_view name, std::size_t dim, const std::vector<Settings>& members,
                                        Sharing sharing = Sharing::on);

}  // namespace bellwether
