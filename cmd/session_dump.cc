#include "cmd/session_dump.h"

#include <utility>

#include "cache/snapshot_builder.h"
#include "cmd/output.h"
#include "codec/json/parse.h"
#include "codec/json/text.h"

namespace batholith {

RunOutcome OutcomeOf(int cycle, std::shared_ptr<const ClusterObjects> objects, CycleResult result) {
  RunOutcome out;
  out.cycles = cycle;
  for (const Bind& b : result.binds) out.binds.push_back({cycle, b});
  for (const Evict& e : result.evictions) out.evictions.push_back({cycle, e});
  out.last = std::move(result);
  out.objects = std::move(objects);
  return out;
}

void PutOptions(const SnapshotOptions& options, SessionDump& dump) {
  dump.scheduler_names = options.scheduler_names;
  dump.default_queue = options.default_queue;
  dump.node_scope = options.scope;
  dump.hold_device_claims = options.hold_device_claims;
}

SessionObserver DumpTo(std::ostream& out, std::string conf, const RunOptions& options) {
  SessionDump dump;
  dump.conf = std::move(conf);
  PutOptions(options.snapshot, dump);
  dump.hold_device_claims = false;  // the simulated cluster writes claims
  dump.figures_only = !options.until_idle && options.cycles == 0;
  if (options.cycle.slack_before != nullptr) dump.memory.slack = *options.cycle.slack_before;
  if (options.cycle.autoscale_before != nullptr)
    dump.memory.autoscale = *options.cycle.autoscale_before;
  return [&out, dump](int cycle, const Snapshot& snapshot, const CycleResult& result) mutable {
    dump.cycle = cycle;
    dump.now = snapshot.now;
    dump.objects = snapshot.objects;
    dump.decisions = Decisions(OutcomeOf(cycle, snapshot.objects, result));
    WriteDump(dump, out);
    dump.memory = {result.slack, result.autoscale};
    dump.objects.reset();  // else the next session could not reuse them
  };
}

Result<ReplayedSession> Replay(const SessionDump& dump, const Pipeline& pipeline) {
  const auto snapshot =
      BuildSnapshot(dump.objects, {dump.scheduler_names, dump.default_queue, dump.now,
                                   pipeline.needs.node_resources, dump.node_scope, pipeline.ignored,
                                   dump.hold_device_claims});
  Pipeline without_actions;
  if (dump.figures_only) {
    without_actions = pipeline;
    without_actions.actions.clear();
  }
  ReplayedSession out;
  CycleOptions options;
  options.slack_before = &dump.memory.slack;
  options.autoscale_before = &dump.memory.autoscale;
  CycleResult result = RunCycle(*snapshot, dump.figures_only ? without_actions : pipeline, options);
  out.outcome = OutcomeOf(dump.cycle, dump.objects, std::move(result));
  if (dump.decisions.is_null()) return out;
  // Read back as the recorded ones were, so that equal numbers are equal values.
  const auto again = ParseJsonValue(JsonText(Decisions(out.outcome)));
  if (!again) return Invalid("decisions: " + again.error().message);
  out.differences = DiffOf(dump.decisions, *again);
  return out;
}

}  // namespace batholith
