#include "test/property/random_quotas.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <utility>

#include "test/property/units.h"

namespace batholith::property {
namespace {

constexpr std::int64_t kCpu = 1000;

class QuotaGenerator {
 public:
  QuotaGenerator(std::uint64_t seed, const RandomQuotaOptions& options)
      : options_(options), random_(seed) {}

  ClusterObjects Make() {
    constraints_->signature = "none";
    with_gpu_ = !options_.units && Chance(50);
    AddQueue();
    AddNodes();
    AddQuotas();
    const int jobs = Between(4, options_.units ? 24 : 14);
    for (int j = 0; j < jobs; ++j) AddJob(j);
    return std::move(objects_);
  }

 private:
  int Between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool Chance(int percent) { return Between(1, 100) <= percent; }

  ObjectMeta Meta(std::string name, std::string namespace_ = "") {
    ObjectMeta meta;
    meta.name = std::move(name);
    meta.namespace_ = std::move(namespace_);
    meta.uid = "uid-" + std::to_string(random_() % 1'000'000) + "-" + std::to_string(made_);
    meta.creation = (1'700'000'000 + ++made_) * kSecond;
    return meta;
  }

  void AddQueue() {
    QueueRecord queue;
    queue.meta = Meta("default");
    objects_.queues.push_back(std::move(queue));
  }

  void AddNodes() {
    const int nodes = Between(2, 4);
    for (int n = 0; n < nodes; ++n) {
      NodeRecord node;
      node.meta = Meta("n" + std::to_string(n));
      const int cpus = Between(2, 6);
      node.allocatable["cpu"] = kCpu * cpus;
      node.allocatable["memory"] = std::int64_t{1} << 40;
      node.allocatable["pods"] = 110;
      if (with_gpu_ && Chance(70)) node.allocatable[kGpu] = 1000 * Between(1, 4);
      cpus_ += cpus;
      left_[node.meta.name] = node.allocatable;
      objects_.nodes.push_back(std::move(node));
    }
  }

  QuotaDialect Dialect() {
    if (options_.only) return *options_.only;
    return static_cast<QuotaDialect>(Between(0, 2));
  }

  void AddQuotas() {
    teams_ = Between(2, 5);
    int promised = 0;
    for (int t = 0; t < teams_; ++t) {
      const std::string name = "t" + std::to_string(t);
      NamespaceRecord record;
      record.meta = Meta(name);
      objects_.namespaces.push_back(std::move(record));
      const int most = options_.units ? cpus_ - promised : 2 * cpus_ / teams_;
      const int min = Between(0, std::max(0, std::min(most, 2 * cpus_ / teams_)));
      promised += min;
      objects_.elastic_quotas.push_back(Quota(name, Dialect(), min));
      ElasticQuotaRecord& quota = objects_.elastic_quotas.back();
      if (quota.dialect == QuotaDialect::kNos && t + 1 < teams_ && Chance(20)) {
        quota.kind = "CompositeElasticQuota";
        quota.meta.namespace_ = "both";
        quota.namespaces = {name, "t" + std::to_string(++t)};
      }
      if (quota.dialect == QuotaDialect::kKoordinator) Place(quota);
    }
  }

  ElasticQuotaRecord Quota(const std::string& name, QuotaDialect dialect, int min) {
    ElasticQuotaRecord quota;
    quota.meta = Meta(name, name);
    quota.dialect = dialect;
    const bool koordinator = dialect == QuotaDialect::kKoordinator;
    quota.group = std::string(koordinator                     ? kSigsGroup
                              : dialect == QuotaDialect::kNos ? kNosGroup
                                                              : kSchedulerPluginsGroup);
    const bool gpu = with_gpu_ && Chance(60);
    const int gpus = gpu ? Between(0, 3) : 0;
    if (options_.units || Chance(90)) {
      quota.min = ResourceList{{"cpu", kCpu * min}};
      if (gpu) (*quota.min)[kGpu] = 1000 * gpus;
    }
    // A resource that Koordinator's max does not list is not the quota's.
    if (koordinator || Chance(70)) {
      quota.max = ResourceList{{"cpu", kCpu * (min + Between(0, 6))}};
      if (gpu) (*quota.max)[kGpu] = 1000 * (gpus + Between(0, 2));
    }
    if (koordinator && Chance(40))
      quota.shared_weight = ResourceList{{"cpu", kCpu * Between(1, 9)}, {kGpu, 1000}};
    if (koordinator && Chance(15)) quota.allow_lent = false;
    return quota;
  }

  // Some quotas of Koordinator share a parent whose own figures are the sums of theirs.
  void Place(ElasticQuotaRecord& quota) {
    if (!Chance(40)) return;
    quota.parent = "top";
    const ResourceList min = quota.min.value_or(ResourceList());
    const ResourceList max = *quota.max;
    auto parent = std::ranges::find(objects_.elastic_quotas, "top",
                                    [](const ElasticQuotaRecord& q) { return q.meta.name; });
    if (parent == objects_.elastic_quotas.end()) {
      ElasticQuotaRecord top;
      top.meta = Meta("top", "tree");
      top.dialect = QuotaDialect::kKoordinator;
      top.group = std::string(kSigsGroup);
      top.is_parent = true;
      top.min = min;
      top.max = max;
      objects_.elastic_quotas.push_back(std::move(top));
      return;
    }
    AddTo(*parent->min, min);
    AddTo(*parent->max, max);
  }

  void AddJob(int number) {
    const bool free = !options_.units && Chance(8);
    const std::string namespace_ = free ? "free" : "t" + std::to_string(Between(0, teams_ - 1));
    const bool gang = options_.gangs && Chance(25);
    PodGroupRecord group;
    group.meta = Meta("job" + std::to_string(number), namespace_);
    const int pods = gang ? Between(2, 3) : 1;
    group.min_member = gang ? Between(1, pods) : 1;
    group.queue = "default";
    const bool runs = Chance(55);
    const std::int32_t priority = std::array{0, 1, 10}[static_cast<std::size_t>(Between(0, 2))];
    const bool guarded = options_.protected_pods && Chance(10);
    int placed = 0;
    for (int p = 0; p < pods; ++p) {
      PodRecord pod;
      pod.meta = Meta(group.meta.name + "-" + std::to_string(p), namespace_);
      pod.scheduler_name = "volcano";
      pod.group = group.meta.name;
      pod.constraints = constraints_;
      pod.priority = priority;
      pod.quota_preemptible = !guarded;
      pod.request["cpu"] = options_.units ? kCpu : 500 * Between(1, 6);
      if (with_gpu_ && Chance(40)) pod.request[kGpu] = 1000 * Between(1, 2);
      if (runs && Start(pod)) ++placed;
      objects_.pods.push_back(std::move(pod));
    }
    group.phase = placed >= group.min_member ? JobPhase::kRunning : JobPhase::kInqueue;
    objects_.pod_groups.push_back(std::move(group));
  }

  bool Start(PodRecord& pod) {
    const auto n =
        static_cast<std::size_t>(Between(0, static_cast<int>(objects_.nodes.size()) - 1));
    ResourceList& left = left_[objects_.nodes[n].meta.name];
    for (const auto& [name, amount] : pod.request) {
      if (left[name] < amount) return false;
    }
    for (const auto& [name, amount] : pod.request) left[name] -= amount;
    pod.node_name = objects_.nodes[n].meta.name;
    pod.phase = PodPhase::kRunning;
    if (options_.releasing && Chance(6)) pod.meta.deleting = true;
    pod.scheduled_at = pod.meta.creation + kSecond;
    pod.started_at = pod.scheduled_at;
    return true;
  }

  RandomQuotaOptions options_;
  std::mt19937_64 random_;
  ClusterObjects objects_;
  std::shared_ptr<PodConstraints> constraints_ = std::make_shared<PodConstraints>();
  std::map<std::string, ResourceList> left_;
  bool with_gpu_ = false;
  int teams_ = 0;
  int cpus_ = 0;
  std::int64_t made_ = 0;
};

}  // namespace

ClusterObjects RandomQuotas(std::uint64_t seed, const RandomQuotaOptions& options) {
  return QuotaGenerator(seed, options).Make();
}

const ElasticQuotaRecord* QuotaOfPod(const ClusterObjects& objects, const PodRecord& pod) {
  for (const ElasticQuotaRecord& quota : objects.elastic_quotas) {
    if (quota.is_parent) continue;
    const bool named = quota.meta.namespace_ == pod.meta.namespace_;
    const bool listed =
        std::ranges::find(quota.namespaces, pod.meta.namespace_) != quota.namespaces.end();
    if (named || listed) return &quota;
  }
  return nullptr;
}

std::string Described(const ClusterObjects& objects) {
  std::string out;
  for (const NodeRecord& n : objects.nodes)
    out += fmt::format("\n  node {} {}", n.meta.name, n.allocatable);
  for (const ElasticQuotaRecord& q : objects.elastic_quotas) {
    out +=
        fmt::format("\n  {} min {} max {}{}", q.Identity(), q.min.value_or(ResourceList()),
                    q.max.value_or(ResourceList()), q.parent.empty() ? "" : " below " + q.parent);
    if (!q.namespaces.empty()) out += fmt::format(" of {}", fmt::join(q.namespaces, ", "));
  }
  for (const PodRecord& p : objects.pods) {
    out += fmt::format("\n  pod {} {} of job {}, priority {}, on \"{}\"{}{}", p.meta.Key(),
                       *p.request, p.group, p.priority.value_or(0), p.node_name,
                       p.meta.deleting ? ", leaving" : "",
                       p.quota_preemptible ? "" : ", may not be preempted");
  }
  return out;
}

}  // namespace batholith::property
