// The inner loops by themselves, by Google Benchmark: kernel_bench --benchmark_filter=REGEX. A
// figure of these is only worth what it does to a scenario of session_bench.
#include <benchmark/benchmark.h>

#include <boost/json.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "api/resource_vector.h"
#include "cache/snapshot_builder.h"
#include "codec/encode.h"
#include "codec/json/parse.h"
#include "codec/pod.h"
#include "plugins/drf/share.h"
#include "plugins/proportion/water_filling.h"
#include "test/bench/fill/fill.h"
#include "test/bench/live_feed.h"

namespace batholith::bench {
namespace {

constexpr std::size_t kDimensions = 4;  // cpu, memory, pods and one kind of device

std::vector<ResourceVector> RandomVectors(std::size_t count, std::int64_t most) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> amount(1, most);
  std::vector<ResourceVector> out(count);
  for (ResourceVector& vector : out) {
    for (std::size_t r = 0; r < kDimensions; ++r) vector[r] = amount(random);
  }
  return out;
}

// One request against the free room of so many nodes.
void FitsIn(benchmark::State& state) {
  const auto rooms = RandomVectors(static_cast<std::size_t>(state.range(0)), 32'000);
  const ResourceVector request = RandomVectors(1, 16'000).front();
  for (auto _ : state) {
    std::size_t fitting = 0;
    for (const ResourceVector& room : rooms) fitting += request.FitsIn(room) ? 1 : 0;
    benchmark::DoNotOptimize(fitting);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(FitsIn)->Arg(1'000)->Arg(10'000)->Arg(100'000);

void AddVectors(benchmark::State& state) {
  const auto requests = RandomVectors(static_cast<std::size_t>(state.range(0)), 32'000);
  for (auto _ : state) {
    ResourceVector sum;
    for (const ResourceVector& request : requests) sum += request;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(AddVectors)->Arg(1'000)->Arg(100'000);

void DominantShares(benchmark::State& state) {
  const auto used = RandomVectors(static_cast<std::size_t>(state.range(0)), 32'000);
  const ResourceVector total = RandomVectors(1, 32'000'000).front();
  for (auto _ : state) {
    for (const ResourceVector& one : used)
      benchmark::DoNotOptimize(DominantShare(one, total, kDimensions));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(DominantShares)->Arg(1'000);

void WaterFilling(benchmark::State& state) {
  const auto requests = RandomVectors(static_cast<std::size_t>(state.range(0)), 32'000);
  std::vector<WaterFillingQueue> queues(requests.size());
  ResourceVector total;
  for (std::size_t q = 0; q < queues.size(); ++q) {
    queues[q].weight = static_cast<std::int64_t>(1 + q % 5);
    queues[q].request = requests[q];
    total += requests[q];
  }
  for (std::size_t r = 0; r < kDimensions; ++r) total[r] /= 2;  // so that not all are met
  for (auto _ : state) {
    std::vector<WaterFillingQueue> filled = queues;
    FillWater(total, kDimensions, filled);
    benchmark::DoNotOptimize(filled.data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(WaterFilling)->Arg(10)->Arg(1'000);

ClusterObjects Objects(std::size_t nodes, std::size_t pods) {
  Sizes sizes;
  sizes.nodes = nodes;
  sizes.pods = pods;
  sizes.classes = 150;
  ClusterMaker maker(sizes);
  Place(maker, sizes);
  return std::move(maker.objects());
}

void ParsePod(benchmark::State& state) {
  const std::string text = boost::json::serialize(Encode(Objects(1, 10).pods.front()));
  for (auto _ : state) benchmark::DoNotOptimize(ParseJsonValue(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(ParsePod);

void ReadPodRecord(benchmark::State& state) {
  const boost::json::value value = Encode(Objects(1, 10).pods.front());
  ConstraintTable constraints;
  for (auto _ : state) benchmark::DoNotOptimize(ReadPod(Field(&value, ""), constraints));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(ReadPodRecord);

// Nodes, and ten times as many pods.
void SnapshotBuild(benchmark::State& state) {
  const auto nodes = static_cast<std::size_t>(state.range(0));
  const auto objects = std::make_shared<const ClusterObjects>(Objects(nodes, 10 * nodes));
  for (auto _ : state) benchmark::DoNotOptimize(BuildSnapshot(objects, OptionsOfSnapshot()));
  state.SetItemsProcessed(state.iterations() * state.range(0) * 11);
}
BENCHMARK(SnapshotBuild)->Arg(100)->Arg(1'000)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace batholith::bench

BENCHMARK_MAIN();
