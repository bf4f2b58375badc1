#include "test/property/property_env.h"

#include <fmt/ranges.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include "actions/builtin.h"
#include "cache/snapshot_builder.h"
#include "codec/decode.h"
#include "codec/yaml.h"
#include "conf/compile.h"
#include "conf/default_conf.h"
#include "conf/load.h"
#include "plugins/builtin.h"
#include "sim/run/run_sessions.h"

namespace batholith::property {
namespace {

constexpr std::string_view kBinpack = R"(
actions: "enqueue, allocate, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
- plugins:
  - name: drf
  - name: predicates
  - name: proportion
  - name: binpack
)";

constexpr std::string_view kPreempt = R"(
actions: "enqueue, allocate, preempt, backfill"
tiers:
- plugins:
  - name: priority
  - name: gang
    enableJobStarving: false
  - name: conformance
  - name: pdb
- plugins:
  - name: drf
    enablePreemptable: false
  - name: predicates
  - name: proportion
  - name: nodeorder
)";

constexpr std::string_view kReclaim = R"(
actions: "allocate, backfill, reclaim, preempt"
tiers:
- plugins:
  - name: priority
  - name: gang
  - name: conformance
- plugins:
  - name: drf
  - name: predicates
  - name: proportion
  - name: nodeorder
  - name: binpack
)";

std::string ConfKindText(ConfKind kind) {
  switch (kind) {
    case ConfKind::kDefault:
      return std::string(DefaultConfText());
    case ConfKind::kBinpack:
      return std::string(kBinpack);
    case ConfKind::kPreempt:
      return std::string(kPreempt);
    case ConfKind::kReclaim:
      return std::string(kReclaim);
  }
  return {};
}

Pipeline CompiledKind(ConfKind kind) {
  return CompiledText(ConfKindText(kind), ConfKindName(kind));
}

std::uint64_t EnvironmentNumber(const char* variable, std::uint64_t fallback) {
  const char* text = std::getenv(variable);
  return text == nullptr || *text == '\0' ? fallback : std::strtoull(text, nullptr, 10);
}

std::atomic<std::uint64_t> current_seed{0};

// The process is about to end and no lock can be held by a round, so plain output is good enough
// here.
extern "C" void SayWhichSeed(int) {
  std::cerr << "aborted in the round of seed " << current_seed.load() << std::endl;
  std::signal(SIGABRT, SIG_DFL);
}

}  // namespace

void RecordSeed(std::uint64_t seed) {
  current_seed.store(seed);
  std::signal(SIGABRT, SayWhichSeed);
}

int Rounds() { return static_cast<int>(EnvironmentNumber("BATHOLITH_PROPERTY_ROUNDS", 2000)); }

std::uint64_t FirstSeed() {
  static const std::uint64_t seed = [] {
    const std::uint64_t first = EnvironmentNumber("BATHOLITH_PROPERTY_SEED", 1);
    std::cout << "properties: " << Rounds() << " rounds, seeds from " << first
              << " (BATHOLITH_PROPERTY_ROUNDS, BATHOLITH_PROPERTY_SEED)" << std::endl;
    return first;
  }();
  return seed;
}

const char* ConfKindName(ConfKind kind) {
  switch (kind) {
    case ConfKind::kDefault:
      return "default";
    case ConfKind::kBinpack:
      return "binpack";
    case ConfKind::kPreempt:
      return "preempt";
    case ConfKind::kReclaim:
      return "reclaim";
  }
  return "";
}

const Pipeline& PipelineOf(ConfKind kind) {
  static const std::array<Pipeline, kConfKinds> pipelines{
      CompiledKind(ConfKind::kDefault), CompiledKind(ConfKind::kBinpack),
      CompiledKind(ConfKind::kPreempt), CompiledKind(ConfKind::kReclaim)};
  return pipelines[static_cast<std::size_t>(kind)];
}

Pipeline CompiledText(std::string_view text, const std::string& name) {
  const Result<SchedulerConf> conf =
      ParseConf(std::string(text), name, {BuiltinPlugins(), BuiltinActions()});
  if (!conf) throw std::runtime_error(conf.error().message);
  Result<Pipeline> pipeline = Compile(*conf);
  if (!pipeline) throw std::runtime_error(pipeline.error().message);
  return std::move(*pipeline);
}

Pipeline GangPipeline(std::string_view actions, std::string_view plugin) {
  return CompiledText(
      fmt::format("actions: \"{}\"\n"
                  "tiers:\n"
                  "- plugins: [{{name: priority}}, {{name: gang}}]\n"
                  "- plugins: [{{name: predicates}}, {}{{name: nodeorder}}]\n",
                  actions, plugin.empty() ? "" : fmt::format("{{name: {}}}, ", plugin)));
}

ClusterObjects ObjectsOf(const std::string& manifests) {
  ManifestDecoder decoder({.now = kDefaultNow});
  auto documents = ParseDocuments(manifests, "cluster.json");
  EXPECT_TRUE(documents) << documents.error().message;
  for (auto& document : *documents) decoder.Add(std::move(document), "cluster");
  Loaded loaded = decoder.Finish();
  EXPECT_TRUE(loaded.refused.empty()) << fmt::format("{}", fmt::join(loaded.refused, "\n"));
  return std::move(loaded.objects);
}

std::shared_ptr<const Snapshot> SnapshotOf(const ClusterObjects& objects) {
  SnapshotOptions options;
  options.now = 1'800'000'000LL * 1'000'000'000;
  return BuildSnapshot(std::make_shared<const ClusterObjects>(objects), options);
}

std::size_t BindAll(const CycleResult& result, ClusterObjects& objects) {
  for (const Bind& bind : result.binds) {
    for (PodRecord& pod : objects.pods) {
      if (pod.meta.Key() != bind.pod) continue;
      pod.node_name = bind.node;
      pod.phase = PodPhase::kRunning;
    }
  }
  return result.binds.size();
}

}  // namespace batholith::property
