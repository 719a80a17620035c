#include <bellwether/learners/sharing/linear_lanes.h>

#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

BELLWETHER_SIMD_FLAT void learn_together(BasicGTD<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicGTD2<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTDRC<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicHTD<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTrueOnlineGTD<Pack>& pack, const Batch& batch) { pack.learn(batch); }

}  // namespace bellwether
