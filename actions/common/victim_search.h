#pragma once

#include <optional>
#include <vector>

#include "actions/common/victim_order.h"
#include "actions/common/victim_trial.h"
#include "framework/node_chooser.h"

namespace batholith {

// Finds room by eviction. Always equal to a trial on every node: nodes are tried as the walk
// through the victims, first to fall first, shows that there would be room, until no later one can
// be better. Lives for one action. Cost of a place: the victims on the way to it, and a trial on
// each node where those leave room enough.
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
  class Hunt;
  // For the reason of the preemptor's job, where nobody is evicted for it.
  void TellWhoSpares(const VictimTrial& trial, TaskIndex preemptor, VictimKind kind);

  // What has been seen of nodes and jobs on the way, for the preemptor whose number they carry.
  struct Seen {
    struct Node {
      std::uint32_t preemptor = 0;
      bool tried = false;
    };
    struct Job {
      std::uint32_t preemptor = 0;
      bool spared = false;
    };
    std::uint32_t preemptor = 0;
    std::vector<Node> nodes;
    std::vector<Job> jobs;
    std::vector<std::int64_t>
        room;  // by node, then by what the preemptor asks for: free and falling
  };

  Session& session_;
  NodeChooser free_;
  VictimOrder order_;
  Seen seen_;
  std::int64_t questions_ = 100'000;  // see VictimTrial
};

}  // namespace batholith
