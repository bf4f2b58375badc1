#pragma once

#include <optional>
#include <vector>

#include "actions/common/victim_hunt.h"
#include "actions/common/victim_trial.h"
#include "framework/node_chooser.h"

namespace batholith {

// Finds room by eviction. Always equal to a trial on every node. Lives for one action. Cost of a
// place: see VictimHunt.
class VictimSearch {
 public:
  explicit VictimSearch(Session& session);

  // Reserves a place for `preemptor` in the statement (as Pipelined): on free or leaving room where
  // there is any; else where evicting the least valuable plan of victims makes it fit. Victims that
  // turn out not to be needed are given back. All predicates and the queue's admission are asked
  // again in the state after the evictions. False: no place; the statement is as it was.
  bool Place(Statement& statement, TaskIndex preemptor, VictimKind kind,
             bool own_queue_only = false);

  // Reserves places for the job's tasks while it starves. A class that found no place is not tried
  // again: nothing that this statement does makes room for it. `own_queue_only`: the queue may take
  // nothing from others, so only quotas can help.
  void PlaceStarving(Statement& statement, JobIndex job, VictimKind kind,
                     bool own_queue_only = false);

 private:
  // For the reason of the preemptor's job, where nobody is evicted for it.
  void TellWhoSpares(const VictimTrial& trial, TaskIndex preemptor, VictimKind kind);

  Session& session_;
  NodeChooser free_;
  VictimHunt hunt_;
  VictimTrial::Memory memory_{.questions = 100'000, .node = {}, .sorted = {}};
};

}  // namespace batholith
