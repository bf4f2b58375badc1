#include "test/fuzz/sessions.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "codec/decode.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"
#include "test/fuzz/read_back.h"
#include "test/property/invariants.h"

namespace batholith::fuzz {
namespace {

constexpr int kSessions = 3;

void Demand(const std::vector<std::string>& problems, const CycleResult& result) {
  for (const std::string& problem : problems) fmt::print(stderr, "{}\n", problem);
  if (!problems.empty()) fmt::print(stderr, "decisions:{}\n", property::Decisions(result));
  CHECK(problems.empty());
}

}  // namespace

void RunAndCheck(std::span<const boost::json::value> manifests,
                 std::shared_ptr<const Pipeline> pipeline, bool gangs, bool recreate) {
  ManifestDecoder decoder(LoadOptions{.now = kDefaultNow});
  for (const auto& manifest : manifests) decoder.Add(manifest, "bytes");
  Loaded loaded = decoder.Finish();
  RunOptions options;
  options.cycles = kSessions;
  options.victims = recreate ? VictimFate::kRecreated : VictimFate::kGone;
  options.cycle.verify = true;
  options.cycle.quota_pods = true;
  options.on_session = [&](int, const Snapshot& snapshot, const CycleResult& result) {
    const ClusterObjects& objects = *snapshot.objects;
    Demand(property::CheckBindsAreLegal(objects, result), result);
    Demand(property::CheckNodesHold(objects, result), result);
    if (gangs) Demand(property::CheckGangsWhole(objects, result), result);
  };
  const RunOutcome run = RunSessions(std::move(loaded.objects), std::move(pipeline), options);
  SessionDump dump;
  dump.now = kDefaultNow;
  dump.objects = run.objects;
  dump.memory = {run.last.slack, run.last.autoscale};
  CheckReadsBack(dump);
}

}  // namespace batholith::fuzz
