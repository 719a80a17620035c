#include <bellwether/learners/all.h>

namespace bellwether {

const std::vector<LearnerEntry>& learners() {
  static const auto all = entries<Learner, std::size_t>(Learners{});
  return all;
}

std::unique_ptr<Learner> make_learner(std::string_view name, std::size_t dim, const Settings& settings) {
  return find_entry(learners(), "learner", name).make(settings, dim);
}

}  // namespace bellwether
