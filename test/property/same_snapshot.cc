#include "test/property/same_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "api/standing.h"

namespace batholith::property {
namespace {

// Compares what has a name, and keeps the first difference.
class Comparison {
 public:
  template <typename Value>
  void Same(const char* what, const Value& got, const Value& want) {
    if (difference_.empty() && !(got == want)) difference_ = of_ + what;
  }
  template <typename List, typename Compare>
  void Each(const char* what, const List& got, const List& want, Compare compare) {
    Same(what, got.size(), want.size());
    for (std::size_t i = 0; i < got.size() && difference_.empty(); ++i) {
      of_ = fmt::format("{} {}: ", what, i);
      compare(got[i], want[i]);
      of_.clear();
    }
  }
  std::string Take() { return std::move(difference_); }

 private:
  std::string of_;
  std::string difference_;
};

std::vector<std::string> NamesOf(const ResourceSchema& schema) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < schema.size(); ++r) names.push_back(schema.name(r));
  return names;
}

void CompareNodes(const NodeFacts& got, const NodeFacts& want, Comparison& c) {
  c.Same("record", *got.record, *want.record);
  c.Same("allocatable", *got.allocatable, *want.allocatable);
  c.Same("lists_pods", got.lists_pods, want.lists_pods);
  c.Same("usable", got.usable, want.usable);
  c.Same("closed", got.closed, want.closed);
  c.Same("off_shard", got.off_shard, want.off_shard);
}

void CompareTasks(const TaskFacts& got, const TaskFacts& want, Comparison& c) {
  c.Same("record", *got.record, *want.record);
  c.Same("request", *got.request, *want.request);
  c.Same("job", got.job, want.job);
  c.Same("node", got.node, want.node);
  c.Same("nominated", got.nominated, want.nominated);
  c.Same("status", got.status, want.status);
  c.Same("priority", got.priority, want.priority);
  c.Same("preemptable", got.preemptable, want.preemptable);
  c.Same("revocable", got.revocable, want.revocable);
  c.Same("best_effort", got.best_effort, want.best_effort);
  c.Same("gated", got.gated, want.gated);
  c.Same("unmet", got.unmet, want.unmet);
  c.Same("unserved", got.unserved, want.unserved);
  c.Same("daemon", got.daemon, want.daemon);
  c.Same("no_slack", got.no_slack, want.no_slack);
  c.Same("foreign", got.foreign, want.foreign);
  c.Same("sample", got.sample, want.sample);
  c.Same("role", got.role, want.role);
  c.Same("sub_job", got.sub_job, want.sub_job);
  c.Same("name_number", got.name_number, want.name_number);
}

void CompareJobs(const JobFacts& got, const JobFacts& want, Comparison& c) {
  c.Same("record", *got.record, *want.record);
  c.Same("key", got.key, want.key);
  c.Same("queue", got.queue, want.queue);
  c.Same("queue_name", got.queue_name, want.queue_name);
  c.Same("namespace_", got.namespace_, want.namespace_);
  c.Same("priority", got.priority, want.priority);
  c.Same("min_available", got.min_available, want.min_available);
  c.Same("tasks", got.tasks, want.tasks);
  c.Same("role_min_total", got.role_min_total, want.role_min_total);
  c.Same("unserved_minimum", got.unserved_minimum, want.unserved_minimum);
  c.Same("held", got.held, want.held);
  c.Same("fits_nowhere", got.fits_nowhere, want.fits_nowhere);
  c.Same("min_resources", got.min_resources.has_value(), want.min_resources.has_value());
  if (got.min_resources && want.min_resources)
    c.Same("min_resources", **got.min_resources, **want.min_resources);
  const auto texts = [](const JobFacts& job) {
    std::string out;
    for (const RoleFacts& role : job.roles) out += fmt::format("{}={} ", role.name, role.min);
    for (const SubJobFacts& sub : job.sub_jobs)
      out += fmt::format("{}/{}/{}/{} ", sub.name, sub.policy, sub.min_available, sub.number);
    return out;
  };
  c.Same("roles and sub-jobs", texts(got), texts(want));
}

void CompareQueues(const QueueFacts& got, const QueueFacts& want, Comparison& c) {
  c.Same("record", *got.record, *want.record);
  c.Same("guarantee", got.guarantee, want.guarantee);
  c.Same("deserved", got.deserved, want.deserved);
  c.Same("reclaimable", got.reclaimable, want.reclaimable);
  c.Same("flawed", got.flawed == nullptr, want.flawed == nullptr);
  c.Same("jobs", got.jobs, want.jobs);
}

// Pods are of one class in the one where they are of one in the other.
void CompareClasses(const Snapshot& got, const Snapshot& want, Comparison& c) {
  std::map<ClassIndex, ClassIndex> to, from;
  for (std::size_t t = 0; t < got.tasks.size() && t < want.tasks.size(); ++t) {
    const ClassIndex a = got.tasks[t].base_class;
    const ClassIndex b = want.tasks[t].base_class;
    c.Same("classes", to.try_emplace(a, b).first->second, b);
    c.Same("classes", from.try_emplace(b, a).first->second, a);
    c.Same("base_classes", a.value() < got.base_classes, true);
  }
}

std::vector<TaskIndex> Sorted(std::span<const TaskIndex> tasks) {
  std::vector<TaskIndex> out(tasks.begin(), tasks.end());
  std::ranges::sort(out);
  return out;
}

void CompareStandings(const Snapshot& snapshot, const Standing& got, const Standing& want,
                      Comparison& c) {
  for (std::size_t i = 0; i < snapshot.tasks.size(); ++i) {
    const TaskIndex t(i);
    c.Same("standing: status", got.status(t), want.status(t));
    c.Same("standing: node", got.node(t), want.node(t));
  }
  for (std::size_t i = 0; i < snapshot.nodes.size(); ++i) {
    const NodeIndex n(i);
    c.Same("standing: idle", got.idle(n), want.idle(n));
    c.Same("standing: used", got.used(n), want.used(n));
    c.Same("standing: future idle", got.future_idle(n), want.future_idle(n));
    c.Same("standing: allocatable", got.allocatable(n), want.allocatable(n));
    c.Same("standing: tasks on a node", Sorted(got.tasks_on(n)), Sorted(want.tasks_on(n)));
  }
  for (std::size_t i = 0; i < snapshot.jobs.size(); ++i) {
    const JobIndex j(i);
    c.Same("standing: counters", got.job(j), want.job(j));
    c.Same("standing: allocated of a job", got.job_allocated(j), want.job_allocated(j));
  }
  for (std::size_t i = 0; i < snapshot.queues.size(); ++i) {
    const QueueIndex q(i);
    c.Same("standing: allocated of a queue", got.queue_allocated(q), want.queue_allocated(q));
  }
}

}  // namespace

std::string DifferenceOfSnapshots(const Snapshot& got, const Snapshot& want) {
  Comparison c;
  c.Same("schema", NamesOf(got.schema), NamesOf(want.schema));
  c.Same("notices", got.notices, want.notices);
  c.Same("now", got.now, want.now);
  c.Same("shard", got.shard.has_value(), want.shard.has_value());
  c.Same("labels_matter", got.labels_matter, want.labels_matter);
  c.Same("volumes_matter", got.volumes_matter, want.volumes_matter);
  c.Same("devices_matter", got.devices_matter, want.devices_matter);
  c.Same("requests_unnamed", got.requests_unnamed, want.requests_unnamed);
  c.Same("soft_shard", got.soft_shard, want.soft_shard);
  c.Same("total", got.total, want.total);
  c.Same("shared", got.shared, want.shared);
  c.Same("bundles", got.bundles.size(), want.bundles.size());
  c.Same("buffers", got.buffers.size(), want.buffers.size());
  c.Each("node", got.nodes, want.nodes,
         [&](const NodeFacts& a, const NodeFacts& b) { CompareNodes(a, b, c); });
  c.Each("task", got.tasks, want.tasks,
         [&](const TaskFacts& a, const TaskFacts& b) { CompareTasks(a, b, c); });
  c.Each("job", got.jobs, want.jobs,
         [&](const JobFacts& a, const JobFacts& b) { CompareJobs(a, b, c); });
  c.Each("queue", got.queues, want.queues,
         [&](const QueueFacts& a, const QueueFacts& b) { CompareQueues(a, b, c); });
  c.Each("namespace", got.namespaces, want.namespaces,
         [&](const NamespaceFacts& a, const NamespaceFacts& b) {
           c.Same("name", a.name, b.name);
           c.Same("labels", a.labels, b.labels);
           c.Same("weight", a.weight, b.weight);
         });
  CompareClasses(got, want, c);
  if (got.standing != nullptr) CompareStandings(got, *got.standing, Standing(want), c);
  return c.Take();
}

}  // namespace batholith::property
