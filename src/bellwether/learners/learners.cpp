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
  const auto index = &find_entry(learners(), "learner", name) - learners().data();
  return registered_learners()[static_cast<std::size_t>(index)];
}

const std::vector<LearnerEntry>& learners() {
  static const auto all = [] {
    std::vector<LearnerEntry> every;
    for (const RegisteredLearner& learner : registered_learners()) every.push_back(learner.entry);
    return every;
  }();
  return all;
}

std::unique_ptr<Learner> make_learner(std::string_view name, std::size_t dim, const Settings& settings) {
  return find_entry(learners(), "learner", name).make(settings, dim);
}

}  // namespace bellwether
