#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actions/allocate/sub_job_sheets.h"
#include "actions/common/job_topologies.h"
#include "actions/common/topology_domains.h"
#include "framework/node_chooser.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {

// Places jobs whose sub-jobs come whole, or whose pods stay close to each other. Where the job has
// a topology, the domains that could hold it are tried from the closest tier up, each with all of
// its sub-jobs, and each of these in the domains inside it; the first tier in which it finds its
// places decides, and in it the domain with the highest sum of scores. Lives for one action.
class GangSearch {
 public:
  GangSearch(Session& session, NodeChooser& chooser, JobTopologies& topologies);
  ~GangSearch();
  GangSearch(const GangSearch&) = delete;
  GangSearch& operator=(const GangSearch&) = delete;

  // Whether the job is placed here, not task by task.
  static bool Concerns(const Snapshot& snapshot, JobIndex job);
  // `tasks`: what waits, in task order.
  void Open(JobIndex job, std::span<const TaskIndex> tasks);
  // One turn. False: nothing was placed. `refusal`: of its queue, the last one.
  bool Place(JobIndex job, Statement& statement, std::optional<QueueVerdict>& refusal);
  bool HasMore(JobIndex job) const { return works_.at(job).AnyOpen(); }

 private:
  struct Placed {
    TaskIndex task;
    NodeIndex node;
    bool now = false;
  };
  struct Trial {
    SubJobSheets sheets;
    std::vector<Placed> placed = {};
    double score = 0;
    double share = 0;
  };
  struct Turn {
    JobIndex job;
    Statement& statement;
    std::optional<QueueVerdict>& refusal;
    TopologyDomains* domains = nullptr;  // none: nobody knows which nodes are close
    TopologyLimit limit = {};            // of the job
    // Of the tasks that a trial has placed, those that had their places when `refusal` came.
    std::size_t refused_at = 0;
    // The composite group that is being placed inside one domain of its label; nullptr: none is.
    const SubGroupPolicy* composite = nullptr;
  };
  class Bonus;

  TopologyDomains* DomainsOf(JobIndex job);
  bool PlaceInOrder(Turn& turn, SubJobSheets& work);
  bool PlaceInDomains(Turn& turn, SubJobSheets& work);
  std::optional<Trial> BestOf(Turn& turn, const SubJobSheets& work,
                              std::span<const DomainCandidate> tier);
  bool Try(Turn& turn, DomainIndex inside, Trial& trial);
  bool TryPart(Turn& turn, DomainIndex inside, const GangPart& part, Trial& trial);
  bool TryGroups(Turn& turn, DomainIndex inside, std::int32_t policy, Trial& trial);
  bool TryTogether(Turn& turn, DomainIndex inside, std::int32_t policy, Trial& trial);
  bool TrySubJob(Turn& turn, DomainIndex inside, SubJobSheet& sheet, Trial& trial);
  bool Fill(Turn& turn, DomainIndex domain, SubJobSheet& sheet, Trial& trial, Bonus* bonus);
  void PlaceOn(Turn& turn, TaskIndex task, const NodeChoice& choice, SubJobSheet& sheet,
               Trial& trial);
  void GiveBack(Turn& turn, const Statement::Checkpoint& start, Trial& trial, std::size_t keep);
  std::size_t LackingOf(const Turn& turn, const SubJobSheet& sheet) const;
  NodeChoice Choose(Turn& turn, TaskIndex task, DomainIndex domain, Bonus* bonus);
  bool IsFilled(const Turn& turn, const SubJobSheet& sheet) const;
  bool WillBeFilled(const Turn& turn, const SubJobSheet& sheet) const;
  void Redo(Turn& turn, const Trial& trial);

  Session& session_;
  const Snapshot& snapshot_;
  NodeChooser& chooser_;
  JobTopologies& topologies_;
  std::map<const TopologyOwner*, TopologyDomains> domains_;  // looked up only
  std::map<JobIndex, SubJobSheets> works_;
};

}  // namespace batholith
