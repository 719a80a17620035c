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
void learn_together(BasicTD<Pack>& pack, const Batch& batch);
void learn_together(BasicETD<Pack>& pack, const Batch& batch);
void learn_together(BasicTrueOnlineTD<Pack>& pack, const Batch& batch);
void learn_together(BasicTrueOnlineETD<Pack>& pack, const Batch& batch);
void learn_together(BasicVTrace<Pack>& pack, const Batch& batch);
void learn_together(BasicABTD<Pack>& pack, const Batch& batch);
void learn_together(BasicTreeBackup<Pack>& pack, const Batch& batch);
void learn_together(BasicImplicitTD<Pack>& pack, const Batch& batch);
void learn_together(BasicGTD<Pack>& pack, const Batch& batch);
void learn_together(BasicGTD2<Pack>& pack, const Batch& batch);
void learn_together(BasicTDRC<Pack>& pack, const Batch& batch);
void learn_together(BasicHTD<Pack>& pack, const Batch& batch);
void learn_together(BasicTrueOnlineGTD<Pack>& pack, const Batch& batch);

}  // namespace bellwether
