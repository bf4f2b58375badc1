#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/cluster_objects.h"
#include "api/effect.h"
#include "api/snapshot.h"
#include "framework/pipeline.h"

namespace batholith::property {

// BATHOLITH_PROPERTY_ROUNDS, default 2000: random clusters of a run.
int Rounds();
// BATHOLITH_PROPERTY_SEED, default 1: the seed of the first round; round i has seed + i. Printed
// once.
std::uint64_t FirstSeed();
// Says which round runs, so that an abort (a CHECK of the scheduler) names its seed too.
void RecordSeed(std::uint64_t seed);

// Calls `check(seed)` for each round and stops at the first that fails.
template <typename Check>
void ForEachSeed(Check check) {
  const std::uint64_t first = FirstSeed();
  for (int round = 0; round < Rounds(); ++round) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(round);
    RecordSeed(seed);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    ASSERT_NO_FATAL_FAILURE(check(seed));
    if (::testing::Test::HasFailure()) return;
  }
}

// The confs that properties run under, from one without evictions to one with all of them.
enum class ConfKind { kDefault, kBinpack, kPreempt, kReclaim };
constexpr int kConfKinds = 4;
inline ConfKind ConfKindOf(std::uint64_t seed) { return static_cast<ConfKind>(seed % kConfKinds); }
const char* ConfKindName(ConfKind kind);
const Pipeline& PipelineOf(ConfKind kind);
// Of a conf that is a text of the test.
Pipeline CompiledText(std::string_view text, const std::string& name = "of the test");

// Of plugins priority and gang, and one tier below predicates, this one if any, and nodeorder.
Pipeline GangPipeline(std::string_view actions, std::string_view plugin = "");
// Of manifests, all of which must be read.
ClusterObjects ObjectsOf(const std::string& manifests);

std::shared_ptr<const Snapshot> SnapshotOf(const ClusterObjects& objects);

// What was bound runs. Returns how many pods that are.
std::size_t BindAll(const CycleResult& result, ClusterObjects& objects);

}  // namespace batholith::property
