#include "actions/shuffle/shuffle.h"

#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {
namespace {

void Shuffle(Session& session) {
  Statement statement(session);
  for (const TaskIndex task : session.chains().ShuffleVictims()) {
    if (session.state().status(task) == TaskStatus::kRunning)
      statement.Evict(task, JobIndex(), "shuffle");
  }
  statement.Commit();
}

}  // namespace

ActionDescriptor ShuffleAction() {
  return DescribeAction<Shuffle>({
      .name = "shuffle",
      .summary = "evicts the running pods that plugins name",
      .asks = {Point::kVictim},
  });
}

}  // namespace batholith
