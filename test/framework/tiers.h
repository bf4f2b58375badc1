#pragma once

#include <cstddef>
#include <vector>

#include "framework/chain.h"

namespace batholith {

// What the plugins of one conf say: those of a tier in their order.
template <typename Answer>
using Tiers = std::vector<std::vector<Answer>>;

template <typename Answer>
Chain<const Answer> ChainOf(const Tiers<Answer>& tiers) {
  Chain<const Answer> chain;
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    for (const Answer& answer : tiers[tier]) chain.push_back({tier, &answer});
  }
  return chain;
}

}  // namespace batholith
