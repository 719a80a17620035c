#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/learners/td/abtd.h>
#include <bellwether/learners/td/auto_tidbd.h>
#include <bellwether/learners/td/etd.h>
#include <bellwether/learners/td/implicit_td.h>
#include <bellwether/learners/td/swift_td.h>
#include <bellwether/learners/td/td.h>
#include <bellwether/learners/td/tidbd.h>
#include <bellwether/learners/td/tree_backup.h>
#include <bellwether/learners/td/true_online_etd.h>
#include <bellwether/learners/td/true_online_td.h>
#include <bellwether/learners/td/vtrace.h>

namespace bellwether {

/// The learners of this folder. Adding one takes a header and a line here.
using TDLearners =
    TypeList<TD, TrueOnlineTD, ETD, TrueOnlineETD, VTrace, ABTD, TreeBackup, ImplicitTD, TIDBD, AutoTIDBD, SwiftTD>;

}  // namespace bellwether
