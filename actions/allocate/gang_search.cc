#include "actions/allocate/gang_search.h"

#include <algorithm>
#include <utility>

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

GangSearch::GangSearch(Session& session, NodeChooser& chooser)
    : session_(session),
      snapshot_(session.snapshot()),
      chooser_(chooser),
      topology_(session.chains().topology()) {
  if (topology_ != nullptr) candidates_.emplace(session, *topology_);
}

GangSearch::~GangSearch() = default;

bool GangSearch::Concerns(const Snapshot& snapshot, JobIndex job) {
  const JobFacts& facts = snapshot.job(job);
  return facts.sub_jobs.size() > 1 || facts.record->network_topology.has_value();
}

void GangSearch::Open(JobIndex job, std::span<const TaskIndex> tasks) {
  works_.emplace(job, SubJobSheets(session_, job, tasks));
}

bool GangSearch::Place(JobIndex job, Statement& statement, std::optional<QueueVerdict>& refusal) {
  SubJobSheets& work = works_.at(job);
  Turn turn{job, statement, refusal};
  if (topology_ != nullptr) turn.limit = topology_->LimitOf(job);
  if (turn.limit.asked) return PlaceInDomains(turn, work);
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
  const std::vector<DomainCandidate> found =
      candidates_->Find({.limit = turn.limit,
                         .tasks = facts.tasks,
                         .whole = &whole,
                         .prefer_all = facts.sub_jobs.size() == 1,
                         .need = LeastOf(snapshot_, waiting, lacking),
                         .promised = facts.min_resources ? &**facts.min_resources : nullptr});
  for (std::size_t begin = 0; begin < found.size();) {
    std::size_t end = begin;
    while (end < found.size() && found[end].tier == found[begin].tier &&
           found[end].holds_all == found[begin].holds_all)
      ++end;
    if (auto best = BestOf(turn, work, std::span(found).subspan(begin, end - begin))) {
      work = std::move(best->sheets);
      return true;
    }
    begin = end;
  }
  TellNoDomain(turn, nullptr, turn.limit, lacking, found.size());
  return false;
}

// Of the domains of one tier. What wins is placed when it returns.
std::optional<GangSearch::Trial> GangSearch::BestOf(Turn& turn, const SubJobSheets& work,
                                                    std::span<const DomainCandidate> tier) {
  const DomainTree& tree = topology_->tree();
  const bool one_sub_job = work.CountOpen() == 1;
  const Statement::Checkpoint start = turn.statement.checkpoint();
  std::optional<Trial> best;
  std::size_t trials = 0;
  for (const DomainCandidate& candidate : tier) {
    if (++trials > kMostTrials && best) break;
    Trial trial{work};
    trial.share = candidate.share;
    if (!Try(turn, candidate.domain, trial)) {
      turn.statement.RollbackTo(start);
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
  while (SubJobSheet* sheet = trial.sheets.Next()) {
    if (!TrySubJob(turn, inside, *sheet, trial)) {
      sheet->failed = true;
      continue;
    }
    any = true;
    if (session_.chains().JobReady(turn.job)) return true;
  }
  return any && session_.chains().JobPipelined(turn.job);
}

bool GangSearch::TrySubJob(Turn& turn, DomainIndex inside, SubJobSheet& sheet, Trial& trial) {
  TopologyLimit limit;
  if (topology_ != nullptr) limit = topology_->LimitOf(turn.job, sheet.sub_job);
  if (!limit.asked) {
    if (topology_ != nullptr && turn.limit.asked) {
      (void)topology_->sums();
      trial.score += topology_->Fullness(sheet.waiting, inside);
    }
    return Fill(turn, inside, sheet, trial, nullptr);
  }
  const bool of_job = snapshot_.job(turn.job).sub_jobs.size() == 1;
  const std::size_t lacking =
      of_job ? Lacking(session_, turn.job)
             : static_cast<std::size_t>(std::max(sheet.minimum - sheet.ready - sheet.reserved, 1));
  const std::vector<DomainCandidate> found =
      candidates_->Find({.limit = limit,
                         .inside = inside,
                         .tasks = sheet.members,
                         .whole = &sheet.waiting,
                         .prefer_all = true,
                         .need = LeastOf(snapshot_, sheet.tasks.subspan(sheet.next), lacking)});
  const SubJobSheet before = sheet;
  for (const DomainCandidate& candidate : found) {
    Bonus bonus(session_, *topology_, sheet);
    if (Fill(turn, candidate.domain, sheet, trial, &bonus)) {
      trial.score += candidate.fullness;
      return true;
    }
    sheet = before;
  }
  if (!of_job) TellNoDomain(turn, &sheet, limit, lacking, found.size());
  return false;
}

// Until the sub-job has its minimum, or one more than that; else what was placed is given back.
bool GangSearch::Fill(Turn& turn, DomainIndex domain, SubJobSheet& sheet, Trial& trial,
                      Bonus* bonus) {
  const Statement::Checkpoint start = turn.statement.checkpoint();
  const std::size_t placed_before = trial.placed.size();
  const QueueIndex queue = snapshot_.job(turn.job).queue;
  std::vector<ClassIndex> failed;
  while (sheet.next < sheet.tasks.size()) {
    const TaskIndex task = sheet.tasks[sheet.next++];
    sheet.waiting -= snapshot_.task(task).request;
    if (const QueueVerdict verdict = session_.chains().Admits(queue, task); !verdict.ok()) {
      turn.refusal = verdict;
      continue;
    }
    const ClassIndex of = session_.classes().Of(task);
    if (std::ranges::find(failed, of) != failed.end()) continue;
    const NodeChoice choice = Choose(task, domain, bonus);
    if (choice.node.is_none()) {
      failed.push_back(of);
      if (domain == DomainTree::kRoot)
        session_.attempts().RecordUnfit(task, chooser_.Explain(task));
      continue;
    }
    if (choice.idle) {
      turn.statement.Allocate(task, choice.node);
    } else {
      turn.statement.Pipeline(task, choice.node);
    }
    ++(choice.idle ? sheet.ready : sheet.reserved);
    trial.placed.push_back({task, choice.node, choice.idle});
    if (topology_ != nullptr) {
      const DomainTree& tree = topology_->tree();
      sheet.held =
          sheet.held.is_none() ? tree.LeafOf(choice.node) : tree.Common(sheet.held, choice.node);
      if (bonus != nullptr) bonus->Take(choice.node, sheet.held);
    }
    if (IsFilled(turn, sheet)) return true;
  }
  if (trial.placed.size() > placed_before && WillBeFilled(turn, sheet)) return true;
  turn.statement.RollbackTo(start);
  trial.placed.resize(placed_before);
  return false;
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

NodeChoice GangSearch::Choose(TaskIndex task, DomainIndex domain, Bonus* bonus) {
  if (domain == DomainTree::kRoot && bonus == nullptr) return chooser_.Best(task);
  if (!regions_) regions_.emplace(session_, NodeChooser::Fit::kResources);
  return regions_->Best(task, RegionOf(domain), bonus);
}

Region GangSearch::RegionOf(DomainIndex domain) {
  const DomainTree& tree = topology_->tree();
  const auto id = static_cast<std::uint32_t>(domain.value());
  if (tree.repeated().empty()) return {id, tree.NodesIn(domain)};
  const auto [at, added] = nodes_once_.try_emplace(domain);
  if (added) {
    at->second.assign(tree.NodesIn(domain).begin(), tree.NodesIn(domain).end());
    std::ranges::sort(at->second);
    const auto again = std::ranges::unique(at->second);
    at->second.erase(again.begin(), again.end());
  }
  return {id, at->second};
}

void GangSearch::TellNoDomain(const Turn& turn, const SubJobSheet* sheet,
                              const TopologyLimit& limit, std::size_t pods, std::size_t tried) {
  using Why = TopologyRefusal::Why;
  const DomainTree& tree = topology_->tree();
  TopologyRefusal out{.of_sub_job = sheet != nullptr,
                      .hard = limit.hard,
                      .highest_tier = limit.highest_tier,
                      .pods = static_cast<std::int32_t>(pods),
                      .tried = static_cast<std::int32_t>(tried)};
  if (sheet != nullptr) out.sub_job = sheet->sub_job;
  if (tiers_.empty()) {
    for (std::size_t d = 0; d < tree.size(); ++d) tiers_.push_back(tree[DomainIndex(d)].tier);
    std::ranges::sort(tiers_);
  }
  out.domains = static_cast<std::int32_t>(std::ranges::upper_bound(tiers_, limit.highest_tier) -
                                          tiers_.begin());
  const std::span<const TaskIndex> members =
      sheet != nullptr ? sheet->members : std::span<const TaskIndex>(snapshot_.job(turn.job).tasks);
  if (candidates_->Around(limit, members, DomainTree::kRoot).empty()) out.why = Why::kSpread;
  session_.attempts().RecordTopologyRefusal(turn.job, out);
}

}  // namespace batholith
