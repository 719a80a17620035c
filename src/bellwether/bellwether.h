#pragma once

/// Everything a user of the library needs. Learners, domains and feature maps are made by name (`make_learner`,
/// `make_domain`, `make_features`); the headers behind this one are all there are in an installation. Where to begin:
///
///   values from a log or a stream           model/learning/learn.h         learn
///   a learner for your own transitions      learners/learners.h            make_learner, core/batch.h for the steps
///   a simulator with known values           domains/domains.h              make_domain, experiment/stream.h to run it
///   features of a state                     features/feature_maps.h        make_features
///   the error of learned values             metrics/value_error.h          Evaluator
///   many settings compared                  experiment/comparison.h        compare
#include <bellwether/core/support/parallel.h>
#include <bellwether/core/support/thread_limit.h>
#include <bellwether/core/version.h>
#include <bellwether/domains/domains.h>
#include <bellwether/experiment/comparison.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/learners/learners.h>
#include <bellwether/metrics/value_error.h>
#include <bellwether/model/learning/learn.h>
#include <bellwether/model/state_rows.h>
