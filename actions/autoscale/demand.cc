#include "actions/autoscale/demand.h"

#include <algorithm>

#include "actions/common/job_queue.h"
#include "actions/common/placeholder_shapes.h"
#include "actions/common/spare_room.h"

namespace batholith {
namespace {

constexpr const char* kHostname = "kubernetes.io/hostname";

// Whether placeholders of the source may not come to the node, for their topology spread.
bool IsClosedTo(const PlaceholderShape& source, const NodeRecord& node) {
  return std::ranges::any_of(source.closed, [&](const auto& domain) {
    const auto it = node.meta.labels.find(domain.first);
    return it != node.meta.labels.end() && it->second == domain.second;
  });
}

class DemandCollector {
 public:
  DemandCollector(const Session& session, const SessionGroups& groups, AutoscaleInput& input)
      : session_(session), snapshot_(session.snapshot()), groups_(groups), input_(input) {}

  std::vector<ShapeOwner> Run() {
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) AddJob(JobIndex(j));
    AddSlack();
    return std::move(owners_);
  }

 private:
  // Waits for nodes: the search for one failed, or it is not admitted for want of room.
  bool WaitsForNodes(JobIndex job, const std::vector<TaskIndex>& pending) const {
    if (snapshot_.job(job).queue.is_none()) return false;
    if (session_.attempts().QueueRefusalOf(job) != nullptr) return false;
    if (const EnqueueVote* refusal = session_.attempts().EnqueueRefusalOf(job)) {
      const Reason reason = refusal->why.reason;
      return reason == Reason::kClusterOverused || reason == Reason::kInsufficientResource;
    }
    return std::ranges::any_of(
        pending, [&](TaskIndex task) { return session_.attempts().UnfitOf(task) != nullptr; });
  }

  void AddJob(JobIndex job) {
    const std::vector<TaskIndex> pending = AllPendingTasks(session_, job);
    const JobFacts& facts = snapshot_.job(job);
    if (!WaitsForNodes(job, pending)) {
      if (session_.attempts().QueueRefusalOf(job) != nullptr ||
          session_.attempts().EnqueueRefusalOf(job) != nullptr)
        input_.queue_limited_pods += static_cast<std::int64_t>(pending.size());
      return;
    }
    const std::int64_t missing =
        std::max<std::int64_t>(0, facts.min_available - session_.state().job(job).Ready());
    std::size_t gang = Demand::kNoGang;
    if (missing > 1) {
      gang = input_.gangs.size();
      input_.gangs.push_back(facts.key);
    }
    if (pending.empty()) return AddPromise(job, gang);
    // By class, in task order; the gang's missing members are those that come first.
    std::vector<Demand> added;
    std::int64_t left = missing > 1 ? missing : 0;
    for (const TaskIndex task : pending) {
      const std::size_t shape = ShapeOf(task);
      auto it = std::ranges::find(added, shape, &Demand::shape);
      if (it == added.end())
        it = added.insert(added.end(), {shape, 0, DemandOrigin::kPods, gang, 0});
      ++it->count;
      if (left > 0) {
        ++it->required;
        --left;
      }
    }
    input_.demand.insert(input_.demand.end(), added.begin(), added.end());
  }

  // Of a group whose pods do not exist yet: equal members that add up to its minResources.
  void AddPromise(JobIndex job, std::size_t gang) {
    const JobFacts& facts = snapshot_.job(job);
    if (!facts.min_resources || facts.min_available <= 0) return;
    DemandShape shape;
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      const std::int64_t whole = std::max<std::int64_t>(0, (*facts.min_resources)[r]);
      shape.request[r] = whole / facts.min_available + (whole % facts.min_available > 0 ? 1 : 0);
    }
    shape.request[ResourceSchema::kPods] = 1;
    shape.fits_group = facts.unserved_minimum.empty() ? WithoutConstraints() : NoGroup();
    shape.spares_slack = !session_.slack_guard().MayUse(job);
    input_.shapes.push_back(std::move(shape));
    owners_.push_back({});
    const std::int64_t required = gang == Demand::kNoGang ? 0 : facts.min_available;
    input_.demand.push_back(
        {input_.shapes.size() - 1, facts.min_available, DemandOrigin::kPods, gang, required});
  }

  std::vector<bool> WithoutConstraints() const {
    std::vector<bool> out;
    for (const NodeRecord& node : groups_.templates) out.push_back(MayStandOn({}, node));
    return out;
  }

  // For what asks for a resource that no template has either.
  std::vector<bool> NoGroup() const { return std::vector<bool>(groups_.templates.size(), false); }

  DemandShape ShapeLike(TaskIndex sample, const ResourceVector& request) const {
    DemandShape shape;
    shape.request = request;
    if (sample.is_none()) {
      shape.fits_group = WithoutConstraints();
      return shape;
    }
    const PodRecord& pod = *snapshot_.task(sample).record;
    if (snapshot_.task(sample).unserved) {
      shape.fits_group = NoGroup();
      return shape;
    }
    for (const NodeRecord& node : groups_.templates)
      shape.fits_group.push_back(MayStandOn(*pod.constraints, node));
    shape.one_per_node =
        !pod.constraints->host_ports.empty() ||
        std::ranges::any_of(pod.constraints->required_anti_affinity,
                            [&](const PodAffinityTerm& term) {
                              return term.topology_key == kHostname && SelectsItself(term, pod);
                            });
    return shape;
  }

  std::size_t ShapeOf(TaskIndex task) {
    const auto [it, added] =
        shape_of_class_.try_emplace(session_.classes().Of(task), input_.shapes.size());
    if (added) {
      input_.shapes.push_back(ShapeLike(task, snapshot_.task(task).request));
      input_.shapes.back().spares_slack = !session_.slack_guard().MayUse(task);
      owners_.push_back({task, SIZE_MAX});
    }
    return it->second;
  }

  void AddSlack() {
    const auto* shapes = session_.handover().Find<PlaceholderShapes>();
    if (shapes == nullptr) return;
    const SlackReport& slack = session_.result().slack;
    for (std::size_t s = 0; s < slack.sources.size(); ++s) {
      const PlaceholderShape& source = shapes->sources[s];
      input_.shapes.push_back(ShapeLike(source.sample, source.size));
      if (!source.closed.empty()) CloseFor(source, input_.shapes.back());
      owners_.push_back({source.sample, s});
      const auto without = std::ranges::count(slack.sources[s].nodes, std::string());
      if (without > 0 && !slack.sources[s].expendable)
        input_.demand.push_back({input_.shapes.size() - 1, without, DemandOrigin::kSlack});
    }
  }

  void CloseFor(const PlaceholderShape& source, DemandShape& shape) const {
    for (std::size_t g = 0; g < groups_.templates.size(); ++g) {
      if (IsClosedTo(source, groups_.templates[g])) shape.fits_group[g] = false;
    }
    for (const NodeFacts& node : snapshot_.nodes)
      shape.closed.push_back(IsClosedTo(source, *node.record));
  }

  const Session& session_;
  const Snapshot& snapshot_;
  const SessionGroups& groups_;
  AutoscaleInput& input_;
  std::map<ClassIndex, std::size_t> shape_of_class_;
  std::vector<ShapeOwner> owners_;
};

}  // namespace

std::vector<ShapeOwner> CollectDemand(const Session& session, const SessionGroups& groups,
                                      AutoscaleInput& input) {
  return DemandCollector(session, groups, input).Run();
}

}  // namespace batholith
