#include <bellwether/learners/sharing/linear_lanes.h>

#include <bellwether/linalg/simd/simd.h>

namespace bellwether {

BELLWETHER_SIMD_FLAT void learn_together(BasicTD<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicETD<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTrueOnlineTD<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTrueOnlineETD<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicVTrace<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicABTD<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicTreeBackup<Pack>& pack, const Batch& batch) { pack.learn(batch); }
BELLWETHER_SIMD_FLAT void learn_together(BasicImplicitTD<Pack>& pack, const Batch& batch) { pack.learn(batch); }

}  // namespace bellwether
