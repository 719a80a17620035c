#pragma once

#include <bellwether/core/domain.h>
#include <bellwether/core/registry.h>
#include <bellwether/domains/baird.h>
#include <bellwether/domains/boyan_chain.h>
#include <bellwether/domains/collision.h>
#include <bellwether/domains/energy.h>
#include <bellwether/domains/garnet.h>
#include <bellwether/domains/mountain_car.h>
#include <bellwether/domains/random_walk.h>

namespace bellwether {

/// Every domain there is.
using Domains = TypeList<Baird, BoyanChain, Collision, Energy, Garnet, MountainCar, RandomWalk>;

using DomainEntry = Entry<Domain>;

const std::vector<DomainEntry>& domains();

/// A domain by name, its parameters as text. Throws InvalidArgument naming what is wrong.
std::unique_ptr<Domain> make_domain(std::string_view name, const Settings& settings = {});

}  // namespace bellwether
