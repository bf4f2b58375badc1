#pragma once

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

}  // namespace batholith::property
