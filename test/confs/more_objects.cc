#include "test/confs/more_objects.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "codec/pod.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

std::int32_t Small(std::int64_t n) { return static_cast<std::int32_t>(n); }

std::shared_ptr<const PodConstraints> NoConstraints() {
  PodConstraints constraints;
  constraints.signature = SignatureOf(constraints);
  return std::make_shared<const PodConstraints>(std::move(constraints));
}

class Adder {
 public:
  Adder(ClusterObjects& objects, Draws& draws) : objects_(objects), draws_(draws) {
    for (const NamespaceRecord& ns : objects.namespaces) namespaces_.push_back(ns.meta.name);
    if (namespaces_.empty()) namespaces_.emplace_back("default");
  }

  void Budgets() {
    for (std::int64_t n = draws_.Between(0, 2); n > 0; --n) {
      PodDisruptionBudgetRecord budget;
      budget.meta = NewMeta(objects_, "more" + std::to_string(n), draws_.Of(namespaces_));
      budget.selector.emplace();
      if (draws_.Chance(70)) {
        budget.selector->requirements.push_back(
            {"part", Requirement::Op::kIn, {draws_.Word({"0", "1"})}});
      }
      budget.disruptions_allowed = Small(draws_.Between(0, 3));
      objects_.disruption_budgets.push_back(std::move(budget));
    }
  }

  void ResourceQuotas() {
    for (std::int64_t n = draws_.Between(0, 2); n > 0; --n) {
      ResourceQuotaRecord quota;
      quota.meta = NewMeta(objects_, "more" + std::to_string(n), draws_.Of(namespaces_));
      if (draws_.Chance(60)) quota.hard["requests.cpu"] = 1000 * draws_.Between(0, 12);
      if (draws_.Chance(40)) quota.hard["memory"] = kGibibyte * draws_.Between(1, 24);
      if (draws_.Chance(40)) quota.hard["pods"] = draws_.Between(0, 12);
      if (draws_.Chance(20)) quota.hard["count/pods"] = 1000 * draws_.Between(0, 12);
      for (const auto& [name, hard] : quota.hard) quota.used[name] = draws_.Between(0, hard);
      if (draws_.Chance(15)) quota.scopes.push_back({"NotBestEffort", QuotaScope::Op::kExists, {}});
      objects_.resource_quotas.push_back(std::move(quota));
    }
  }

  void ElasticQuotas() {
    for (const std::string& name : namespaces_) {
      if (draws_.Chance(25)) continue;
      ElasticQuotaRecord quota;
      quota.meta = NewMeta(objects_, name, name);
      quota.dialect = static_cast<QuotaDialect>(draws_.Between(0, 2));
      const bool koordinator = quota.dialect == QuotaDialect::kKoordinator;
      quota.group = std::string(koordinator                           ? kSigsGroup
                                : quota.dialect == QuotaDialect::kNos ? kNosGroup
                                                                      : kSchedulerPluginsGroup);
      const std::int64_t min = draws_.Between(0, 8);
      if (draws_.Chance(90)) quota.min = ResourceList{{"cpu", 1000 * min}};
      if (koordinator || draws_.Chance(70))
        quota.max = ResourceList{{"cpu", 1000 * (min + draws_.Between(0, 12))}};
      if (draws_.Chance(40) && quota.max)
        (*quota.max)["memory"] = kGibibyte * draws_.Between(4, 40);
      objects_.elastic_quotas.push_back(std::move(quota));
    }
  }

  // One that a simulated cluster resizes, and one of Cluster API.
  void NodeGroups() {
    NodeGroupRecord group;
    group.meta = NewMeta(objects_, "sim", "");
    group.kind = "NodeGroup";
    group.min = Small(draws_.Between(0, 2));
    group.max = group.min + Small(draws_.Between(0, 6));
    group.replicas = Small(draws_.Between(group.min, group.max));
    group.delay = kSecond * draws_.Between(0, 2);
    group.node_template = Template();
    objects_.node_groups.push_back(group);
    if (!draws_.Chance(40)) return;
    group.meta = NewMeta(objects_, "md", "default");
    group.kind = "MachineDeployment";
    group.delay = 0;
    group.paused = draws_.Chance(10);
    if (draws_.Chance(30)) group.node_template.reset();
    group.replicas = 0;
    for (const NodeRecord& node : objects_.nodes) {
      if (!draws_.Chance(30)) continue;
      MachineRecord machine;
      machine.meta = NewMeta(objects_, "machine-" + node.meta.name, "default");
      machine.meta.labels["cluster.x-k8s.io/deployment-name"] = machine.deployment = "md";
      machine.node = node.meta.name;
      objects_.machines.push_back(std::move(machine));
      ++group.replicas;
    }
    objects_.node_groups.push_back(std::move(group));
  }

  void Buffers() {
    const std::string ns = draws_.Of(namespaces_);
    PodTemplateRecord t;
    t.meta = NewMeta(objects_, "template", ns);
    t.pod = TemplatePod(t.meta);
    objects_.pod_templates.push_back(t);
    ScalableRecord workload;
    workload.meta = NewMeta(objects_, "workload", ns);
    workload.api_group = "apps";
    workload.kind = "Deployment";
    workload.replicas = Small(draws_.Between(0, 6));
    workload.selector.emplace();
    workload.pod = TemplatePod(workload.meta);
    objects_.scalables.push_back(std::move(workload));
    for (std::int64_t n = draws_.Between(1, 2); n > 0; --n) {
      CapacityBufferRecord buffer;
      buffer.meta = NewMeta(objects_, "buffer" + std::to_string(n), ns);
      buffer.generation = 1;
      if (draws_.Chance(50)) {
        buffer.pod_template = draws_.Chance(90) ? "template" : "missing";
        buffer.replicas = Small(draws_.Between(0, 4));
      } else {
        buffer.scalable = ScalableReference{"apps", "Deployment", "workload"};
        buffer.percentage = Small(draws_.Between(0, 150));
      }
      if (draws_.Chance(30)) buffer.limits["cpu"] = 1000 * draws_.Between(0, 4);
      objects_.capacity_buffers.push_back(std::move(buffer));
    }
  }

  // A critical pod of ours that runs, and one of others that is done.
  void SystemPods() {
    if (objects_.nodes.empty()) return;
    PodRecord pod;
    pod.meta = NewMeta(objects_, "critical", "kube-system");
    pod.scheduler_name = "volcano";
    pod.constraints = NoConstraints();
    pod.node_name = objects_.nodes.front().meta.name;
    pod.phase = PodPhase::kRunning;
    pod.group = "podgroup-critical";
    objects_.pods.push_back(pod);
    PodGroupRecord group;
    group.meta = NewMeta(objects_, pod.group, "kube-system");
    group.min_member = draws_.Chance(50) ? 1 : 0;
    group.phase = JobPhase::kRunning;
    group.made_for_pod = true;
    objects_.pod_groups.push_back(std::move(group));
    pod.meta = NewMeta(objects_, "done", "kube-system");
    pod.scheduler_name = "default-scheduler";
    pod.group.clear();
    pod.phase = draws_.Chance(50) ? PodPhase::kFailed : PodPhase::kSucceeded;
    objects_.pods.push_back(std::move(pod));
  }

 private:
  NodeRecord Template() {
    NodeRecord node;
    node.allocatable = {{"cpu", 1000 * draws_.Between(2, 16)},
                        {"memory", kGibibyte * draws_.Between(4, 32)},
                        {"pods", 110}};
    if (draws_.Chance(50)) node.meta.labels["disk"] = "ssd";
    return node;
  }

  PodRecord TemplatePod(const ObjectMeta& owner) {
    PodRecord pod;
    pod.meta.name = owner.name;
    pod.meta.namespace_ = owner.namespace_;
    pod.scheduler_name = "volcano";
    pod.request["cpu"] = 500 * draws_.Between(1, 6);
    if (draws_.Chance(60)) pod.request["memory"] = kGibibyte * draws_.Between(1, 4);
    pod.constraints = NoConstraints();
    return pod;
  }

  ClusterObjects& objects_;
  Draws& draws_;
  std::vector<std::string> namespaces_;
};

}  // namespace

ObjectMeta NewMeta(const ClusterObjects& objects, std::string name, std::string namespace_) {
  constexpr TimeNs kAfterAll = 1'750'000'000;
  ObjectMeta meta;
  meta.name = std::move(name);
  meta.namespace_ = std::move(namespace_);
  meta.uid = "more-" + meta.Key();
  const std::size_t made = objects.queues.size() + objects.pods.size() + objects.pod_groups.size();
  meta.creation = (kAfterAll + static_cast<TimeNs>(made)) * kSecond;
  return meta;
}

void AddMoreObjects(ClusterObjects& objects, bool elastic_quotas, Draws& draws) {
  Adder adder(objects, draws);
  if (draws.Chance(50)) adder.Budgets();
  if (draws.Chance(40)) adder.ResourceQuotas();
  if (elastic_quotas) adder.ElasticQuotas();
  if (draws.Chance(40)) adder.NodeGroups();
  if (draws.Chance(30)) adder.Buffers();
  if (draws.Chance(50)) adder.SystemPods();
}

}  // namespace batholith::property
