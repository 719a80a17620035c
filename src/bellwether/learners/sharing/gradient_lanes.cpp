#include <bellwether/learners/sharing/linear_lanes.h>

#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

BELLWETHER_SIMD_FLAT void learn_together(BasicGTD<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicGTD2<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTDRC<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicHTD<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTrueOnlineGTD<Eight>& pack, const Batch& batch) { pack.learn(batch); }

}  // namespace bellwether
