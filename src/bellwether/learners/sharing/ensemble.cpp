#include <bellwether/learners/sharing/ensemble.h>

#include <algorithm>
#include <vector>

namespace bellwether {

void Ensemble::eight_weights(std::size_t first, std::span<double> lanes) {
  std::fill(lanes.begin(), lanes.end(), 0.0);
  std::vector<double> w(dim_);
  for (std::size_t l = 0; l < 8 && first + l < size(); ++l) {
    weights(first + l, w);
    for (std::size_t j = 0; j < dim_; ++j) lanes[8 * j + l] = w[j];
  }
}

}  // namespace bellwether
