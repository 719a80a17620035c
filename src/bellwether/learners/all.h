#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/abtd.h>
#include <bellwether/learners/atd.h>
#include <bellwether/learners/atd_compensated.h>
#include <bellwether/learners/atd_diagonal.h>
#include <bellwether/learners/atd_full.h>
#include <bellwether/learners/atd_sketch.h>
#include <bellwether/learners/atd_tridiagonal.h>
#include <bellwether/learners/auto_tidbd.h>
#include <bellwether/learners/etd.h>
#include <bellwether/learners/fast_lstd.h>
#include <bellwether/learners/gtd.h>
#include <bellwether/learners/gtd2.h>
#include <bellwether/learners/htd.h>
#include <bellwether/learners/ilstd.h>
#include <bellwether/learners/implicit_td.h>
#include <bellwether/learners/lstd.h>
#include <bellwether/learners/lstd_krylov.h>
#include <bellwether/learners/projected_lstd.h>
#include <bellwether/learners/support/by_name.h>
#include <bellwether/learners/swift_td.h>
#include <bellwether/learners/td.h>
#include <bellwether/learners/tdrc.h>
#include <bellwether/learners/tidbd.h>
#include <bellwether/learners/tlstd.h>
#include <bellwether/learners/tree_backup.h>
#include <bellwether/learners/true_online_etd.h>
#include <bellwether/learners/true_online_gtd.h>
#include <bellwether/learners/true_online_td.h>
#include <bellwether/learners/vtrace.h>

namespace bellwether {

/// Every learner there is. Adding one is a header and a line here: the command line, the help pages, the contract tests
/// and the benchmarks follow.
using Learners =
    TypeList<TD, TrueOnlineTD, ETD, TrueOnlineETD, GTD, GTD2, HTD, TDRC, TrueOnlineGTD, VTrace, ABTD, TreeBackup, TIDBD,
             AutoTIDBD, SwiftTD, ImplicitTD, LSTD, LSTDKrylov, ILSTD, TLSTD, ProjectedLSTD, FastLSTD, ATD, ATDFull,
             ATDDiagonal, ATDTridiagonal, ATDSketch, ATDCompensated>;

}  // namespace bellwether
