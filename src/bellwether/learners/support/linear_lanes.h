#pragma once

#include <bellwether/learners/abtd.h>
#include <bellwether/learners/etd.h>
#include <bellwether/learners/gtd.h>
#include <bellwether/learners/gtd2.h>
#include <bellwether/learners/htd.h>
#include <bellwether/learners/implicit_td.h>
#include <bellwether/learners/support/lanes.h>
#include <bellwether/learners/td.h>
#include <bellwether/learners/tdrc.h>
#include <bellwether/learners/tree_backup.h>
#include <bellwether/learners/true_online_etd.h>
#include <bellwether/learners/true_online_gtd.h>
#include <bellwether/learners/true_online_td.h>
#include <bellwether/learners/vtrace.h>

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
