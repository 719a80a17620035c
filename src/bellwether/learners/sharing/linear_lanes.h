#pragma once

#include <bellwether/learners/gradient/gtd.h>
#include <bellwether/learners/gradient/gtd2.h>
#include <bellwether/learners/gradient/htd.h>
#include <bellwether/learners/gradient/tdrc.h>
#include <bellwether/learners/gradient/true_online_gtd.h>
#include <bellwether/learners/sharing/lanes.h>
#include <bellwether/learners/td/abtd.h>
#include <bellwether/learners/td/etd.h>
#include <bellwether/learners/td/implicit_td.h>
#include <bellwether/learners/td/td.h>
#include <bellwether/learners/td/tree_backup.h>
#include <bellwether/learners/td/true_online_etd.h>
#include <bellwether/learners/td/true_online_td.h>
#include <bellwether/learners/td/vtrace.h>

namespace bellwether {

/// Learns from consecutive steps, with the best instructions that the processor has.
void learn_together(BasicTD<Eight>& pack, const Batch& batch);
void learn_together(BasicETD<Eight>& pack, const Batch& batch);
void learn_together(BasicTrueOnlineTD<Eight>& pack, const Batch& batch);
void learn_together(BasicTrueOnlineETD<Eight>& pack, const Batch& batch);
void learn_together(BasicVTrace<Eight>& pack, const Batch& batch);
void learn_together(BasicABTD<Eight>& pack, const Batch& batch);
void learn_together(BasicTreeBackup<Eight>& pack, const Batch& batch);
void learn_together(BasicImplicitTD<Eight>& pack, const Batch& batch);
void learn_together(BasicGTD<Eight>& pack, const Batch& batch);
void learn_together(BasicGTD2<Eight>& pack, const Batch& batch);
void learn_together(BasicTDRC<Eight>& pack, const Batch& batch);
void learn_together(BasicHTD<Eight>& pack, const Batch& batch);
void learn_together(BasicTrueOnlineGTD<Eight>& pack, const Batch& batch);

}  // namespace bellwether
