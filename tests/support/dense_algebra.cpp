#include "support/dense_algebra.h"

BELLWETHER_DECOMPOSITIONS()
