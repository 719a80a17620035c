#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/features/bias.h>
#include <bellwether/features/categorical.h>
#include <bellwether/features/cross.h>
#include <bellwether/features/feature_maps.h>
#include <bellwether/features/fourier.h>
#include <bellwether/features/noise.h>
#include <bellwether/features/polynomial.h>
#include <bellwether/features/radial_basis.h>
#include <bellwether/features/tabular.h>
#include <bellwether/features/tile_coding.h>

namespace bellwether {

/// All feature maps except the domains' own features. Adding one takes a header and a line here.
using FeatureMaps = TypeList<Bias, Categorical, Cross, Fourier, Noise, Polynomial, RadialBasis, Tabular, TileCoding>;

}  // namespace bellwether
