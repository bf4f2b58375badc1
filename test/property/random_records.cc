#include "test/property/random_records.h"

#include <array>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "codec/pod.h"
#include "test/property/random_devices.h"
#include "test/property/random_volumes.h"

namespace batholith::property {
namespace {

// Control characters, line separators, a byte order mark, U+FFFD, the last character, escapes.
constexpr char kOdd[] =
    "\x1b[2J\x7f\xc2\x85\xe2\x80\xa8\xef\xbb\xbf\xef\xbf\xbd\xf4\x8f\xbf\xbf-0\\u0000\\";
// The first and the last time that is read back.
constexpr TimeNs kFirstTime = TimeNs{-2'208'988'800} * 1'000'000'000;
constexpr TimeNs kLastTime = TimeNs{6'942'585'600} * 1'000'000'000;

class RecordGenerator {
 public:
  explicit RecordGenerator(std::uint64_t seed) : random_(seed) {}

  ClusterObjects Make() {
    ClusterObjects o;
    const auto fill = [this](auto& records, auto make) {
      const std::int64_t n = Number(0, 3);
      for (std::int64_t i = 0; i < n; ++i) records.push_back(make());
    };
    fill(o.nodes, [this] { return Node(); });
    fill(o.pods, [this] { return Pod(); });
    fill(o.pod_groups, [this] { return Group(); });
    fill(o.queues, [this] { return Queue(); });
    fill(o.namespaces, [this] { return NamespaceRecord{Meta(false)}; });
    fill(o.resource_quotas, [this] {
      return ResourceQuotaRecord{Meta(true), WeightedAmounts(), Amounts(), Amounts(), Scopes()};
    });
    fill(o.priority_classes,
         [this] { return PriorityClassRecord{Meta(false), Int32(INT32_MIN), Yes(), Yes()}; });
    fill(o.disruption_budgets, [this] { return Budget(); });
    fill(o.elastic_quotas, [this] { return Quota(); });
    fill(o.quota_profiles, [this] { return Profile(); });
    fill(o.node_groups, [this] { return NodeGroup(); });
    fill(o.machines, [this] { return Machine(); });
    fill(o.capacity_buffers, [this] { return Buffer(); });
    fill(o.pod_templates, [this] { return PodTemplate(); });
    fill(o.scalables, [this] { return Scalable(); });
    fill(o.storage_classes, [this] { return StorageClass(); });
    const RandomParts parts{
        [this](std::int64_t low, std::int64_t high) { return Number(low, high); },
        [this] { return Text(); }, [this](bool spaced) { return Meta(spaced); },
        [this] { return Selector(); }, [this] { return NodeTerm(); }};
    AddRandomVolumes(parts, o);
    AddRandomDevices(parts, o);
    fill(o.composite_groups, [this] { return Composite(); });
    fill(o.node_shards, [this] { return NodeShardRecord{Meta(false), Texts(), Texts(), Texts()}; });
    fill(o.hyper_nodes, [this] { return HyperNode(); });
    return o;
  }

 private:
  std::int64_t Number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  bool Yes() { return Number(0, 1) == 1; }
  // Any number from `low` on; often one end of the range.
  std::int32_t Int32(std::int32_t low) {
    if (Number(0, 3) == 0) return Yes() ? low : INT32_MAX;
    return static_cast<std::int32_t>(Number(low, INT32_MAX));
  }
  std::string Text() {
    static const std::array<std::string, 15> kTexts{
        "",     "a",    "zone/a",     "x.y-z", "true",
        "null", "12",   kOdd,         "1e3",   "0x1f",
        "\"q'", "a: b", "two\nlines", "é 水",  {"nul \0 tab\t", 10}};
    return kTexts[static_cast<std::size_t>(Number(0, 14))];
  }
  std::string Word() { return "w" + std::to_string(Number(0, 9)) + Text(); }
  template <typename Make>
  auto List(Make make) {
    std::vector<decltype(make())> out;
    for (std::int64_t n = Number(0, 2); n > 0; --n) out.push_back(make());
    return out;
  }
  std::vector<std::string> Texts() {
    return List([this] { return Text(); });
  }
  Labels Notes() {
    Labels out;
    for (std::int64_t n = Number(0, 2); n > 0; --n) out[Text()] = Text();
    return out;
  }
  // 1900 to 2190, to the nanosecond; or not set.
  TimeNs Time() {
    constexpr TimeNs kYear = TimeNs{31'556'952} * 1'000'000'000;
    if (Number(0, 3) == 0) return 0;
    if (Number(0, 9) == 0) return Yes() ? kFirstTime : kLastTime;
    const TimeNs time = Number(-69 * kYear, 219 * kYear);
    return Yes() ? time : time - time % 1'000'000'000;
  }
  ResourceList Amounts(bool may_be_negative = false) {
    ResourceList out;
    for (const char* name : {"cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "a.b/gpu",
                             "requests.cpu", "volcano.sh/namespace.weight"}) {
      if (Number(0, 2) > 0) continue;
      std::int64_t amount = Number(0, 2) == 0 ? Number(0, 1) * INT64_MAX : Number(0, 1 << 20);
      if (Yes() && amount < INT64_MAX) amount *= 1024 * 1000;
      out[name] = may_be_negative && Yes() ? -amount : amount;
    }
    return out;
  }
  // Of a quota's hard only a namespace's weight may be negative.
  ResourceList WeightedAmounts() {
    ResourceList out = Amounts();
    if (Yes()) out["volcano.sh/namespace.weight"] = -Number(0, 9) * 1000;
    return out;
  }
  ElasticQuotaRecord Quota() {
    ElasticQuotaRecord quota;
    quota.meta = Meta(true);
    const std::array<std::string_view, 4> groups{kSchedulerPluginsGroup, kSigsGroup, kNosGroup,
                                                 kOldNosGroup};
    const auto group = static_cast<std::size_t>(Number(0, 3));
    quota.group = groups[group];
    quota.dialect = group == 0   ? QuotaDialect::kSchedulerPlugins
                    : group == 1 ? QuotaDialect::kKoordinator
                                 : QuotaDialect::kNos;
    if (Yes()) quota.min = Amounts(true);
    if (Yes()) quota.max = Amounts(true);
    quota.status_used = Amounts(true);
    if (group > 1 && Yes()) {
      quota.kind = "CompositeElasticQuota";
      quota.namespaces = Texts();
    }
    if (group != 1) return quota;
    quota.is_parent = Yes();
    quota.parent = Word();
    quota.allow_lent = Yes();
    const std::string prefix(kQuotaKeyPrefix);
    quota.meta.labels[prefix + "is-parent"] = quota.is_parent ? "true" : "false";
    quota.meta.labels[prefix + "parent"] = quota.parent;
    if (!quota.allow_lent) quota.meta.labels[prefix + "allow-lent-resource"] = "false";
    quota.meta.annotations[prefix + "shared-weight"] = R"({"cpu":"2","memory":"-1"})";
    quota.shared_weight = ResourceList{{"cpu", 2000}, {"memory", -1}};
    return quota;
  }
  std::vector<QuotaScope> Scopes() {
    return List(
        [this] { return QuotaScope{Word(), static_cast<QuotaScope::Op>(Number(0, 3)), Texts()}; });
  }
  NodeGroupRecord NodeGroup() {
    NodeGroupRecord group;
    const bool machines = Yes();
    group.meta = Meta(machines);
    group.kind = machines ? "MachineDeployment" : "NodeGroup";
    group.min = Int32(0);
    group.max = Int32(0);
    group.replicas = Int32(0);
    group.paused = Yes();
    group.rolling_out = Yes();
    group.delay = Number(0, 600) * 1'000'000'000;
    if (Yes()) {
      group.node_template = Node();
      group.node_template->meta.name.clear();
    }
    return group;
  }
  MachineRecord Machine() {
    MachineRecord machine;
    machine.meta = Meta(true);
    machine.node = Text();
    if (Yes())
      machine.meta.labels["cluster.x-k8s.io/deployment-name"] = machine.deployment = Word();
    machine.marked = Yes();
    if (machine.marked) machine.meta.annotations[kDeleteMachine] = kMarkedByUs;
    return machine;
  }
  CapacityBufferRecord Buffer() {
    CapacityBufferRecord buffer;
    buffer.meta = Meta(true);
    buffer.generation = Number(0, 9);
    buffer.strategy = Text();
    if (Yes()) {
      buffer.scalable = ScalableReference{Text(), Word(), Word()};
    } else {
      buffer.pod_template = Text();
    }
    if (buffer.pod_template.empty() ? Yes() : true) buffer.replicas = Int32(0);
    if (Yes()) buffer.percentage = Int32(0);
    buffer.limits = Amounts();
    if (Yes()) buffer.status_replicas = Int32(0);
    buffer.conditions = List([this] { return JobCondition{Word(), Text(), Text(), Text()}; });
    if (Yes()) {
      buffer.conditions.push_back({kReadyForProvisioning, "True", Text(), Text()});
      buffer.observed_generation = Number(0, 9);
    }
    return buffer;
  }
  StorageClassRecord StorageClass() {
    StorageClassRecord out{Meta(false), Text(), Yes(), {}};
    out.allowed_topologies = List([this] {
      return List([this] { return Requirement{Word(), Requirement::Op::kIn, {Word()}}; });
    });
    return out;
  }
  HyperNodeRecord HyperNode() {
    HyperNodeRecord out{Meta(false), Int32(0), Text(), {}, Number(0, 9)};
    out.members = List([this] {
      HyperNodeMember member;
      const std::int64_t by = Number(0, 2);
      member.is_node = by == 2 || Yes();
      if (by == 0) member.name = Word();
      if (by == 1) member.pattern = Word();
      if (by == 2) member.labels = Selector().value_or(LabelSelector());
      return member;
    });
    return out;
  }
  std::optional<NetworkTopology> Topology() {
    if (Yes()) return std::nullopt;
    NetworkTopology out;
    out.hard = Yes();
    if (Yes()) {
      out.highest_tier = Int32(0);
    } else {
      out.highest_tier_name = Text();
    }
    return out;
  }
  // As scheduling.k8s.io has it.
  std::optional<NetworkTopology> TopologyKey() {
    if (Yes()) return std::nullopt;
    NetworkTopology out;
    out.node_label = Word();
    return out;
  }
  // A pod as a template holds it.
  PodRecord TemplatePod(const ObjectMeta& owner) {
    PodRecord pod;
    pod.meta.name = owner.name;
    pod.meta.namespace_ = owner.namespace_;
    pod.meta.labels = Notes();
    pod.meta.annotations = Notes();
    pod.scheduler_name = Word();
    pod.request = Amounts();
    pod.constraints = std::make_shared<const PodConstraints>(Constraints());
    return pod;
  }
  PodTemplateRecord PodTemplate() {
    PodTemplateRecord out;
    out.meta = Meta(true);
    out.generation = Number(0, 9);
    out.pod = TemplatePod(out.meta);
    return out;
  }
  ScalableRecord Scalable() {
    const std::array<std::string, 5> kinds{"Deployment", "ReplicaSet", "StatefulSet", "Job",
                                           "ReplicationController"};
    ScalableRecord out;
    out.meta = Meta(true);
    out.kind = kinds[static_cast<std::size_t>(Number(0, 4))];
    const bool core = out.kind == "ReplicationController";
    out.api_group = core ? "" : out.kind == "Job" ? "batch" : "apps";
    out.replicas = Int32(0);
    if (!core) out.selector = Selector();
    if (Yes()) out.pod = TemplatePod(out.meta);
    return out;
  }
  ElasticQuotaProfileRecord Profile() {
    ElasticQuotaProfileRecord profile;
    profile.meta = Meta(true);
    profile.quota_name = Word();
    profile.node_selector = Selector().value_or(LabelSelector());
    profile.quota_labels = Notes();
    profile.resource_ratio = Text();
    return profile;
  }
  ObjectMeta Meta(bool namespaced) {
    ObjectMeta meta;
    meta.name = "o" + std::to_string(next_++) + Text();
    if (namespaced) meta.namespace_ = Word();
    meta.uid = Text();
    meta.labels = Notes();
    meta.annotations = Notes();
    meta.creation = Time();
    meta.deleting = Yes();
    if (Yes()) {
      meta.owner.Edit().uid = Text();
      meta.owner.Edit().kind = Text();
      meta.owner.Edit().name = Text();
    }
    return meta;
  }
  TaintEffect Effect() { return static_cast<TaintEffect>(Number(0, 2)); }
  // As the decoder takes them: labels have the first four operators, nodes all six.
  Requirement Need(std::int64_t operators) {
    Requirement r{Word(), static_cast<Requirement::Op>(Number(0, operators - 1)), {}};
    const bool number = r.op == Requirement::Op::kGt || r.op == Requirement::Op::kLt;
    if (number) r.values = {std::to_string(Int32(INT32_MIN))};
    if (r.op == Requirement::Op::kIn || r.op == Requirement::Op::kNotIn) {
      r.values = Texts();
      r.values.push_back(Text());
    }
    return r;
  }
  Requirement FieldNeed() {
    const auto op = Yes() ? Requirement::Op::kIn : Requirement::Op::kNotIn;
    return {"metadata.name", op, {Text()}};
  }
  std::optional<LabelSelector> Selector() {
    if (Number(0, 2) == 0) return std::nullopt;
    return LabelSelector{List([this] { return Need(4); })};
  }
  // A term that names what no label can be is read as one that matches nothing.
  Requirement NodeNeed() {
    Requirement r = Need(6);
    if (r.op <= Requirement::Op::kNotIn) r.values = {Yes() ? "a" : "x.y-z", ""};
    return r;
  }
  NodeSelectorTerm NodeTerm() {
    return {List([this] { return NodeNeed(); }), List([this] { return FieldNeed(); })};
  }
  std::vector<PodAffinityTerm> PodTerms(bool preferred) {
    return List([&] {
      const std::int32_t weight = preferred ? static_cast<std::int32_t>(Number(1, 100)) : 0;
      return PodAffinityTerm{Selector(), Texts(), Selector(), Word(), weight};
    });
  }

  NodeRecord Node() {
    NodeRecord node;
    node.meta = Meta(false);
    node.unschedulable = Yes();
    node.ready = Yes();
    node.taints = List([this] { return Taint{Word(), Text(), Effect()}; });
    node.allocatable = Amounts();
    if (Yes()) node.allocatable["pods"] = Number(0, 110);
    node.images = List([this] { return NodeImage{Texts(), Number(0, INT64_MAX)}; });
    return node;
  }

  PodConstraints Constraints() {
    PodConstraints c;
    c.node_selector = Notes();
    c.has_required_node_affinity = Yes();
    if (c.has_required_node_affinity) {
      c.required_node_terms = List([this] { return NodeTerm(); });
      c.required_node_terms.push_back(NodeTerm());
    }
    c.preferred_node_terms = List([this] {
      return PreferredNodeTerm{static_cast<std::int32_t>(Number(1, 100)), NodeTerm()};
    });
    c.required_affinity = PodTerms(false);
    c.preferred_affinity = PodTerms(true);
    c.required_anti_affinity = PodTerms(false);
    c.preferred_anti_affinity = PodTerms(true);
    c.topology_spread = List([this] {
      const bool hard = Yes();
      return TopologySpread{Int32(1), Word(), hard, Selector(), hard ? Int32(1) : 1, Yes(), Yes()};
    });
    c.tolerations = List([this] {
      const std::optional<TaintEffect> effect = Yes() ? std::optional(Effect()) : std::nullopt;
      const bool exists = Yes();
      return Toleration{exists ? Text() : Word(), exists, exists ? "" : Text(), effect};
    });
    c.host_ports = List([this] {
      return HostPort{Yes() ? "0.0.0.0" : "10.0.0.1", Yes() ? "TCP" : "SCTP",
                      static_cast<std::int32_t>(Number(1, 65535))};
    });
    c.images = Texts();
    c.signature = SignatureOf(c);
    return c;
  }

  PlacementNeeds Needs() {
    PlacementNeeds out;
    if (Yes()) out[static_cast<PlacementNeed>(Number(0, 3))] = Text();
    return out;
  }

  PodRecord Pod() {
    PodRecord pod;
    pod.meta = Meta(true);
    pod.scheduler_name = Text();
    pod.node_name = Text();
    pod.phase = static_cast<PodPhase>(Number(0, 4));
    pod.request = Amounts();
    pod.constraints = std::make_shared<const PodConstraints>(Constraints());
    if (Yes()) pod.priority = Int32(INT32_MIN);
    pod.priority_class = Text();
    pod.preemption_never = Yes();
    pod.nominated_node = Text();
    pod.scheduling_gates = Texts();
    pod.local_volumes =
        List([this] { return LocalVolume{Text(), static_cast<LocalVolume::Kind>(Number(0, 2))}; });
    pod.scheduled_at = Time();
    pod.started_at = Time();
    if (pod.meta.deleting) pod.deletion = Time();
    pod.deadline_s = Int32(-1);
    pod.grace_period_s = Int32(-1);
    pod.unnamed_cpu = Number(0, 300);
    pod.unnamed_memory = Number(0, 300);
    pod.group = Text();
    pod.task_role = Text();
    pod.needs = Needs();
    return pod;
  }

  // What its API has a place for.
  PodGroupRecord ForeignGroup() {
    PodGroupRecord group;
    group.meta = Meta(true);
    group.api = static_cast<GroupApi>(Number(1, 3));
    group.min_member = Int32(0);
    group.phase = static_cast<JobPhase>(Number(0, 5));
    group.conditions = List([this] { return JobCondition{Text(), Text(), Text(), Text()}; });
    group.needs = Needs();
    if (group.api != GroupApi::kKubernetes) {
      if (Yes()) group.min_resources = Amounts();
      group.made_for_pod = Yes();
      return group;
    }
    group.parent = Text();
    group.priority_class = Text();
    if (Yes()) group.priority = Int32(INT32_MIN);
    group.preemption_never = Yes();
    group.falls_whole = Yes();
    group.network_topology = TopologyKey();
    return group;
  }

  CompositePodGroupRecord Composite() {
    CompositePodGroupRecord group{Meta(true), Int32(0), Text(),        Text(),
                                  {},         Yes(),    TopologyKey(), Needs()};
    if (Yes()) group.priority = Int32(INT32_MIN);
    return group;
  }

  PodGroupRecord Group() {
    if (Number(0, 2) == 0) return ForeignGroup();
    PodGroupRecord group;
    group.meta = Meta(true);
    group.min_member = Int32(0);
    for (std::int64_t n = Number(0, 2); n > 0; --n) group.min_task_member[Text()] = Int32(0);
    group.sub_group_policies = List([this] {
      return SubGroupPolicy{Text(), Int32(0), Int32(0), -1, Selector(), Texts(), Topology()};
    });
    group.network_topology = Topology();
    group.queue = Text();
    group.priority_class = Text();
    if (Yes()) group.min_resources = Amounts();
    group.phase = static_cast<JobPhase>(Number(0, 5));
    group.conditions = List([this] { return JobCondition{Text(), Text(), Text(), Text()}; });
    group.made_for_pod = Yes();
    group.needs = Needs();
    return group;
  }

  QueueRecord Queue() {
    QueueRecord queue;
    queue.meta = Meta(false);
    queue.weight = static_cast<std::int32_t>(Number(1, 1'000'000'000));
    queue.priority = Int32(0);
    if (Yes()) queue.reclaimable = Yes();
    queue.capability = Amounts();
    queue.guarantee = Amounts();
    queue.deserved = Amounts();
    queue.parent = Text();
    queue.affinity = {Texts(), Texts(), Texts(), Texts()};
    queue.state = static_cast<QueueState>(Number(0, 3));
    return queue;
  }

  PodDisruptionBudgetRecord Budget() {
    PodDisruptionBudgetRecord budget;
    budget.meta = Meta(true);
    budget.selector = Selector();
    budget.disruptions_allowed = Int32(INT32_MIN);
    for (const auto& [pod, unused] : Notes()) budget.disrupted_pods.push_back(pod);
    return budget;
  }

  std::mt19937_64 random_;
  int next_ = 0;
};

}  // namespace

ClusterObjects RandomRecords(std::uint64_t seed) { return RecordGenerator(seed).Make(); }

}  // namespace batholith::property
