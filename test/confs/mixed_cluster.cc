#include "test/confs/mixed_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "codec/pod.h"
#include "test/confs/more_objects.h"
#include "test/property/draws.h"
#include "test/property/random_cluster.h"
#include "test/property/random_quotas.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

class Mixer {
 public:
  explicit Mixer(std::uint64_t seed) : seed_(seed), draws_(seed) {}

  ClusterObjects Make() {
    const bool quotas = draws_.Chance(35);
    RandomClusterOptions cluster;
    cluster.full = draws_.Chance(25);
    RandomQuotaOptions of_quotas;
    if (draws_.Chance(40)) of_quotas.only = QuotaDialect::kKoordinator;
    objects_ = quotas ? RandomQuotas(seed_, of_quotas) : RandomCluster(seed_, cluster);
    if (draws_.Chance(35)) Zones();
    if (draws_.Chance(30)) NodeGroupNames();
    if (draws_.Chance(35)) QueueTree();
    for (ElasticQuotaRecord& quota : objects_.elastic_quotas) WriteLabels(quota);
    for (QueueRecord& queue : objects_.queues) Queue(queue);
    for (PodGroupRecord& group : objects_.pod_groups) Group(group);
    for (PodRecord& pod : objects_.pods) Pod(pod);
    AddMoreObjects(objects_, /*elastic_quotas=*/!quotas && draws_.Chance(50), draws_);
    return std::move(objects_);
  }

 private:
  // What a quota of Koordinator says is read from its labels and annotations.
  static void WriteLabels(ElasticQuotaRecord& quota) {
    if (quota.dialect != QuotaDialect::kKoordinator) return;
    const std::string prefix(kQuotaKeyPrefix);
    if (!quota.parent.empty()) quota.meta.labels[prefix + "parent"] = quota.parent;
    if (quota.is_parent) quota.meta.labels[prefix + "is-parent"] = "true";
    if (!quota.allow_lent) quota.meta.labels[prefix + "allow-lent-resource"] = "false";
    if (!quota.shared_weight) return;
    std::string weights;
    for (const auto& [name, amount] : *quota.shared_weight)
      weights += fmt::format("{}\"{}\":\"{}\"", weights.empty() ? "" : ",", name, amount / 1000);
    quota.meta.annotations[prefix + "shared-weight"] = "{" + weights + "}";
  }

  void Zones() {
    for (NodeRecord& node : objects_.nodes) {
      if (draws_.Chance(40))
        node.meta.labels["volcano.sh/revocable-zone"] = draws_.Word({"rz0", "rz1", "rz2"});
    }
    for (PodRecord& pod : objects_.pods) {
      if (draws_.Chance(40)) pod.meta.annotations["volcano.sh/revocable-zone"] = "*";
    }
    for (PodGroupRecord& group : objects_.pod_groups) {
      const std::string size = draws_.Word({"1", "2", "50%", "0", "nonsense"});
      if (draws_.Chance(15)) group.meta.annotations["volcano.sh/jdb-max-unavailable"] = size;
      if (draws_.Chance(15)) group.meta.annotations["volcano.sh/jdb-min-available"] = size;
    }
  }

  void NodeGroupNames() {
    for (NodeRecord& node : objects_.nodes) {
      if (draws_.Chance(80))
        node.meta.labels["volcano.sh/nodegroup-name"] = draws_.Word({"g0", "g1", "g2"});
    }
    for (QueueRecord& queue : objects_.queues) {
      const auto some = [&](std::vector<std::string>& names, int percent) {
        for (const char* name : {"g0", "g1", "g2"}) {
          if (draws_.Chance(percent)) names.emplace_back(name);
        }
      };
      some(queue.affinity.required, 40);
      some(queue.affinity.preferred, 25);
      some(queue.affinity.anti_required, 10);
      some(queue.affinity.anti_preferred, 10);
      if (draws_.Chance(25)) {
        queue.meta.annotations["volcano.sh/nodegroup-resource-limits"] =
            draws_.Word({R"({"g0": {"cpu": "4"}})", R"({"g1": {"cpu": 2, "memory": "8Gi"}})", "{",
                         R"({"g2": {"cpu": "1e9"}})"});
      }
    }
  }

  // For capacity by `parent`, for drf by annotation; jobs may be in inner queues too.
  void QueueTree() {
    QueueRecord root;
    root.meta = NewMeta(objects_, "root", "");
    std::vector<std::string> parents{"root", "", "root"};
    for (QueueRecord& queue : objects_.queues) {
      queue.parent = draws_.Of(parents);
      if (draws_.Chance(3)) queue.parent = draws_.Word({"missing", "default", "q1"});
      if (draws_.Chance(30)) parents.push_back(queue.meta.name);
      const std::string path =
          draws_.Word({"root/a", "root/a/b", "root/a/c", "root/d", "root/d/e"});
      const auto depth = std::ranges::count(path, '/');
      std::string weights = "1";
      for (std::ptrdiff_t i = 0; i < depth; ++i)
        weights += "/" + std::to_string(draws_.Between(1, 8));
      if (draws_.Chance(80)) queue.meta.annotations["volcano.sh/hierarchy"] = path;
      if (draws_.Chance(90)) queue.meta.annotations["volcano.sh/hierarchy-weights"] = weights;
    }
    if (draws_.Chance(70)) objects_.queues.push_back(std::move(root));
  }

  void Queue(QueueRecord& queue) {
    if (draws_.Chance(60)) queue.deserved["cpu"] = 1000 * draws_.Between(0, 12);
    if (draws_.Chance(40)) queue.deserved["memory"] = kGibibyte * draws_.Between(0, 24);
    if (draws_.Chance(10)) queue.guarantee["memory"] = kGibibyte * draws_.Between(1, 4);
    if (draws_.Chance(5)) queue.state = QueueState::kClosing;
    if (draws_.Chance(8)) queue.fifo = true;
  }

  void Group(PodGroupRecord& group) {
    Labels& notes = group.meta.annotations.Edit();
    if (draws_.Chance(15))
      notes["volcano.sh/sla-waiting-time"] = draws_.Word({"1s", "1h", "100000h", "0s", "soon"});
    if (draws_.Chance(8)) notes["slack.batholith.dev/mirror"] = draws_.Word({"1", "2", "5", "-1"});
    if (draws_.Chance(10)) notes["slack.batholith.dev/restartable"] = "true";
    if (draws_.Chance(15)) notes["volcano.sh/preemptable"] = draws_.Word({"true", "false"});
    if (!group.made_for_pod && draws_.Chance(10)) {
      SubGroupPolicy policy;
      policy.name = "part";
      policy.sub_group_size = static_cast<std::int32_t>(draws_.Between(1, 3));
      policy.min_sub_groups = static_cast<std::int32_t>(draws_.Between(0, 2));
      if (draws_.Chance(50)) policy.match_label_keys = {"part"};
      group.sub_group_policies.push_back(std::move(policy));
    }
  }

  void Pod(PodRecord& pod) {
    Labels& notes = pod.meta.annotations.Edit();
    if (draws_.Chance(30)) pod.meta.labels["part"] = draws_.Word({"0", "1", "2"});
    if (draws_.Chance(20)) {
      const std::string time = draws_.Word({"1s", "5s", "1h", "2562047h", "long"});
      (draws_.Chance(50) ? notes : pod.meta.labels.Edit())["volcano.sh/cooldown-time"] = time;
    }
    if (draws_.Chance(10)) notes["volcano.sh/task-priority"] = draws_.Word({"0", "7", "-3", "x"});
    if (draws_.Chance(8)) notes["slack.batholith.dev/mirror"] = draws_.Word({"1", "3"});
    if (draws_.Chance(5)) notes["slack.batholith.dev/exclude"] = "true";
    if (draws_.Chance(5))
      pod.priority_class = draws_.Word({"system-node-critical", "system-cluster-critical", "high"});
    if (draws_.Chance(10)) {
      pod.meta.owner.Edit().kind = draws_.Word({"DaemonSet", "ReplicaSet", "Job"});
      pod.meta.owner.Edit().name = "owner" + std::to_string(draws_.Between(0, 2));
      pod.meta.owner.Edit().uid = pod.meta.owner->name;
    }
    // A static pod: the kubelet alone starts it and mirrors it to the API server.
    if (!pod.node_name.empty() && draws_.Chance(3)) notes["kubernetes.io/config.mirror"] = "hash";
    if (draws_.Chance(5)) pod.local_volumes.push_back({"scratch", LocalVolume::Kind::kEmptyDir});
    if (pod.node_name.empty() && draws_.Chance(5) && !objects_.nodes.empty())
      pod.nominated_node = draws_.Of(objects_.nodes).meta.name;
    if (draws_.Chance(5)) pod.quota_preemptible = false;
    if (!pod.quota_preemptible)
      pod.meta.labels[std::string(kQuotaKeyPrefix) + "preemptible"] = "false";
  }

  std::uint64_t seed_;
  Draws draws_;
  ClusterObjects objects_;
};

}  // namespace

ClusterObjects MixedCluster(std::uint64_t seed) { return Mixer(seed).Make(); }

}  // namespace batholith::property
