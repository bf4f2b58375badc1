#include "actions/shuffle/shuffle.h"

#include "framework/statement.h"

namespace batholith {

void Shuffle(Session& session, const Arguments&) {
  Statement statement(session);
  for (const TaskIndex task : session.chains().ShuffleVictims()) {
    if (session.state().status(task) == TaskStatus::kRunning)
      statement.Evict(task, JobIndex(), "shuffle");
  }
  statement.Commit();
}

}  // namespace batholith
