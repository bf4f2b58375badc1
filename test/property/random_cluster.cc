#include "test/property/random_cluster.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "test/property/units.h"

namespace batholith::property {
namespace {

class ClusterGenerator {
 public:
  ClusterGenerator(std::uint64_t seed, const RandomClusterOptions& options)
      : options_(options), random_(seed) {}

  ClusterObjects Make() {
    large_ = Chance(3);
    with_gpu_ = Chance(40);
    with_constraints_ = options_.constraints && Chance(60);
    AddPriorityClasses();
    AddNamespaces();
    AddQueues();
    AddNodes();
    const int jobs = (large_ ? Between(10, 30) : Between(1, 10)) * (options_.full ? 3 : 1);
    for (int j = 0; j < jobs; ++j) AddJob(j);
    const int strangers = Between(0, 4);
    for (int s = 0; s < strangers; ++s) AddStranger(s);
    AddDisruptionBudget();
    return std::move(objects_);
  }

 private:
  // std::uniform_int_distribution differs between libraries; seeds should not.
  int Between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }
  template <typename T, std::size_t N>
  T Pick(const std::array<T, N>& from) {
    return from[static_cast<std::size_t>(Between(0, static_cast<int>(N) - 1))];
  }

  ObjectMeta Meta(std::string name, std::string namespace_ = "") {
    ObjectMeta meta;
    meta.name = std::move(name);
    meta.namespace_ = std::move(namespace_);
    // Uids do not follow creation, so that a mix-up of the two shows.
    meta.uid = "uid-" + std::to_string(random_() % 1'000'000) + "-" + std::to_string(made_);
    meta.creation = (1'700'000'000 + ++made_) * kSecond;
    return meta;
  }

  void AddPriorityClasses() {
    const std::array<std::pair<const char*, std::int32_t>, 3> classes{
        {{"low", 10}, {"mid", 100}, {"high", 1000}}};
    for (const auto& [name, value] : classes) {
      PriorityClassRecord c;
      c.meta = Meta(name);
      c.value = value;
      objects_.priority_classes.push_back(std::move(c));
    }
    objects_.priority_classes.front().global_default = Chance(20);
  }

  void AddNamespaces() {
    namespaces_ = Between(1, 3);
    for (int n = 0; n < namespaces_; ++n) {
      NamespaceRecord record;
      record.meta = Meta("ns" + std::to_string(n));
      record.meta.labels["team"] = std::to_string(n % 2);
      objects_.namespaces.push_back(std::move(record));
      if (!Chance(50)) continue;
      ResourceQuotaRecord quota;
      quota.meta = Meta("weight", "ns" + std::to_string(n));
      quota.hard["volcano.sh/namespace.weight"] = 1000 * Between(1, 5);
      objects_.resource_quotas.push_back(std::move(quota));
    }
  }

  void AddQueues() {
    queues_ = Between(1, 4);
    for (int q = 0; q < queues_; ++q) {
      QueueRecord queue;
      queue.meta = Meta(q == 0 ? "default" : "q" + std::to_string(q));
      queue.weight = Between(1, 4);
      if (Chance(15)) queue.priority = Between(0, 2);
      if (Chance(15)) queue.reclaimable = false;
      if (Chance(30)) queue.capability["cpu"] = 1000 * Between(2, 20);
      if (Chance(15)) queue.capability["memory"] = kGibibyte * Between(4, 40);
      if (Chance(10)) queue.guarantee["cpu"] = 1000 * Between(1, 2);
      if (Chance(5)) queue.state = QueueState::kClosed;
      objects_.queues.push_back(std::move(queue));
    }
  }

  void AddNodes() {
    const int drawn = large_ ? Between(20, 60) : Between(1, 10);
    const int nodes = options_.nodes > 0 ? options_.nodes : drawn;
    for (int n = 0; n < nodes; ++n) {
      NodeRecord node;
      node.meta = Meta("n" + std::to_string(n));
      node.meta.labels = {{kHost, node.meta.name}, {"disk", Chance(50) ? "ssd" : "hdd"}};
      if (Chance(90)) node.meta.labels[kZone] = "z" + std::to_string(Between(0, 2));
      node.allocatable["cpu"] = 1000 * Pick(std::array{2, 4, 8, 16});
      node.allocatable["memory"] = kGibibyte * Pick(std::array{4, 8, 16, 32});
      node.allocatable["pods"] = Chance(15) ? Between(1, 4) : 110;
      if (with_gpu_ && Chance(50)) node.allocatable[kGpu] = 1000 * Between(1, 8);
      if (Chance(5)) node.unschedulable = true;
      if (Chance(5)) node.ready = false;
      if (with_constraints_ && Chance(20)) {
        const std::array effects{TaintEffect::kNoSchedule, TaintEffect::kPreferNoSchedule,
                                 TaintEffect::kNoExecute};
        node.taints.push_back({"dedicated", Chance(50) ? "a" : "b", Pick(effects)});
      }
      left_[node.meta.name] = node.allocatable;
      objects_.nodes.push_back(std::move(node));
    }
  }

  LabelSelector AppSelector(const std::string& app) {
    LabelSelector selector;
    selector.requirements.push_back({"app", Requirement::Op::kIn, {app}});
    return selector;
  }

  PodAffinityTerm AppTerm(const std::string& app) {
    PodAffinityTerm term;
    term.selector = AppSelector(app);
    term.topology_key = Chance(50) ? kZone : kHost;
    if (Chance(20)) {
      term.namespaces = {"ns0"};
    } else if (Chance(20)) {
      term.namespace_selector = LabelSelector();
    }
    term.weight = Between(1, 100);
    return term;
  }

  // The signature grows with each part, and each part draws its own random numbers into it.
  std::shared_ptr<const PodConstraints> Constraints(const std::string& app) {
    auto c = std::make_shared<PodConstraints>();
    if (!with_constraints_ || Chance(40)) {
      c->signature = "none";
      return c;
    }
    if (Chance(15)) c->node_selector["disk"] = Chance(50) ? "ssd" : "hdd";
    if (Chance(15)) {
      c->has_required_node_affinity = true;
      NodeSelectorTerm term;
      const auto op = Chance(50) ? Requirement::Op::kIn : Requirement::Op::kNotIn;
      term.expressions.push_back({kZone, op, {"z" + std::to_string(Between(0, 2))}});
      c->required_node_terms.push_back(term);
    }
    if (Chance(15)) {
      PreferredNodeTerm term;
      term.weight = Between(1, 100);
      term.term.expressions.push_back({"disk", Requirement::Op::kIn, {"ssd"}});
      c->preferred_node_terms.push_back(term);
    }
    if (Chance(10)) c->required_affinity.push_back(AppTerm(app));
    if (Chance(10)) c->preferred_affinity.push_back(AppTerm("a" + std::to_string(Between(0, 2))));
    if (Chance(15))
      c->required_anti_affinity.push_back(AppTerm("a" + std::to_string(Between(0, 2))));
    if (Chance(10))
      c->preferred_anti_affinity.push_back(AppTerm("a" + std::to_string(Between(0, 2))));
    if (Chance(15)) {
      TopologySpread spread;
      spread.max_skew = Between(1, 2);
      spread.topology_key = Chance(60) ? kZone : kHost;
      spread.hard = Chance(60);
      spread.selector = AppSelector(app);
      c->topology_spread.push_back(spread);
    }
    if (Chance(40)) {
      Toleration toleration;
      toleration.key = "dedicated";
      toleration.exists = Chance(50);
      if (!toleration.exists) toleration.value = Chance(50) ? "a" : "b";
      c->tolerations.push_back(toleration);
    }
    if (Chance(10)) c->host_ports.push_back({"0.0.0.0", "TCP", 8000 + Between(0, 1)});
    c->signature = "unique-" + std::to_string(++signatures_);
    return c;
  }

  ResourceList Request() {
    ResourceList request;
    if (Chance(8)) return request;  // best effort
    request["cpu"] = 500 * Between(1, 6);
    if (Chance(85)) request["memory"] = kGibibyte * Between(1, 4);
    if (with_gpu_ && Chance(30)) request[kGpu] = 1000 * Between(1, 2);
    return request;
  }

  void AddJob(int number) {
    const std::string namespace_ = "ns" + std::to_string(Between(0, namespaces_ - 1));
    const bool bare = Chance(10);
    const int pods = bare ? 1 : Between(1, 6);
    PodGroupRecord group;
    group.meta = Meta((bare ? "podgroup-" : "job") + std::to_string(number), namespace_);
    group.made_for_pod = bare;
    group.min_member = bare ? 1 : Between(0, pods);
    if (Chance(3)) group.min_member = pods + 1;
    group.queue = Queue();
    if (Chance(50)) group.priority_class = Pick(std::array{"low", "mid", "high"});
    if (Chance(15)) {
      const char* value = Chance(50) ? "true" : "false";
      group.meta.annotations["volcano.sh/preemptable"] = value;
    }
    const std::string app = "a" + std::to_string(Between(0, 2));
    const auto constraints = Constraints(app);
    const ResourceList request = Request();
    const bool runs = options_.running && Chance(options_.full ? 75 : 45);
    std::vector<PodRecord> made;
    for (int p = 0; p < pods; ++p)
      made.push_back(Pod(group, p, app, constraints, Chance(80) ? request : Request()));
    int placed = 0;
    if (runs) {
      for (PodRecord& pod : made) placed += Chance(85) && Start(pod) ? 1 : 0;
    }
    FinishGroup(group, made, placed);
    objects_.pods.insert(objects_.pods.end(), made.begin(), made.end());
    objects_.pod_groups.push_back(std::move(group));
  }

  std::string Queue() {
    if (Chance(3)) return "missing";
    const int q = Between(0, queues_ - 1);
    return q == 0 ? (Chance(50) ? "" : "default") : "q" + std::to_string(q);
  }

  void FinishGroup(PodGroupRecord& group, const std::vector<PodRecord>& pods, int placed) {
    if (placed > 0) {
      group.phase = placed >= group.min_member ? JobPhase::kRunning : JobPhase::kInqueue;
    } else {
      group.phase = Pick(std::array{JobPhase::kNone, JobPhase::kPending, JobPhase::kInqueue});
    }
    if (Chance(50)) {
      ResourceList sum;
      for (std::size_t p = 0; p < pods.size() && std::cmp_less(p, group.min_member); ++p) {
        for (const auto& [name, amount] : pods[p].request) sum[name] += amount;
      }
      group.min_resources = std::move(sum);
    }
    if (!group.made_for_pod && Chance(15)) {
      std::map<std::string, std::int32_t> roles;
      for (const PodRecord& pod : pods) ++roles[pod.task_role];
      for (const auto& [role, count] : roles) {
        if (!role.empty() && Chance(60)) group.min_task_member[role] = Between(0, count);
      }
    }
  }

  PodRecord Pod(const PodGroupRecord& group, int number, const std::string& app,
                const std::shared_ptr<const PodConstraints>& constraints, ResourceList request) {
    PodRecord pod;
    const std::string role = Chance(70) ? "worker" : "ps";
    pod.meta =
        Meta(group.meta.name + "-" + role + "-" + std::to_string(number), group.meta.namespace_);
    pod.meta.labels["app"] = app;
    pod.scheduler_name = "volcano";
    pod.group = group.meta.name;
    pod.task_role = role;
    pod.constraints = constraints;
    pod.request = std::move(request);
    if (Chance(40)) pod.priority = Pick(std::array{0, 1, 10, 100});
    if (Chance(5)) pod.preemption_never = true;
    if (Chance(10)) pod.meta.annotations["volcano.sh/preemptable"] = Chance(60) ? "false" : "true";
    if (Chance(30)) pod.grace_period_s = Between(0, 3);
    if (options_.gates && Chance(4)) pod.scheduling_gates.push_back("wait");
    return pod;
  }

  // Puts the pod on a random node that has room; false when the node drawn has none.
  bool Start(PodRecord& pod) {
    if (!pod.scheduling_gates.empty()) return false;
    const auto n =
        static_cast<std::size_t>(Between(0, static_cast<int>(objects_.nodes.size()) - 1));
    ResourceList& left = left_[objects_.nodes[n].meta.name];
    for (const auto& [name, amount] : pod.request) {
      if (left[name] < amount) return false;
    }
    if (left["pods"] < 1) return false;
    for (const auto& [name, amount] : pod.request) left[name] -= amount;
    --left["pods"];
    pod.node_name = objects_.nodes[n].meta.name;
    const int kind = Between(1, 100);
    pod.phase = kind <= 85   ? PodPhase::kRunning
                : kind <= 93 ? PodPhase::kPending
                             : PodPhase::kSucceeded;
    if (options_.releasing && pod.phase == PodPhase::kRunning && Chance(8))
      pod.meta.deleting = true;
    pod.scheduled_at = pod.meta.creation + kSecond;
    pod.started_at = pod.scheduled_at;
    return true;
  }

  // A pod of another scheduler takes up room, or waits for somebody else.
  void AddStranger(int number) {
    PodRecord pod;
    pod.meta = Meta("stranger-" + std::to_string(number), "kube-system");
    pod.meta.labels["app"] = "a" + std::to_string(Between(0, 2));
    pod.scheduler_name = "default-scheduler";
    auto constraints = std::make_shared<PodConstraints>();
    constraints->signature = "none";
    pod.constraints = std::move(constraints);
    pod.request = Request();
    if (Start(pod) && pod.phase == PodPhase::kSucceeded) pod.phase = PodPhase::kRunning;
    objects_.pods.push_back(std::move(pod));
  }

  void AddDisruptionBudget() {
    if (!Chance(20)) return;
    PodDisruptionBudgetRecord budget;
    budget.meta = Meta("budget", "ns0");
    budget.selector = AppSelector("a0");
    budget.disruptions_allowed = Between(0, 2);
    objects_.disruption_budgets.push_back(std::move(budget));
  }

  RandomClusterOptions options_;
  std::mt19937_64 random_;
  ClusterObjects objects_;
  std::map<std::string, ResourceList> left_;
  bool large_ = false;
  bool with_gpu_ = false;
  bool with_constraints_ = false;
  int namespaces_ = 0;
  int queues_ = 0;
  std::int64_t made_ = 0;
  int signatures_ = 0;
};

template <typename T>
void ShuffleVector(std::vector<T>& items, std::mt19937_64& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace

ClusterObjects RandomCluster(std::uint64_t seed, const RandomClusterOptions& options) {
  return ClusterGenerator(seed, options).Make();
}

ClusterObjects Shuffled(ClusterObjects objects, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ShuffleVector(objects.nodes, random);
  ShuffleVector(objects.pods, random);
  ShuffleVector(objects.pod_groups, random);
  ShuffleVector(objects.queues, random);
  ShuffleVector(objects.namespaces, random);
  ShuffleVector(objects.resource_quotas, random);
  ShuffleVector(objects.priority_classes, random);
  ShuffleVector(objects.disruption_budgets, random);
  ShuffleVector(objects.elastic_quotas, random);
  ShuffleVector(objects.quota_profiles, random);
  ShuffleVector(objects.node_groups, random);
  ShuffleVector(objects.machines, random);
  ShuffleVector(objects.capacity_buffers, random);
  ShuffleVector(objects.pod_templates, random);
  ShuffleVector(objects.scalables, random);
  return objects;
}

}  // namespace batholith::property
