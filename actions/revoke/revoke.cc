#include "actions/revoke/revoke.h"

#include "framework/eviction_units.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {
namespace {

void Revoke(Session& session) {
  QuotaOwner* quotas = session.chains().quotas();
  if (quotas == nullptr) return;
  Statement statement(session);
  const EvictionUnits& units = EvictionUnits::Of(session);
  for (const auto& [task, by] : quotas->Revoke()) {
    const TaskStatus status = session.state().status(task);
    if (status == TaskStatus::kRunning || status == TaskStatus::kBound)
      statement.Evict(task, JobIndex(),
                      EvictionReason(units, task, "over the runtime of its quota"), by);
  }
  statement.Commit();
}

}  // namespace

ActionDescriptor RevokeAction() {
  return DescribeAction<Revoke>({
      .name = "revoke",
      .summary = "evicts what quotas hold beyond what they may for too long",
      .revokes_quotas = true,
  });
}

}  // namespace batholith
