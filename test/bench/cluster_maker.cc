#include "test/bench/cluster_maker.h"

#include <algorithm>
#include <utility>

namespace batholith::bench {
namespace {

constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;
constexpr TimeNs kSecond = 1'000'000'000;

constexpr std::int64_t kOversizedCpu = 33'000;  // more than a node has

std::string NodeName(std::size_t number) { return "node-" + std::to_string(number); }

ResourceList RequestOf(std::size_t classes, std::size_t request_class) {
  if (classes == 1) return {{"cpu", 1000}, {"memory", 2 * kGibibyte}};
  const auto c = static_cast<std::int64_t>(request_class);
  return {{"cpu", 250 * (1 + c % 8)}, {"memory", (1024 + 16 * c) * kMebibyte}};
}

}  // namespace

ClusterMaker::ClusterMaker(const Sizes& sizes)
    : sizes_(sizes),
      random_(sizes.seed),
      unconstrained_(std::make_shared<const PodConstraints>()) {}

ObjectMeta ClusterMaker::Meta(std::string name, std::string namespace_) {
  ObjectMeta meta;
  meta.name = std::move(name);
  meta.namespace_ = std::move(namespace_);
  meta.uid = "uid-" + std::to_string(++made_);
  meta.creation = static_cast<TimeNs>(made_) * kSecond;
  return meta;
}

template <typename Record>
void ClusterMaker::Keep(Record record) {
  if (sink_) {
    sink_(ObjectRecord(std::move(record)));
  } else {
    AllOf<Record>(objects_).push_back(std::move(record));
  }
}

void ClusterMaker::AddQueues(std::size_t queues) {
  for (std::size_t q = 0; q < queues; ++q) {
    QueueRecord queue;
    queue.meta = Meta("queue-" + std::to_string(q), "");
    Keep(std::move(queue));
  }
}

void ClusterMaker::AddQueueTree(std::size_t queues) {
  std::size_t inner = 1;
  while (inner * inner < queues) ++inner;
  const auto add = [&](const std::string& name, const std::string& parent, std::size_t shares) {
    QueueRecord queue;
    queue.meta = Meta(name, "");
    queue.parent = parent;
    if (shares > 0) {
      const auto nodes = static_cast<std::int64_t>(sizes_.nodes);
      const auto parts = static_cast<std::int64_t>(shares);
      queue.deserved = {{"cpu", 32'000 * nodes / parts},
                        {"memory", 128 * kGibibyte * nodes / parts}};
    }
    Keep(std::move(queue));
  };
  add("root", "", 0);
  for (std::size_t i = 0; i < inner; ++i) add("inner-" + std::to_string(i), "root", inner);
  for (std::size_t q = 0; q < queues; ++q)
    add("queue-" + std::to_string(q), "inner-" + std::to_string(q % inner), queues + inner);
}

void ClusterMaker::AddNamespaces() {
  for (std::size_t n = 0; n < sizes_.namespaces; ++n) {
    NamespaceRecord namespace_;
    namespace_.meta = Meta("team-" + std::to_string(n), "");
    Keep(std::move(namespace_));
  }
}

void ClusterMaker::AddQuotas() {
  constexpr std::size_t kTop = 10;
  constexpr std::size_t kBelow = 5;
  const auto name = [](std::size_t q) { return "quota-" + std::to_string(q); };
  for (std::size_t q = 0; q < sizes_.quotas; ++q) {
    ElasticQuotaRecord quota;
    quota.meta = Meta(name(q), "quotas");
    quota.group = kSigsGroup;
    quota.dialect = QuotaDialect::kKoordinator;
    const auto nodes = static_cast<std::int64_t>(sizes_.nodes);
    quota.max = ResourceList{{"cpu", 32'000 * nodes}, {"memory", 128 * kGibibyte * nodes}};
    quota.min = ResourceList{{"cpu", 10}, {"memory", kMebibyte}};
    quota.is_parent = kTop + q * kBelow < sizes_.quotas;
    if (q >= kTop) quota.parent = name((q - kTop) / kBelow);
    if (!quota.is_parent) leaf_quotas_.push_back(quota.meta.name);
    Keep(std::move(quota));
  }
}

NodeRecord ClusterMaker::MakeNode(std::size_t number, std::int64_t gpus) const {
  NodeRecord node;
  node.meta.name = NodeName(number);
  node.meta.labels = {{"kubernetes.io/hostname", node.meta.name},
                      {"topology.kubernetes.io/zone", "zone-" + std::to_string(number % 3)}};
  if (sizes_.node_groups > 0)
    node.meta.labels["pool"] = "pool-" + std::to_string(number % sizes_.node_groups);
  node.allocatable = {{"cpu", 32'000}, {"memory", 128 * kGibibyte}, {"pods", 110}};
  if (gpus > 0) node.allocatable["nvidia.com/gpu"] = gpus;
  return node;
}

void ClusterMaker::AddNodes(std::int64_t gpus) {
  if (!sink_) objects_.nodes.reserve(sizes_.nodes);
  for (std::size_t n = 0; n < sizes_.nodes; ++n) AddNode(MakeNode(n, gpus));
}

void ClusterMaker::AddNode(NodeRecord node) {
  const ObjectMeta meta = Meta(node.meta.name, "");
  node.meta.uid = meta.uid;
  node.meta.creation = meta.creation;
  Keep(std::move(node));
}

void ClusterMaker::AddPriorityClass(const std::string& name, std::int32_t value) {
  PriorityClassRecord priority;
  priority.meta = Meta(name, "");
  priority.value = value;
  priorities_[name] = value;
  Keep(std::move(priority));
}

ResourceList ClusterMaker::DrawRequest() {
  std::uniform_int_distribution<std::size_t> pick(0, sizes_.classes - 1);
  return RequestOf(sizes_.classes, pick(random_));
}

void ClusterMaker::AddBatch(const Batch& batch) {
  if (!sink_) objects_.pods.reserve(objects_.pods.size() + batch.pods);
  for (std::size_t first = 0; first < batch.pods; first += batch.gang) {
    const std::size_t job = first / batch.gang;
    const std::size_t members = std::min(batch.gang, batch.pods - first);
    PodGroupRecord group;
    group.meta = Meta(batch.prefix + "-" + std::to_string(job),
                      "team-" + std::to_string(job / batch.queues % sizes_.namespaces));
    group.queue = "queue-" + std::to_string(batch.first_queue + job % batch.queues);
    const std::size_t least = batch.min_member == 0 ? members : batch.min_member;
    group.min_member = static_cast<std::int32_t>(std::min(least, members));
    group.priority_class = batch.priority_class;
    if (batch.running) group.phase = JobPhase::kRunning;
    const Shared<ResourceList> request = batch.request ? batch.request(job) : ResourceList();
    if (batch.min_resources) {
      group.min_resources = ResourceList();
      for (const auto& [name, amount] : request) {
        (*group.min_resources)[name] = amount * std::int64_t{group.min_member};
      }
    }
    for (std::size_t m = 0; m < members; ++m) AddPod(batch, group, job, m, request);
    Keep(std::move(group));
  }
}

void ClusterMaker::AddPod(const Batch& batch, const PodGroupRecord& group, std::size_t job,
                          std::size_t member, const Shared<ResourceList>& request) {
  PodRecord pod;
  pod.meta = Meta(group.meta.name + "-task-" + std::to_string(member), group.meta.namespace_);
  pod.scheduler_name = "volcano";
  pod.constraints = unconstrained_;
  pod.group = group.meta.name;
  pod.request = request;
  pod.priority_class = batch.priority_class;
  const auto priority = priorities_.find(batch.priority_class);
  if (priority != priorities_.end()) pod.priority = priority->second;
  if (!leaf_quotas_.empty()) pod.quota_name = leaf_quotas_[job % leaf_quotas_.size()];
  if (batch.adorn) batch.adorn(job, job * batch.gang + member, pod);
  const bool is_last = member + 1 == static_cast<std::size_t>(batch.gang);
  if (batch.oversized > 0 && is_last && job % batch.oversized == batch.oversized - 1)
    pod.request["cpu"] = kOversizedCpu;
  if (batch.running) {
    pod.phase = PodPhase::kRunning;
    pod.node_name = NodeName(on_nodes_++ % sizes_.nodes);
  }
  Keep(std::move(pod));
}

}  // namespace batholith::bench
