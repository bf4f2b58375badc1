// Of GangSearch what places composite groups: all that one of them needs, or nothing of it.
#include <optional>
#include <utility>
#include <vector>

#include "actions/allocate/gang_search.h"
#include "framework/label_topology.h"

namespace batholith {

bool GangSearch::TryPart(Turn& turn, DomainIndex inside, const GangPart& part, Trial& trial) {
  const auto together = [&] {
    return snapshot_.job(turn.job)
        .record->sub_group_policies[static_cast<std::size_t>(part.policy)]
        .network_topology.has_value();
  };
  const bool formed = part.sheet != nullptr ? TrySubJob(turn, inside, *part.sheet, trial)
                      : together()          ? TryTogether(turn, inside, part.policy, trial)
                                            : TryGroups(turn, inside, part.policy, trial);
  trial.sheets.Note(part, formed);
  return formed;
}

// All of a composite group inside one domain of its label.
bool GangSearch::TryTogether(Turn& turn, DomainIndex inside, std::int32_t policy, Trial& trial) {
  const std::optional<std::uint32_t> first = trial.sheets.FirstIn(policy);
  if (!first) return false;
  const std::vector<TaskIndex> members = TasksTogether(snapshot_, turn.job, *first);
  ResourceVector whole;
  std::size_t pods = 0;
  for (const TaskIndex t : members) {
    if (session_.state().status(t) != TaskStatus::kPending) continue;
    whole += snapshot_.task(t).request;
    ++pods;
  }
  const TopologyLimit limit = turn.domains->topology().LimitOf(turn.job, *first);
  CandidateTiers found = turn.domains->candidates().Find({.limit = limit,
                                                          .inside = inside,
                                                          .tasks = members,
                                                          .whole = whole,
                                                          .prefer_all = true,
                                                          .need = {}});
  const std::int32_t before = std::exchange(turn.composite, policy);
  bool placed = false;
  while (!placed) {
    const std::span<const DomainCandidate> tier = found.Next();
    if (tier.empty()) break;
    for (const DomainCandidate& candidate : tier) {
      placed = TryGroups(turn, candidate.domain, policy, trial);
      if (!placed) continue;
      trial.score += candidate.fullness;
      break;
    }
  }
  turn.composite = before;
  if (!placed)
    turn.domains->Tell(turn.job, {.limit = limit,
                                  .sub_job = *first,
                                  .members = members,
                                  .pods = pods,
                                  .tried = found.size()});
  return placed;
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
