#pragma once

#include <memory>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/core/domain.h>

namespace bellwether {

/// An endless run of a domain as features: episode after episode, in batches of any size.
///
///     BoyanChain chain({});
///     Stream stream(chain, chain.features(), /*seed=*/1);
///     learner.learn(stream.next(1000));
///
/// The steps are a function of (domain, features, seed, run) and do not depend on how they are cut into batches. The
/// domain must outlive the stream.
class Stream {
 public:
  Stream(const Domain& domain, std::shared_ptr<const FeatureMap> features, std::uint64_t seed, std::uint64_t run = 0);

  std::size_t dim() const { return features_->dim(); }

  /// The next n steps. The view is valid until the next call. Memory is reused from call to call.
  Batch next(std::size_t n);

 private:
  const Domain& domain_;
  std::shared_ptr<const FeatureMap> features_;
  Rng rng_;
  std::vector<double> state_;
  Moment moment_;
  BatchBuffer buffer_;
};

}  // namespace bellwether
