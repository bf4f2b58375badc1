#include "test/bench/generate.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>

namespace batholith::bench {
namespace {

constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;
constexpr TimeNs kSecond = 1'000'000'000;

// Creation times follow the order of making, so that the order inside the scheduler is that of the
// numbers.
class Generator {
 public:
  explicit Generator(const Sizes& sizes)
      : sizes_(sizes),
        random_(sizes.seed),
        constraints_(std::make_shared<const PodConstraints>()) {}

  ClusterObjects Place() {
    AddQueues();
    AddNodes();
    AddGangs("run", sizes_.running, /*running=*/true);
    AddGangs("job", sizes_.pods, /*running=*/false);
    return std::move(objects_);
  }

 private:
  ObjectMeta Meta(std::string name, std::string name_space) {
    ObjectMeta meta;
    meta.name = std::move(name);
    meta.namespace_ = std::move(name_space);
    meta.uid = "uid-" + std::to_string(++made_);
    meta.creation = static_cast<TimeNs>(made_) * kSecond;
    return meta;
  }

  void AddQueues() {
    for (std::size_t q = 0; q < sizes_.queues; ++q) {
      QueueRecord queue;
      queue.meta = Meta("queue-" + std::to_string(q), "");
      objects_.queues.push_back(std::move(queue));
    }
    for (std::size_t n = 0; n < sizes_.namespaces; ++n) {
      NamespaceRecord name_space;
      name_space.meta = Meta("team-" + std::to_string(n), "");
      objects_.namespaces.push_back(std::move(name_space));
    }
  }

  void AddNodes() {
    objects_.nodes.reserve(sizes_.nodes);
    for (std::size_t n = 0; n < sizes_.nodes; ++n) {
      NodeRecord node;
      node.meta = Meta("node-" + std::to_string(n), "");
      node.meta.labels = {{"kubernetes.io/hostname", node.meta.name},
                          {"topology.kubernetes.io/zone", "zone-" + std::to_string(n % 3)}};
      node.allocatable = {{"cpu", 32'000}, {"memory", 128 * kGibibyte}, {"pods", 110}};
      objects_.nodes.push_back(std::move(node));
    }
  }

  ResourceList RequestOf(std::size_t request_class) const {
    if (sizes_.classes == 1) return {{"cpu", 1000}, {"memory", 2 * kGibibyte}};
    const auto c = static_cast<std::int64_t>(request_class);
    return {{"cpu", 250 * (1 + c % 8)}, {"memory", (1024 + 16 * c) * kMebibyte}};
  }

  void AddGangs(const std::string& prefix, std::size_t pods, bool running) {
    objects_.pods.reserve(objects_.pods.size() + pods);
    std::uniform_int_distribution<std::size_t> pick(0, sizes_.classes - 1);
    for (std::size_t first = 0; first < pods; first += sizes_.gang) {
      const std::size_t job = first / sizes_.gang;
      const std::size_t members = std::min(sizes_.gang, pods - first);
      const ResourceList request = RequestOf(pick(random_));
      PodGroupRecord group;
      group.meta = Meta(prefix + "-" + std::to_string(job),
                        "team-" + std::to_string(job / sizes_.queues % sizes_.namespaces));
      group.queue = "queue-" + std::to_string(job % sizes_.queues);
      group.min_member = static_cast<std::int32_t>(members);
      group.min_resources = ResourceList();
      for (const auto& [name, amount] : request) {
        (*group.min_resources)[name] = amount * static_cast<std::int64_t>(members);
      }
      if (running) group.phase = JobPhase::kRunning;
      for (std::size_t m = 0; m < members; ++m) AddPod(group, request, m, running, first + m);
      objects_.pod_groups.push_back(std::move(group));
    }
  }

  void AddPod(const PodGroupRecord& group, const ResourceList& request, std::size_t member,
              bool running, std::size_t place) {
    PodRecord pod;
    pod.meta = Meta(group.meta.name + "-task-" + std::to_string(member), group.meta.namespace_);
    pod.scheduler_name = "volcano";
    pod.request = request;
    pod.constraints = constraints_;
    pod.group = group.meta.name;
    if (running) {
      pod.phase = PodPhase::kRunning;
      pod.node_name = objects_.nodes[place % objects_.nodes.size()].meta.name;
    }
    objects_.pods.push_back(std::move(pod));
  }

  const Sizes& sizes_;
  std::mt19937_64 random_;
  std::shared_ptr<const PodConstraints> constraints_;
  ClusterObjects objects_;
  std::size_t made_ = 0;
};

}  // namespace

ClusterObjects GeneratePlace(const Sizes& sizes) { return Generator(sizes).Place(); }

}  // namespace batholith::bench
