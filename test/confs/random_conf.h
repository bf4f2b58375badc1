#pragma once

#include <cstdint>
#include <string>

namespace batholith::property {

// The text of a scheduler conf that mixes everything there is: any actions in any order, some
// twice; any plugins in one to four tiers; any of the switches, in either spelling; arguments out
// of the tables that the conf is checked against, each within its range and often at an end of it.
// Two plugins that own shares, or slack before real pods, are drawn now and then too, so a few are
// refused. The same seed gives the same text.
std::string RandomConf(std::uint64_t seed);

}  // namespace batholith::property
