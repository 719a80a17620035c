#include <bellwether/learners/learners.h>

#include <fmt/format.h>

#include <bellwether/core/support/memory.h>
#include <bellwether/core/support/text.h>
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

double least_bytes(std::string_view name, std::size_t dim, const Settings& settings) {
  const RegisteredLearner& learner = registered_learner(name);
  const auto d = static_cast<double>(dim);
  const double more = learner.least_numbers == nullptr ? 0 : learner.least_numbers(dim, settings);
  switch (learner.work) {
    case Work::matrix: return sizeof(double) * (d * d + more);
    case Work::features: return sizeof(double) * (2 * d + more);  // the weights and a trace
    default: return sizeof(double) * (d + more);
  }
}

void require_memory_for(std::size_t learners, std::string_view name, std::size_t dim, const Settings& settings,
                        double beside) {
  const bool matrix = registered_learner(name).work == Work::matrix;
  const bool ranked = registered_learner(name).least_numbers != nullptr;
  const std::string features = fmt::format("{} with {} features", name, grouped(dim));
  const std::string what = learners == 1 ? features : fmt::format("{} {}", grouped(learners), features);
  require_memory(static_cast<double>(learners) * least_bytes(name, dim, settings) + beside, what,
                 matrix         ? "take lstd_krylov"
                 : ranked       ? "take a smaller rank or fewer features"
                 : learners > 1 ? "take `resamples=0` or fewer features"
                                : "take fewer features");
}

std::unique_ptr<Learner> make_learner(std::string_view name, std::size_t dim, const Settings& settings) {
  require_memory_for(1, name, dim, settings);
  return find_entry(learners(), "learner", name).make(settings, dim);
}

}  // namespace bellwether
