#pragma once

#include <boost/json/value.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "api/result.h"
#include "cmd/decisions_diff.h"
#include "codec/dump.h"
#include "framework/pipeline.h"
#include "scheduler/run_outcome.h"
#include "sim/run/run_sessions.h"

namespace batholith {

// What a session was opened with, beside the conf.
void PutOptions(const SnapshotOptions& options, SessionDump& dump);

// An observer that writes each session to `out`, as it was before the session, with what it
// decided; `options.cycle` says what the first one starts from. `conf` is the text of the conf that
// the sessions run under. Does not own the stream.
SessionObserver DumpTo(std::ostream& out, std::string conf, const RunOptions& options);

// One session as a run of its own.
RunOutcome OutcomeOf(int cycle, std::shared_ptr<const ClusterObjects> objects, CycleResult result);

struct ReplayedSession {
  RunOutcome outcome;                   // of this session alone
  std::vector<Difference> differences;  // none where the dump has no decisions
};

// Decides a dumped session again. Errors: decisions that cannot be read back.
Result<ReplayedSession> Replay(const SessionDump& dump, const Pipeline& pipeline);

}  // namespace batholith
