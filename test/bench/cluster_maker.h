#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "test/bench/openb.h"

// Clusters for benchmarks. The same calls give the same objects, so a figure can be repeated by its
// command line alone.
namespace batholith::bench {

struct Sizes {
  std::size_t nodes = 1000;
  std::size_t pods = 10000;
  std::size_t gang = 10;
  // 1: every pod asks for 1 cpu and 2Gi; more: that many different requests
  std::size_t classes = 1;
  std::size_t queues = 10;
  std::size_t namespaces = 1;
  std::size_t running = 0;       // pods that run already, spread over the nodes
  std::size_t node_groups = 0;   // labels pool-0 … in turn
  std::size_t quotas = 0;        // elastic quotas in a tree of depth 4; jobs use the leaves in turn
  std::size_t changes = 0;       // pods that come, and pods that go, between sessions
  std::size_t node_changes = 0;  // nodes that tell another room between sessions
  std::size_t min_member = 0;    // of a job; 0: all of it
  std::size_t oversized = 0;     // of every so many jobs the last pod fits no node; 0: of none
  std::size_t scale = 1;         // copies of the trace
  std::size_t gangs = 0;         // jobs of `gang` pods; 0: as many as `pods` gives
  std::size_t levels = 4;        // of HyperNodes
  std::size_t devices = 8;       // of a node, scenario devices
  std::size_t claims = 0;        // pods with a claim for one each; 0: as many as `pods` says
  std::shared_ptr<const OpenbTrace> trace = nullptr;
  std::uint64_t seed = 1;
};

// Jobs that are alike. Job j of a batch goes to queue first_queue + j mod queues.
struct Batch {
  std::string prefix;  // job j is called prefix-j
  std::size_t pods = 0;
  std::size_t gang = 1;             // pods of a job; the last job takes what is left
  std::size_t min_member = 0;       // 0: all of them
  std::size_t oversized = 0;        // as in Sizes
  bool min_resources = false;       // so that enqueue votes about it
  bool running = false;             // pod by pod over the nodes in turn
  std::string priority_class = {};  // must have been added
  std::size_t first_queue = 0;
  std::size_t queues = 1;
  std::function<ResourceList(std::size_t job)> request;
  // Labels, constraints or another request of pod `pod` of the batch; may be empty.
  std::function<void(std::size_t job, std::size_t pod, PodRecord& record)> adorn;
};

// Makes objects with ascending creation times, so that the order inside the scheduler is that of
// the making.
class ClusterMaker {
 public:
  explicit ClusterMaker(const Sizes& sizes);

  // From now on every object goes there as soon as it is made, instead of into objects().
  void StreamTo(std::function<void(ObjectRecord)> sink) { sink_ = std::move(sink); }

  void AddQueues(std::size_t queues);
  // The same below sqrt(queues) inner queues, with deserved amounts that share the cluster.
  void AddQueueTree(std::size_t queues);
  void AddNamespaces();
  // Koordinator's quotas in a tree: ten at the top, five below each, as many levels as it takes.
  void AddQuotas();
  // Nodes of 32 cpu, 128Gi and 110 pods in 3 zones.
  void AddNodes(std::int64_t gpus = 0);
  // REQUIRES: its name is set.
  void AddNode(NodeRecord node);
  void AddPriorityClass(const std::string& name, std::int32_t value);
  // REQUIRES: gang, queues and namespaces are at least 1; a batch that runs comes after AddNodes.
  void AddBatch(const Batch& batch);

  // One of the request classes, drawn anew at each call.
  ResourceList DrawRequest();

  // One of the nodes of AddNodes.
  NodeRecord MakeNode(std::size_t number, std::int64_t gpus) const;

  ClusterObjects& objects() { return objects_; }

 private:
  ObjectMeta Meta(std::string name, std::string namespace_);
  void AddPod(const Batch& batch, const PodGroupRecord& group, std::size_t job, std::size_t member,
              const Shared<ResourceList>& request);
  template <typename Record>
  void Keep(Record record);

  Sizes sizes_;
  std::mt19937_64 random_;
  std::shared_ptr<const PodConstraints> unconstrained_;
  ClusterObjects objects_;
  std::function<void(ObjectRecord)> sink_;
  std::map<std::string, std::int32_t> priorities_;
  std::size_t made_ = 0;
  std::size_t on_nodes_ = 0;  // pods that run
  std::vector<std::string> leaf_quotas_;
};

}  // namespace batholith::bench
