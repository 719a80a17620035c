#pragma once

#include <memory>
#include <vector>

#include <bellwether/core/batch.h>
#include <bellwether/core/domain.h>

namespace bellwether {

/// An endless run of a domain as features: episode after episode, in batches of any size. The behaviour policy acts;
/// where it differs from the target policy, steps carry the ratio rho.
///
///     const auto chain = make_domain("boyan_chain");
///     Stream stream(*chain, chain->features(), /*seed=*/1);
///     learner->learn(stream.next(1000));
///
/// The steps are a function of (domain, features, seed, run) and do not depend on how they are cut into batches. Runs
/// are independent of one another, so 30 runs of a study are runs 0, ..., 29 of one seed.
class Stream {
 public:
  /// Starts the first episode. The domain must outlive the stream; the features are shared with it. Features of the
  /// domain's states, random ones included, come from `Domain::features` or `make_features` (features/feature_maps.h).
  Stream(const Domain& domain, std::shared_ptr<const FeatureMap> features, std::uint64_t seed, std::uint64_t run = 0);

  std::size_t dim() const { return features_->dim(); }  // what `make_learner` asks for

  /// The next n steps. The view is valid until the next call. Memory is reused from call to call, so a stream
  /// can run for ever.
  Batch next(std::size_t n);

  /// The same steps in a buffer of the caller's, for as long as the caller wants them.
  BatchBuffer take(std::size_t n);

 private:
  const Domain& domain_;
  std::shared_ptr<const FeatureMap> features_;
  Rng rng_;
  std::vector<double> state_;
  Moment moment_;
  BatchBuffer buffer_;
};

}  // namespace bellwether
