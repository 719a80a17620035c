#include <bellwether/learners/learners.h>

#include <bellwether/learners/families.h>

namespace bellwether {

const std::vector<RegisteredLearner>& registered_learners() {
  static const auto all = [] {
    std::vector<RegisteredLearner> every;
    for (const auto& family : {td_learners(), gradient_learners(), least_squares_learners(), accelerated_learners()}) {
      every.insert(every.end(), family.begin(), family.end());
    }
    return every;
  }();
  return all;
}

const RegisteredLearner& registered_learner(std::string_view name) {
  return find_entry(registered_learners(), "learner", name);
}

const std::vector<LearnerEntry>& learners() {
  static const std::vector<LearnerEntry> all(registered_learners().begin(), registered_learners().end());
  return all;
}

std::unique_ptr<Learner> make_learner(std::string_view name, std::size_t dim, const Settings& settings) {
  return find_entry(learners(), "learner", name).make(settings, dim);
}

}  // namespace bellwether
