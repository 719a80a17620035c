#pragma once

#include <bellwether/core/params/registry.h>
#include <bellwether/domains/baird.h>
#include <bellwether/domains/boyan_chain.h>
#include <bellwether/domains/collision.h>
#include <bellwether/domains/domains.h>
#include <bellwether/domains/energy.h>
#include <bellwether/domains/garnet.h>
#include <bellwether/domains/mountain_car.h>
#include <bellwether/domains/random_walk.h>

namespace bellwether {

/// All domains. Adding one takes a header and a line here.
using Domains = TypeList<Baird, BoyanChain, Collision, Energy, Garnet, MountainCar, RandomWalk>;

}  // namespace bellwether
