#pragma once

#include <bellwether/core/registry.h>
#include <bellwether/learners/accelerated/atd.h>
#include <bellwether/learners/accelerated/atd_compensated.h>
#include <bellwether/learners/accelerated/atd_diagonal.h>
#include <bellwether/learners/accelerated/atd_full.h>
#include <bellwether/learners/accelerated/atd_sketch.h>
#include <bellwether/learners/accelerated/atd_tridiagonal.h>
#include <bellwether/learners/gradient/gtd.h>
#include <bellwether/learners/gradient/gtd2.h>
#include <bellwether/learners/gradient/htd.h>
#include <bellwether/learners/gradient/tdrc.h>
#include <bellwether/learners/gradient/true_online_gtd.h>
#include <bellwether/learners/learners.h>
#include <bellwether/learners/least_squares/fast_lstd.h>
#include <bellwether/learners/least_squares/ilstd.h>
#include <bellwether/learners/least_squares/lstd.h>
#include <bellwether/learners/least_squares/lstd_krylov.h>
#include <bellwether/learners/least_squares/projected_lstd.h>
#include <bellwether/learners/least_squares/tlstd.h>
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

/// Every learner there is. Adding one is a header and a line here: the command line, the help pages, the contract tests
/// and the benchmarks follow.
using Learners =
    TypeList<TD, TrueOnlineTD, ETD, TrueOnlineETD, GTD, GTD2, HTD, TDRC, TrueOnlineGTD, VTrace, ABTD, TreeBackup, TIDBD,
             AutoTIDBD, SwiftTD, ImplicitTD, LSTD, LSTDKrylov, ILSTD, TLSTD, ProjectedLSTD, FastLSTD, ATD, ATDFull,
             ATDDiagonal, ATDTridiagonal, ATDSketch, ATDCompensated>;

}  // namespace bellwether
