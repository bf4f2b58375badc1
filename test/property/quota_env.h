#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "framework/pipeline.h"
#include "test/property/property_env.h"

namespace batholith::property {

// The confs that quotas are tested under: they differ in who may be evicted, and for whom.
enum class QuotaConf { kReclaim, kGang, kOneNode, kRevoke, kReclaimNow, kStrict };
constexpr int kQuotaConfs = 6;
const Pipeline& PipelineOf(QuotaConf conf);
inline QuotaConf QuotaConfOf(std::uint64_t seed) {
  return static_cast<QuotaConf>(seed % kQuotaConfs);
}

// Calls `check(seed)` for each round and stops at the first that fails.
template <typename Check>
void ForEachSeed(Check check) {
  const std::uint64_t first = FirstSeed();
  for (int round = 0; round < Rounds(); ++round) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(round);
    NoteSeed(seed);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    ASSERT_NO_FATAL_FAILURE(check(seed));
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace batholith::property
