#pragma once

/// Everything a user of the library needs; metrics/exact.h, which brings in Eigen, is included on its own.
#include <bellwether/core/version.h>
#include <bellwether/domains/all.h>
#include <bellwether/experiment/experiment.h>
#include <bellwether/experiment/stream.h>
#include <bellwether/features/all.h>
#include <bellwether/learners/all.h>
#include <bellwether/metrics/value_error.h>
#include <bellwether/model/log_source.h>
#include <bellwether/model/model.h>
