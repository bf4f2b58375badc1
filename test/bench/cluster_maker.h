#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "api/cluster_objects.h"

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
  std::size_t running = 0;      // pods that run already, spread over the nodes
  std::size_t node_groups = 0;  // labels pool-0 … in turn
  std::size_t quotas = 0;       // elastic quotas in a tree of depth 4; jobs use the leaves in turn
  std::size_t changes = 0;      // pods that come, and pods that go, between sessions
  std::uint64_t seed = 1;
};

// Jobs that are alike. Job j of a batch goes to queue first_queue + j mod queues.
struct Batch {
  std::string prefix;  // job j is called prefix-j
  std::size_t pods = 0;
  std::size_t gang = 1;             // pods of a job; the last job takes what is left
  bool whole = true;                // minMember is all of them, else 1
  bool min_resources = false;       // so that enqueue votes about it
  bool running = false;             // pod by pod over the nodes in turn
  std::string priority_class = {};  // must have been added
  std::size_t first_queue = 0;
  std::size_t queues = 1;
  std::function<ResourceList(std::size_t job)> request;
  // Labels and constraints of the job's pods; may be empty.
  std::function<void(std::size_t job, PodRecord& pod)> adorn;
};

// Makes objects with ascending creation times, so that the order inside the scheduler is that of
// the making.
class ClusterMaker {
 public:
  explicit ClusterMaker(const Sizes& sizes);

  void AddQueues(std::size_t queues);
  void AddNamespaces();
  // Koordinator's quotas in a tree: ten at the top, five below each, as many levels as it takes.
  void AddQuotas();
  // Nodes of 32 cpu, 128Gi and 110 pods in 3 zones.
  void AddNodes(std::int64_t gpus = 0);
  void AddPriorityClass(const std::string& name, std::int32_t value);
  // REQUIRES: gang, queues and namespaces are at least 1, nodes too when the batch runs.
  void AddBatch(const Batch& batch);

  // One of the request classes, drawn anew at each call.
  ResourceList DrawRequest();

  ClusterObjects& objects() { return objects_; }

 private:
  ObjectMeta Meta(std::string name, std::string namespace_);
  void AddPod(const Batch& batch, const PodGroupRecord& group, std::size_t job, std::size_t place);

  Sizes sizes_;
  std::mt19937_64 random_;
  std::shared_ptr<const PodConstraints> unconstrained_;
  ClusterObjects objects_;
  std::size_t made_ = 0;
  std::size_t on_nodes_ = 0;  // pods that run
  std::vector<std::string> leaf_quotas_;
};

}  // namespace batholith::bench
