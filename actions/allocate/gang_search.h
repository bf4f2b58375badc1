#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "actions/allocate/sub_job_sheets.h"
#include "actions/common/domain_candidates.h"
#include "framework/node_chooser.h"
#include "framework/region_chooser.h"
#include "framework/session.h"
#include "framework/statement.h"

namespace batholith {

// Places jobs whose sub-jobs come whole, or whose pods stay close to each other. Where the job has
// a topology, the domains that could hold it are tried from the closest tier up, each with all of
// its sub-jobs, and each of these in the domains inside it; the first tier in which it finds its
// places decides, and in it the domain with the highest sum of scores. Lives for one action.
class GangSearch {
 public:
  GangSearch(Session& session, NodeChooser& chooser);
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
    TopologyLimit limit = {};  // of the job
  };
  class Bonus;

  bool PlaceInDomains(Turn& turn, SubJobSheets& work);
  DomainCandidates::Asked AskedBy(const Turn& turn, const ResourceVector& whole) const;
  std::optional<Trial> BestOf(Turn& turn, const SubJobSheets& work,
                              std::span<const DomainCandidate> tier);
  bool Try(Turn& turn, DomainIndex inside, Trial& trial);
  bool TrySubJob(Turn& turn, DomainIndex inside, SubJobSheet& sheet, Trial& trial);
  bool Fill(Turn& turn, DomainIndex domain, SubJobSheet& sheet, Trial& trial, Bonus* bonus);
  NodeChoice Choose(TaskIndex task, DomainIndex domain, Bonus* bonus);
  Region RegionOf(DomainIndex domain);
  bool IsFilled(const Turn& turn, const SubJobSheet& sheet) const;
  bool WillBeFilled(const Turn& turn, const SubJobSheet& sheet) const;
  void Redo(Turn& turn, const Trial& trial);
  void TellNoDomain(const Turn& turn, const SubJobSheet* sheet, const TopologyLimit& limit,
                    std::size_t pods, std::size_t tried);

  Session& session_;
  const Snapshot& snapshot_;
  NodeChooser& chooser_;
  TopologyOwner* topology_;
  std::optional<DomainCandidates> candidates_;
  std::optional<RegionChooser> regions_;  // once somebody asked
  std::map<DomainIndex, std::vector<NodeIndex>> nodes_once_;
  std::vector<std::int64_t> tiers_;  // of all domains, ascending; once somebody asked
  std::map<JobIndex, SubJobSheets> works_;
};

}  // namespace batholith
