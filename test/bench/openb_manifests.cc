// openb_manifests DIR OUT.json: the openb trace (nodes and GPU pods of a production cluster) as one
// Kubernetes List. The trace has no gangs, queues or namespaces: those are made up here by
// counting, without any randomness.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "test/bench/openb.h"

namespace batholith::bench {
namespace {

namespace json = boost::json;

constexpr std::size_t kGang = 4;
constexpr std::size_t kQueues = 4;
constexpr std::size_t kNamespaces = 8;
constexpr std::int64_t kTraceStart =
    1'672'531'200;  // 2023-01-01T00:00:00Z; the trace counts from its own start

std::string TimeText(std::int64_t seconds) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(kTraceStart + seconds)));
}

json::object Meta(const std::string& name, const std::string& namespace_, std::int64_t created) {
  json::object meta{
      {"name", name}, {"uid", "openb-" + name}, {"creationTimestamp", TimeText(created)}};
  if (!namespace_.empty()) meta["namespace"] = namespace_;
  return meta;
}

json::object Node(const OpenbNode& node) {
  json::object meta = Meta(node.name, "", 0);
  json::object labels{{"kubernetes.io/hostname", node.name}};
  if (!node.model.empty()) labels[kOpenbModelLabel] = node.model;
  meta["labels"] = labels;
  json::object room{{"cpu", fmt::format("{}m", node.cpu_milli)},
                    {"memory", fmt::format("{}Mi", node.memory_mib)},
                    {"pods", "110"}};
  if (node.gpus != 0) room["nvidia.com/gpu"] = std::to_string(node.gpus);
  return {{"apiVersion", "v1"},
          {"kind", "Node"},
          {"metadata", meta},
          {"status",
           {{"allocatable", room},
            {"capacity", room},
            {"conditions", json::array{json::object{{"type", "Ready"}, {"status", "True"}}}}}}};
}

std::string TeamOf(std::size_t group) { return fmt::format("team-{}", group % kNamespaces + 1); }
// Every namespace has jobs in every queue.
std::string QueueOf(std::size_t group) {
  return fmt::format("queue-{}", group / kNamespaces % kQueues + 1);
}
std::string GroupName(std::size_t group) { return fmt::format("gang-{:04}", group); }

json::object Queue(std::size_t number) {
  return {{"apiVersion", "scheduling.volcano.sh/v1beta1"},
          {"kind", "Queue"},
          {"metadata", Meta(fmt::format("queue-{}", number), "", 0)},
          {"spec", {{"weight", number}}},
          {"status", {{"state", "Open"}}}};
}

json::object Quota(std::size_t number) {
  return {{"apiVersion", "v1"},
          {"kind", "ResourceQuota"},
          {"metadata", Meta("weight", fmt::format("team-{}", number), 0)},
          {"spec", {{"hard", {{"volcano.sh/namespace.weight", std::to_string(number)}}}}}};
}

json::object PodGroup(std::size_t group, std::size_t members, std::int64_t created) {
  return {{"apiVersion", "scheduling.volcano.sh/v1beta1"},
          {"kind", "PodGroup"},
          {"metadata", Meta(GroupName(group), TeamOf(group), created)},
          {"spec", {{"minMember", members}, {"queue", QueueOf(group)}}}};
}

json::object Pod(const OpenbPod& pod, std::size_t group) {
  json::object meta = Meta(pod.name, TeamOf(group), pod.creation_s);
  meta["annotations"] = {{"scheduling.k8s.io/group-name", GroupName(group)}};
  json::object requests{{"cpu", fmt::format("{}m", pod.cpu_milli)},
                        {"memory", fmt::format("{}Mi", pod.memory_mib)}};
  json::object resources{{"requests", requests}};
  if (pod.gpus != 0) {
    requests["nvidia.com/gpu"] = std::to_string(pod.gpus);
    resources["requests"] = requests;
    resources["limits"] = {{"nvidia.com/gpu", std::to_string(pod.gpus)}};
  }
  json::object container{{"name", "main"}, {"image", "openb/workload"}, {"resources", resources}};
  json::object spec{{"schedulerName", "volcano"}, {"containers", json::array{container}}};
  if (!pod.models.empty()) {
    json::array models;
    for (const std::string& model : pod.models) models.emplace_back(model);
    json::object match{{"key", kOpenbModelLabel}, {"operator", "In"}, {"values", models}};
    json::object term{{"matchExpressions", json::array{match}}};
    spec["affinity"] = {{"nodeAffinity",
                         {{"requiredDuringSchedulingIgnoredDuringExecution",
                           {{"nodeSelectorTerms", json::array{term}}}}}}};
  }
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", meta},
          {"spec", spec},
          {"status", {{"phase", "Pending"}}}};
}

json::array Items(const OpenbTrace& trace) {
  json::array items;
  for (const OpenbNode& node : trace.nodes) items.push_back(Node(node));
  for (std::size_t q = 1; q <= kQueues; ++q) items.push_back(Queue(q));
  for (std::size_t n = 1; n <= kNamespaces; ++n) {
    items.push_back(json::object{{"apiVersion", "v1"},
                                 {"kind", "Namespace"},
                                 {"metadata", Meta(fmt::format("team-{}", n), "", 0)}});
    items.push_back(Quota(n));
  }
  const std::vector<OpenbPod>& pods = trace.pods;
  for (std::size_t first = 0; first < pods.size(); first += kGang) {
    const std::size_t members = std::min(kGang, pods.size() - first);
    std::int64_t created = 0;
    for (std::size_t i = 0; i < members; ++i) {
      created = std::max(created, pods[first + i].creation_s);
      items.push_back(Pod(pods[first + i], first / kGang));
    }
    items.push_back(PodGroup(first / kGang, members, created));
  }
  return items;
}

int Main(const std::string& folder, const char* path) {
  const Result<OpenbTrace> trace = ReadOpenb(folder, "default");
  if (!trace) {
    std::cerr << "openb_manifests: " << trace.error().message << "\n";
    return 2;
  }
  std::ofstream out(path, std::ios::binary);
  out << json::serialize(
             json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", Items(*trace)}})
      << "\n";
  out.close();
  if (!out) {
    std::cerr << "openb_manifests: cannot write " << path << "\n";
    return 2;
  }
  std::cerr << "openb_manifests: " << trace->nodes.size() << " nodes, " << trace->pods.size()
            << " pods\n";
  return 0;
}

}  // namespace
}  // namespace batholith::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: openb_manifests DIR OUT.json\n";
    return 2;
  }
  return batholith::bench::Main(argv[1], argv[2]);
}
