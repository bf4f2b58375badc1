#include "actions/allocate/gang_search.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "framework/label_topology.h"

namespace batholith {
namespace {

// Domains of one tier that are tried before the best of them is taken.
constexpr std::size_t kMostTrials = 256;

// Tasks that are still to be placed until the job has its minimum, at least one.
std::size_t Lacking(const Session& session, JobIndex job) {
  const JobCounters& c = session.state().job(job);
  const std::int32_t lacking =
      session.snapshot().job(job).min_available - c.Ready() - c.Waiting() - c.pending_best_effort;
  return static_cast<std::size_t>(std::max(lacking, 1));
}

}  // namespace

// A node counts more the closer it is to what the sub-job holds, and of the closest those with most
// of its tasks. Source: BatchNodeOrder of Volcano's plugin network-topology-aware.
class GangSearch::Bonus final : public NodeBonus {
 public:
  Bonus(const Session& session, TopologyOwner& topology, const SubJobSheet& sheet)
      : topology_(topology), held_(sheet.held), tasks_(sheet.members.size()) {
    for (const TaskIndex t : sheet.members) {
      const NodeIndex node = session.state().node(t);
      if (!node.is_none()) Count(topology_.tree().LeafOf(node));
    }
  }

  void Take(NodeIndex node, DomainIndex held) {
    held_ = held;
    Count(topology_.tree().LeafOf(node));
  }

  void Add(std::span<const NodeIndex> nodes, std::span<double> scores) override {
    if (held_.is_none() || topology_.weight() <= 0) return;
    closeness_.clear();
    double best = 0;
    for (const NodeIndex node : nodes) {
      closeness_.push_back(topology_.Closeness(held_, topology_.tree().LeafOf(node)));
      best = std::max(best, closeness_.back());
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double share = closeness_[i] == best ? ShareOf(topology_.tree().LeafOf(nodes[i])) : 0;
      scores[i] += (closeness_[i] + share) * topology_.weight();
    }
  }

 private:
  void Count(DomainIndex leaf) { ++in_leaf_[leaf]; }
  double ShareOf(DomainIndex leaf) const {
    const auto at = in_leaf_.find(leaf);
    return at == in_leaf_.end() ? 0 : at->second / static_cast<double>(tasks_);
  }

  TopologyOwner& topology_;
  DomainIndex held_;
  std::size_t tasks_;
  std::map<DomainIndex, std::int32_t> in_leaf_;
  std::vector<double> closeness_;
};

GangSearch::GangSearch(Session& session, NodeChooser& chooser, JobTopologies& topologies)
    : session_(session),
      snapshot_(session.snapshot()),
      chooser_(chooser),
      topologies_(topologies) {}

GangSearch::~GangSearch() = default;

bool GangSearch::Concerns(const Snapshot& snapshot, JobIndex job) {
  const JobFacts& facts = snapshot.job(job);
  return facts.sub_jobs.size() > 1 || facts.record->network_topology.has_value();
}

TopologyDomains* GangSearch::DomainsOf(JobIndex job) {
  TopologyOwner* topology = topologies_.Of(job);
  if (topology == nullptr) return nullptr;
  return &domains_.try_emplace(topology, session_, *topology, Fit::kResources).first->second;
}

void GangSearch::Open(JobIndex job, std::span<const TaskIndex> tasks) {
  const TopologyOwner* topology = topologies_.Of(job);
  const DomainTree* tree = topology == nullptr ? nullptr : &topology->tree();
  works_.emplace(job, SubJobSheets(session_, job, tasks, tree));
}

bool GangSearch::Place(JobIndex job, Statement& statement, std::optional<QueueVerdict>& refusal) {
  SubJobSheets& work = works_.at(job);
  Turn turn{job, statement, refusal, DomainsOf(job)};
  if (turn.domains != nullptr) turn.limit = turn.domains->topology().LimitOf(job);
  const bool may_choose = work.MayChoose();
  const Statement::Checkpoint start = statement.checkpoint();
  if (PlaceInOrder(turn, work)) return true;
  if (!may_choose) return false;
  statement.RollbackTo(start);
  SubJobSheets smallest = work;
  smallest.PutSmallestFirst();
  if (!PlaceInOrder(turn, smallest)) return false;
  work = std::move(smallest);
  return true;
}

bool GangSearch::PlaceInOrder(Turn& turn, SubJobSheets& work) {
  if (turn.limit.asked) return PlaceInDomains(turn, work);
  turn.refused_at = 0;
  Trial trial{work};
  if (!Try(turn, DomainTree::kRoot, trial)) return false;
  work = std::move(trial.sheets);
  return true;
}

bool GangSearch::PlaceInDomains(Turn& turn, SubJobSheets& work) {
  std::vector<TaskIndex> waiting;
  ResourceVector whole;
  for (const TaskIndex t : snapshot_.job(turn.job).tasks) {
    if (session_.state().status(t) != TaskStatus::kPending || snapshot_.task(t).gated ||
        snapshot_.task(t).best_effort)
      continue;
    waiting.push_back(t);
    whole += snapshot_.task(t).request;
  }
  const std::size_t lacking = Lacking(session_, turn.job);
  const JobFacts& facts = snapshot_.job(turn.job);
  CandidateTiers found = turn.domains->candidates().Find(
      {.limit = turn.limit,
       .tasks = facts.tasks,
       .whole = whole,
       .prefer_all = facts.sub_jobs.size() == 1,
       .need = LeastOf(snapshot_, waiting, lacking),
       .promised = facts.min_resources ? &**facts.min_resources : nullptr});
  while (true) {
    const std::span<const DomainCandidate> tier = found.Next();
    if (tier.empty()) break;
    if (auto best = BestOf(turn, work, tier)) {
      work = std::move(best->sheets);
      return true;
    }
  }
  turn.domains->Tell(
      turn.job,
      {.limit = turn.limit, .members = facts.tasks, .pods = lacking, .tried = found.size()});
  return false;
}

// Of the domains of one tier. What wins is placed when it returns.
std::optional<GangSearch::Trial> GangSearch::BestOf(Turn& turn, const SubJobSheets& work,
                                                    std::span<const DomainCandidate> tier) {
  const DomainTree& tree = turn.domains->tree();
  const bool one_sub_job = work.CountOpen() == 1;
  const Statement::Checkpoint start = turn.statement.checkpoint();
  std::optional<Trial> best;
  std::size_t trials = 0;
  for (const DomainCandidate& candidate : tier) {
    if (++trials > kMostTrials && best) break;
    Trial trial{work};
    trial.share = candidate.share;
    turn.refused_at = 0;
    if (!Try(turn, candidate.domain, trial)) {
      GiveBack(turn, start, trial, 0);
      continue;
    }
    // They come in the order of their scores where nothing is inside them.
    const bool no_better =
        one_sub_job && tree[candidate.domain].end == candidate.domain.value() + 1;
    if (no_better && !best) return trial;
    turn.statement.RollbackTo(start);
    if (!best || trial.score > best->score ||
        (trial.score == best->score && trial.share > best->share))
      best = std::move(trial);
  }
  if (best) Redo(turn, *best);
  return best;
}

// Takes back what a trial placed beyond the first `keep` tasks. What they held was never held: a
// refusal that came after them counts it as asked for.
void GangSearch::GiveBack(Turn& turn, const Statement::Checkpoint& start, Trial& trial,
                          std::size_t keep) {
  turn.statement.RollbackTo(start);
  if (turn.refusal && turn.refusal->asked > 0) {
    const std::size_t counted = std::min(turn.refused_at, trial.placed.size());
    for (std::size_t i = keep; i < counted; ++i) {
      const std::int64_t amount = session_.chains().WeightIn(*turn.refusal, trial.placed[i].task);
      turn.refusal->held = ResourceVector::SubSaturating(turn.refusal->held, amount);
      turn.refusal->asked = ResourceVector::AddSaturating(turn.refusal->asked, amount);
    }
  }
  turn.refused_at = std::min(turn.refused_at, keep);
  trial.placed.resize(std::min(trial.placed.size(), keep));
}

void GangSearch::Redo(Turn& turn, const Trial& trial) {
  for (const Placed& placed : trial.placed) {
    if (placed.now) {
      turn.statement.Allocate(placed.task, placed.node);
    } else {
      turn.statement.Pipeline(placed.task, placed.node);
    }
  }
}

// All of the job's sub-jobs in their order, until it is ready. One that cannot form holds nobody.
bool GangSearch::Try(Turn& turn, DomainIndex inside, Trial& trial) {
  bool any = false;
  while (const std::optional<GangPart> part = trial.sheets.Next()) {
    if (!TryPart(turn, inside, *part, trial)) continue;
    any = true;
    if (session_.chains().JobReady(turn.job)) return true;
  }
  return any && session_.chains().JobPipelined(turn.job);
}

bool GangSearch::TrySubJob(Turn& turn, DomainIndex inside, SubJobSheet& sheet, Trial& trial) {
  TopologyLimit limit;
  const SubGroupPolicy* around = CompositeAround(snapshot_.job(turn.job), sheet.sub_job);
  const bool is_inside = around != nullptr && around == turn.composite;
  if (turn.domains != nullptr && !is_inside)
    limit = turn.domains->topology().LimitOf(turn.job, sheet.sub_job);
  if (!limit.asked) {
    if (turn.limit.asked) {
      (void)turn.domains->topology().sums();
      trial.score += turn.domains->topology().Fullness(sheet.waiting, inside);
    }
    return Fill(turn, inside, sheet, trial, nullptr);
  }
  const std::size_t lacking = LackingOf(turn, sheet);
  std::vector<TaskIndex> together;  // where more than its own tasks are
  if (around != nullptr) together = TasksTogether(snapshot_, turn.job, sheet.sub_job);
  CandidateTiers found = turn.domains->candidates().Find(
      {.limit = limit,
       .inside = inside,
       .tasks = around != nullptr ? together : sheet.members,
       .whole = sheet.waiting,
       .prefer_all = true,
       .need = LeastOf(snapshot_, sheet.tasks.subspan(sheet.next), lacking)});
  const SubJobSheet before = sheet;
  const DomainCandidate* taken = found.FirstThat([&](const DomainCandidate& candidate) {
    Bonus bonus(session_, turn.domains->topology(), sheet);
    if (Fill(turn, candidate.domain, sheet, trial, &bonus)) return true;
    sheet = before;
    return false;
  });
  if (taken != nullptr) {
    trial.score += taken->fullness;
    return true;
  }
  if (snapshot_.job(turn.job).sub_jobs.size() > 1)
    turn.domains->Tell(turn.job, {.limit = limit,
                                  .sub_job = sheet.sub_job,
                                  .members = sheet.members,
                                  .pods = lacking,
                                  .tried = found.size()});
  return false;
}

// Tasks that are still to be placed until it has its minimum, at least one.
std::size_t GangSearch::LackingOf(const Turn& turn, const SubJobSheet& sheet) const {
  if (snapshot_.job(turn.job).sub_jobs.size() == 1) return Lacking(session_, turn.job);
  return static_cast<std::size_t>(std::max(sheet.minimum - sheet.ready - sheet.reserved, 1));
}

// Until the sub-job has its minimum, or one more than that; else what was placed is given back.
bool GangSearch::Fill(Turn& turn, DomainIndex domain, SubJobSheet& sheet, Trial& trial,
                      Bonus* bonus) {
  const Statement::Checkpoint start = turn.statement.checkpoint();
  const std::size_t placed_before = trial.placed.size();
  const std::span<const TaskIndex> needed = sheet.tasks.subspan(
      sheet.next, std::min(LackingOf(turn, sheet), sheet.tasks.size() - sheet.next));
  const QueueIndex queue = snapshot_.job(turn.job).queue;
  std::vector<ClassIndex> failed;
  bool refused = false;
  while (sheet.next < sheet.tasks.size()) {
    const TaskIndex task = sheet.tasks[sheet.next++];
    sheet.waiting -= snapshot_.task(task).request;
    if (const QueueVerdict verdict = session_.chains().Admits(queue, task); !verdict.ok()) {
      turn.refusal = verdict;
      turn.refused_at = trial.placed.size();
      refused = true;
      continue;
    }
    const ClassIndex of = session_.classes().Of(task);
    if (std::ranges::find(failed, of) != failed.end()) continue;
    const NodeChoice choice = Choose(turn, task, domain, bonus);
    if (choice.node.is_none()) {
      failed.push_back(of);
      if (domain == DomainTree::kRoot)
        session_.attempts().RecordUnfit(task, chooser_.Explain(task));
      continue;
    }
    PlaceOn(turn, task, choice, sheet, trial);
    if (bonus != nullptr) bonus->Take(choice.node, sheet.held);
    if (IsFilled(turn, sheet)) return true;
  }
  if (trial.placed.size() > placed_before && WillBeFilled(turn, sheet)) return true;
  GiveBack(turn, start, trial, placed_before);
  if (refused && turn.refusal->asked > 0) {
    std::int64_t whole = 0;
    for (const TaskIndex t : needed)
      whole = ResourceVector::AddSaturating(whole, session_.chains().WeightIn(*turn.refusal, t));
    turn.refusal->asked = std::max(turn.refusal->asked, whole);
  }
  return false;
}

void GangSearch::PlaceOn(Turn& turn, TaskIndex task, const NodeChoice& choice, SubJobSheet& sheet,
                         Trial& trial) {
  if (choice.idle) {
    turn.statement.Allocate(task, choice.node);
  } else {
    turn.statement.Pipeline(task, choice.node);
  }
  ++(choice.idle ? sheet.ready : sheet.reserved);
  trial.placed.push_back({task, choice.node, choice.idle});
  if (turn.domains == nullptr) return;
  const DomainTree& tree = turn.domains->tree();
  sheet.held =
      sheet.held.is_none() ? tree.LeafOf(choice.node) : tree.Common(sheet.held, choice.node);
}

// Of a job without sub-groups the job itself says so.
bool GangSearch::IsFilled(const Turn& turn, const SubJobSheet& sheet) const {
  if (snapshot_.job(turn.job).sub_jobs.size() == 1) return session_.chains().JobReady(turn.job);
  return sheet.done();
}

bool GangSearch::WillBeFilled(const Turn& turn, const SubJobSheet& sheet) const {
  if (snapshot_.job(turn.job).sub_jobs.size() == 1)
    return session_.chains().JobReady(turn.job) || session_.chains().JobPipelined(turn.job);
  return sheet.ready + sheet.reserved >= sheet.minimum;
}

NodeChoice GangSearch::Choose(Turn& turn, TaskIndex task, DomainIndex domain, Bonus* bonus) {
  if (domain == DomainTree::kRoot && bonus == nullptr) return chooser_.Best(task);
  return turn.domains->Best(task, domain, bonus);
}

}  // namespace batholith
