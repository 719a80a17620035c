#include <bellwether/learners/sharing/linear_lanes.h>

#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

BELLWETHER_SIMD_FLAT void learn_together(BasicTD<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicETD<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTrueOnlineTD<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTrueOnlineETD<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicVTrace<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicABTD<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTreeBackup<Eight>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicImplicitTD<Eight>& pack, const Batch& batch) { pack.learn(batch); }

}  // namespace bellwether
