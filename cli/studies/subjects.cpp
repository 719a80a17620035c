#include "studies/subjects.h"

namespace bellwether::cli {

const std::vector<std::pair<std::string, std::vector<std::string>>>& subjects() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> all{
      {"boyan", {"boyan"}},
      {"mountain_car", {"mountain_car", "mountain_car_randomness", "mountain_car_ranks"}},
      {"noisy_mountain_car", {"noisy_mountain_car", "noisy_mountain_car_episodes"}},
      {"energy", {"energy"}},
      {"off_policy", {"off_policy_baird", "off_policy_collision", "off_policy_mountain_car"}},
      {"beyond", {"learners"}},
      {"ablations", {"mountain_car_ablations", "energy_ablations"}},
      {"untuned", {"untuned", "untuned_long"}}};
  return all;
}

std::vector<std::string> names_of_subjects() {
  std::vector<std::string> names;
  for (const auto& subject : subjects()) names.push_back(subject.first);
  names.emplace_back("all");
  return names;
}

}  // namespace bellwether::cli
