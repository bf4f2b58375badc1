// Of GangSearch what places composite groups: all that one of them needs, or nothing of it.
#include <optional>
#include <vector>

#include "actions/allocate/gang_search.h"
#include "framework/label_topology.h"

namespace batholith {

bool GangSearch::TryPart(Turn& turn, DomainIndex inside, const GangPart& part, Trial& trial) {
  bool formed = false;
  if (part.sheet != nullptr) {
    formed = TrySubJob(turn, inside, *part.sheet, trial);
  } else {
    const auto& policies = snapshot_.job(turn.job).record->sub_group_policies;
    formed = policies[static_cast<std::size_t>(part.policy)].network_topology
                 ? TryTogether(turn, inside, part.policy, trial)
                 : TryGroups(turn, inside, part.policy, trial);
  }
  trial.sheets.Note(part, formed);
  return formed;
}

// All of a composite group inside one domain of its label.
bool GangSearch::TryTogether(Turn& turn, DomainIndex inside, std::int32_t policy, Trial& trial) {
  const SubJobSheets::Waiting waiting = trial.sheets.WaitingIn(policy);
  if (waiting.pods == 0) return false;
  const std::vector<TaskIndex> members = TasksTogether(snapshot_, turn.job, waiting.sub_job);
  const TopologyLimit limit = turn.domains->topology().LimitOf(turn.job, waiting.sub_job);
  CandidateTiers found = turn.domains->candidates().Find({.limit = limit,
                                                          .inside = inside,
                                                          .tasks = members,
                                                          .whole = waiting.requests,
                                                          .prefer_all = true,
                                                          .need = {}});
  turn.composite = CompositeAround(snapshot_.job(turn.job), waiting.sub_job);
  const DomainCandidate* taken = found.FirstThat([&](const DomainCandidate& candidate) {
    return TryGroups(turn, candidate.domain, policy, trial);
  });
  turn.composite = nullptr;
  if (taken != nullptr) {
    trial.score += taken->fullness;
    return true;
  }
  turn.domains->Tell(turn.job, {.limit = limit,
                                .sub_job = waiting.sub_job,
                                .members = members,
                                .pods = waiting.pods,
                                .tried = found.size()});
  return false;
}

// As many groups of the policy as it needs; else what was placed is given back.
bool GangSearch::TryGroups(Turn& turn, DomainIndex inside, std::int32_t policy, Trial& trial) {
  const Statement::Checkpoint start = turn.statement.checkpoint();
  const std::size_t placed_before = trial.placed.size();
  const double score = trial.score;
  const SubJobSheets before = trial.sheets;
  while (!trial.sheets.Met(policy)) {
    const std::optional<GangPart> part = trial.sheets.NextOf(policy);
    if (!part) {
      GiveBack(turn, start, trial, placed_before);
      trial.score = score;
      trial.sheets = before;
      return false;
    }
    (void)TryPart(turn, inside, *part, trial);
  }
  return true;
}

}  // namespace batholith
