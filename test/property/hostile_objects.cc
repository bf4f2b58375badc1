#include "test/property/hostile_objects.h"

#include <array>
#include <memory>
#include <random>
#include <utility>

#include "test/property/units.h"

namespace batholith::property {
namespace {

constexpr const char* kNamespace = "evil";

class Villain {
 public:
  Villain(std::uint64_t seed, ClusterObjects& objects)
      : random_(seed ^ 0x5eed), objects_(objects) {}

  std::string Add() {
    switch (Between(0, 14)) {
      case 0:
      case 1:
        return AddStranger();
      case 2:
        return AddFinishedPod();
      case 3:
        return AddPodElsewhere();
      case 4:
      case 5:
        return AddPodOfOurs();
      case 6:
      case 7:
        return AddGroup();
      case 8:
        return AddQueue();
      case 9:
        return AddNamespaceOrItsQuota();
      case 10:
        return AddBudget();
      case 11:
      case 12:
        return AddElasticQuota();
      case 13:
        return AddWhatNoConfReads();
      default:
        return AddPriorityClass();
    }
  }

 private:
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }
  template <typename T, std::size_t N>
  T Pick(const std::array<T, N>& from) {
    return from[static_cast<std::size_t>(Between(0, N - 1))];
  }

  std::int64_t Amount() {
    return Pick(std::array<std::int64_t, 7>{0, 0, 1, 1000, std::int64_t{1} << 40, INT64_MAX - 1,
                                            INT64_MAX});
  }
  std::int32_t Odd32() {
    return Pick(
        std::array<std::int32_t, 8>{INT32_MIN, -1, 0, 1, 2, 1000, INT32_MAX - 1, INT32_MAX});
  }

  // Of somebody else, or the very same as an object of the cluster has.
  std::string Uid() {
    if (Chance(20) && !objects_.pods.empty()) return objects_.pods.front().meta.uid;
    return Chance(20) ? "" : "evil-uid";
  }

  std::string Name() {
    if (Chance(10)) return "";
    if (Chance(10)) return std::string(static_cast<std::size_t>(Between(1, 5000)), 'e');
    if (Chance(10)) return "evil\x1e=\x1f,\n\x01-7";
    if (Chance(20) && !objects_.pods.empty()) return objects_.pods.back().meta.name;
    return "evil-" + std::to_string(Between(0, 3)) + "-99999999999999999999";
  }

  Labels ManyLabels() {
    Labels labels;
    const std::int64_t many = Chance(5) ? 2'000 : Between(0, 3);
    for (std::int64_t i = 0; i < many; ++i) labels["evil/" + std::to_string(i)] = "x";
    if (Chance(50)) labels["app"] = "a" + std::to_string(Between(0, 2));
    return labels;
  }

  ObjectMeta Meta(bool has_namespace = true) {
    ObjectMeta meta;
    meta.name = has_namespace ? Name() : "evil" + std::to_string(Between(0, 9));
    if (has_namespace) meta.namespace_ = kNamespace;
    meta.uid = Uid();
    meta.creation = Pick(std::array<TimeNs, 5>{0, INT64_MIN, INT64_MAX, 1'700'000'000 * kSecond,
                                               1'800'000'000 * kSecond});
    meta.deleting = Chance(10);
    meta.labels = ManyLabels();
    if (Chance(30)) {
      meta.annotations = {{"volcano.sh/task-priority", Chance(50) ? "2147483648" : "-1e9"},
                          {"volcano.sh/preemptable", "maybe"},
                          {"volcano.sh/revocable-zone", "*"},
                          {"slack.batholith.dev/mirror", "99999999999999999999"},
                          {"quota.batholith.dev/over-since", "-9223372036854775809"}};
    }
    return meta;
  }

  // The same in what queues, quotas and templates list. Few: of more names than are counted those
  // that nobody has give way, and who waits for one of them is told another reason.
  void ListInvented(ResourceList& list) {
    for (std::int64_t i = Between(0, 6); i > 0; --i)
      list["evil.com/r" + std::to_string(i)] = Chance(50) ? 0 : Amount();
  }

  // Of resources that are counted anyhow: listing another one would count it.
  void ListReal(ResourceList& list) {
    for (const char* name : {"cpu", "memory"}) {
      if (Chance(50)) list[name] = Amount();
    }
  }

  // Names that nobody has, at 0 and above.
  void AddInvented(ResourceList& list, bool some_of_it) {
    const std::int64_t many = Chance(20) ? Between(29, 200) : Between(1, 40);
    for (std::int64_t i = 0; i < many; ++i)
      list["evil.com/r" + std::to_string(i)] = Chance(50) ? 0 : Amount();
    if (some_of_it) list["evil.com/r0"] = Pick(std::array<std::int64_t, 3>{1, 1000, INT64_MAX});
    if (Chance(20)) list[""] = Amount();
    if (Chance(20)) list["aaa.com/first\x1e"] = 0;
    if (Chance(20)) list["nos.nebuly.com/gpu-memory"] = 0;
  }

  void AddReal(ResourceList& list) {
    for (const char* name : {"cpu", "memory", "nvidia.com/gpu", "ephemeral-storage"}) {
      if (Chance(50)) list[name] = Amount();
    }
  }

  std::shared_ptr<const PodConstraints> Constraints() {
    auto c = std::make_shared<PodConstraints>();
    if (Chance(30)) {
      PodAffinityTerm term;
      term.selector = LabelSelector();
      term.namespace_selector = LabelSelector();
      term.topology_key = Chance(50) ? "" : "kubernetes.io/hostname";
      term.weight = Odd32();
      (Chance(50) ? c->required_anti_affinity : c->preferred_affinity).push_back(term);
    }
    if (Chance(20)) {
      TopologySpread spread;
      spread.max_skew = Odd32();
      spread.min_domains = Odd32();
      spread.topology_key = "topology.kubernetes.io/zone";
      spread.selector = LabelSelector();
      c->topology_spread.push_back(spread);
    }
    if (Chance(20)) {
      c->has_required_node_affinity = true;
      c->required_node_terms.push_back(
          {{{"disk", Chance(50) ? Requirement::Op::kGt : Requirement::Op::kLt, {"evil"}}}, {}});
    }
    if (Chance(20)) c->preferred_node_terms.push_back({Odd32(), {}});
    if (Chance(20)) c->host_ports.push_back({"", "", Odd32()});
    c->signature = "evil" + std::to_string(random_());
    return c;
  }

  PodRecord Pod() {
    PodRecord pod;
    pod.meta = Meta();
    pod.constraints = Constraints();
    pod.task_role = Chance(50) ? "" : "worker";
    if (Chance(50)) pod.priority = Odd32();
    pod.priority_class = Chance(50) ? "" : "evil";
    pod.preemption_never = Chance(30);
    pod.grace_period_s =
        Pick(std::array<std::int64_t, 5>{-1, 0, INT64_MIN, INT64_MAX, std::int64_t{1} << 40});
    pod.deletion = Chance(20) ? INT64_MAX : 0;
    pod.nominated_node = Chance(20) ? "nowhere" : "";
    pod.quota_name = Chance(20) ? "evil" : "";
    pod.quota_preemptible = Chance(50);
    AddInvented(pod.request.Edit(), false);
    AddReal(pod.request.Edit());
    return pod;
  }

  std::string AddStranger() {
    PodRecord& pod = objects_.pods.emplace_back(Pod());
    pod.scheduler_name = Chance(50) ? "default-scheduler" : "";
    pod.phase = Chance(70) ? PodPhase::kPending : PodPhase::kUnknown;
    return "a pod that waits for another scheduler";
  }

  std::string AddFinishedPod() {
    PodRecord& pod = objects_.pods.emplace_back(Pod());
    pod.scheduler_name = Chance(50) ? "volcano" : "default-scheduler";
    pod.phase = Chance(50) ? PodPhase::kSucceeded : PodPhase::kFailed;
    if (Chance(70)) pod.node_name = objects_.nodes.front().meta.name;
    return "a pod that has finished";
  }

  std::string AddPodElsewhere() {
    PodRecord& pod = objects_.pods.emplace_back(Pod());
    pod.scheduler_name = Chance(50) ? "volcano" : "default-scheduler";
    pod.phase = Pick(std::array{PodPhase::kPending, PodPhase::kRunning, PodPhase::kUnknown});
    pod.node_name = Chance(50) ? "nowhere" : std::string(1, '\0');
    return "a pod on a node that does not exist";
  }

  PodGroupRecord Group(bool in_own_queue) {
    PodGroupRecord group;
    group.meta = Meta();
    group.meta.name = "evil";
    group.min_member = Odd32();
    group.queue = in_own_queue ? Queue().meta.name : Chance(50) ? "missing" : "default";
    group.priority_class = Chance(50) ? "high" : "no such";
    for (std::int64_t i = Between(0, 3); i > 0; --i)
      group.min_task_member[i == 1 ? "" : "role" + std::to_string(i)] = Odd32();
    for (std::int64_t i = Between(0, 3); i > 0; --i) {
      SubGroupPolicy policy;
      policy.name = Chance(50) ? "" : "same";
      policy.sub_group_size = Odd32();
      policy.min_sub_groups = Odd32();
      if (Chance(50)) policy.selector = LabelSelector();
      if (Chance(50)) policy.match_label_keys = {"", "evil/0", "app"};
      group.sub_group_policies.push_back(std::move(policy));
    }
    group.conditions.Edit().push_back({"", "", "", ""});
    return group;
  }

  QueueRecord& Queue() {
    QueueRecord queue;
    queue.meta = Meta(false);
    queue.meta.name = "evil";
    objects_.queues.push_back(std::move(queue));
    return objects_.queues.back();
  }

  std::string AddPodOfOurs() {
    PodRecord pod = Pod();
    pod.scheduler_name = "volcano";
    AddInvented(pod.request.Edit(), true);
    if (Chance(20)) pod.scheduling_gates.push_back("evil");
    if (Chance(20)) {
      pod.group = "missing";
    } else {
      PodGroupRecord group = Group(false);
      if (Chance(50)) group.min_resources = pod.request;
      group.min_member = std::max(group.min_member, 1);
      group.made_for_pod = Chance(50);
      group.phase = Pick(std::array{JobPhase::kNone, JobPhase::kPending, JobPhase::kInqueue});
      pod.group = group.meta.name;
      objects_.pod_groups.push_back(std::move(group));
    }
    objects_.pods.push_back(std::move(pod));
    return "a pod of ours that asks for what nobody has";
  }

  std::string AddGroup() {
    PodGroupRecord group = Group(Chance(30));
    ResourceList& minimum = group.min_resources.emplace();
    AddInvented(minimum, true);
    AddReal(minimum);
    minimum["requests.cpu"] = minimum["count/pods"] = Amount();
    minimum["deviceclass/evil"] = Amount();
    group.phase = Pick(std::array{JobPhase::kNone, JobPhase::kPending, JobPhase::kCompleted});
    objects_.pod_groups.push_back(std::move(group));
    return "a group without pods that asks for what nobody has";
  }

  std::string AddQueue() {
    QueueRecord& queue = Queue();
    queue.weight = Odd32();
    queue.priority = Odd32();
    if (Chance(50)) queue.reclaimable = Chance(50);
    ListInvented(queue.capability);
    ListReal(queue.capability);
    ListInvented(queue.deserved);
    ListInvented(queue.guarantee);
    queue.parent = Pick(std::array{"", "root", "evil", "no such"});
    queue.affinity.required = {"", "evil"};
    queue.state = Pick(std::array{QueueState::kOpen, QueueState::kClosing, QueueState::kUnknown});
    queue.fifo = Chance(50);
    return "a queue without jobs";
  }

  std::string AddNamespaceOrItsQuota() {
    if (Chance(30)) {
      NamespaceRecord record;
      record.meta = Meta(false);
      objects_.namespaces.push_back(std::move(record));
      return "a namespace";
    }
    ResourceQuotaRecord quota;
    quota.meta = Meta();
    quota.hard["volcano.sh/namespace.weight"] = Chance(50) ? INT64_MAX : INT64_MIN;
    for (ResourceList* list : {&quota.hard, &quota.status_hard, &quota.used}) {
      AddInvented(*list, false);
      AddReal(*list);
    }
    quota.scopes.push_back({"evil", QuotaScope::Op::kIn, {}});
    objects_.resource_quotas.push_back(std::move(quota));
    return "a resource quota";
  }

  std::string AddBudget() {
    PodDisruptionBudgetRecord budget;
    budget.meta = Meta();
    if (Chance(80)) {
      LabelSelector& selector = budget.selector.emplace();
      for (std::int64_t i = Chance(10) ? 2'000 : Between(0, 2); i > 0; --i) {
        selector.requirements.push_back(
            {"app",
             Pick(std::array{Requirement::Op::kGt, Requirement::Op::kNotIn,
                             Requirement::Op::kDoesNotExist}),
             {}});
      }
    }
    budget.disruptions_allowed = Odd32();
    budget.disrupted_pods = {"", "evil"};
    objects_.disruption_budgets.push_back(std::move(budget));
    return "a disruption budget";
  }

  std::string AddElasticQuota() {
    ElasticQuotaRecord quota;
    quota.meta = Meta();
    quota.dialect = Pick(std::array{QuotaDialect::kSchedulerPlugins, QuotaDialect::kNos,
                                    QuotaDialect::kKoordinator});
    quota.group = quota.dialect == QuotaDialect::kNos           ? kNosGroup
                  : quota.dialect == QuotaDialect::kKoordinator ? kSigsGroup
                                                                : kSchedulerPluginsGroup;
    quota.meta.name = "evil";
    if (quota.dialect == QuotaDialect::kNos && Chance(30)) quota.kind = "CompositeElasticQuota";
    quota.namespaces = {kNamespace, "", "evil-too"};
    if (Chance(80)) ListInvented(quota.min.emplace());
    if (Chance(80)) {
      ListInvented(quota.max.emplace());
      ListReal(*quota.max);
    }
    AddInvented(quota.status_used, false);
    AddReal(quota.status_used);
    quota.is_parent = Chance(30);
    quota.parent = Pick(std::array{"", "evil", "no such"});
    quota.allow_lent = Chance(50);
    quota.tree_id = Chance(30) ? "evil" : "";
    quota.profile = Chance(30) ? "evil/none" : "";
    if (Chance(30)) quota.shared_weight = ResourceList{{"cpu", 0}, {"evil.com/r1", INT64_MAX}};
    quota.max_strict_keys = {"", "evil.com/r1"};
    quota.meta.annotations["quota.batholith.dev/compare"] = "evil";
    objects_.elastic_quotas.push_back(std::move(quota));
    return "an elastic quota";
  }

  std::string AddWhatNoConfReads() {
    PodTemplateRecord& pod_template = objects_.pod_templates.emplace_back();
    pod_template.meta = Meta();
    pod_template.meta.name = "evil";
    pod_template.pod = Pod();
    CapacityBufferRecord& buffer = objects_.capacity_buffers.emplace_back();
    buffer.meta = Meta();
    buffer.pod_template = "evil";
    buffer.replicas = Odd32();
    buffer.percentage = Odd32();
    AddInvented(buffer.limits, false);
    NodeGroupRecord& group = objects_.node_groups.emplace_back();
    group.meta = Meta();
    group.min = Odd32();
    group.max = Odd32();
    ListInvented(group.node_template.emplace().allocatable);
    ElasticQuotaProfileRecord& profile = objects_.quota_profiles.emplace_back();
    profile.meta = Meta();
    profile.resource_ratio = "evil";
    profile.resource_keys = {"", "evil.com/r1"};
    return "a buffer with its template, a node group and a profile";
  }

  std::string AddPriorityClass() {
    PriorityClassRecord& c = objects_.priority_classes.emplace_back();
    c.meta = Meta(false);
    c.value = Odd32();
    return "a priority class";
  }

  std::mt19937_64 random_;
  ClusterObjects& objects_;
};

}  // namespace

std::string AddHostileObject(std::uint64_t seed, ClusterObjects& objects) {
  return Villain(seed, objects).Add();
}

}  // namespace batholith::property
