#include "framework/cycle.h"

#include "framework/report.h"
#include "framework/session.h"
#include "framework/verify_session.h"

namespace batholith {

CycleResult RunCycle(const Snapshot& snapshot, const Pipeline& pipeline,
                     const CycleOptions& options) {
  Session session(snapshot, pipeline, options);
  if (options.on_phase) options.on_phase(CyclePhase::kActions);
  for (const Pipeline::ActionEntry& action : pipeline.actions) {
    session.Enter(*action.descriptor);
    action.descriptor->execute(session, action.options.get());
    if (options.on_action) options.on_action(action.descriptor->name);
    if (options.verify) VerifySession(session);
  }
  if (options.on_phase) options.on_phase(CyclePhase::kClose);
  session.TellEffects();
  CycleResult& result = session.result();
  result.had_effect = !result.binds.empty() || !result.evictions.empty();
  if (options.report) Report(session);
  return std::move(result);
}

}  // namespace batholith
