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
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace json = boost::json;
using Row = std::map<std::string, std::string, std::less<>>;

constexpr std::size_t kGang = 4;
constexpr std::size_t kQueues = 4;
constexpr std::size_t kNamespaces = 8;
constexpr std::int64_t kTraceStart =
    1'672'531'200;  // 2023-01-01T00:00:00Z; the trace counts from its own start
constexpr const char* kModelLabel = "openb/gpu-model";

std::vector<std::string> Split(const std::string& line, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == separator) {
      parts.emplace_back();
    } else if (c != '\r') {
      parts.back() += c;
    }
  }
  return parts;
}

// Rows by column name. Fields are never quoted in this trace.
bool ReadCsv(const std::string& path, std::vector<Row>& rows) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return false;
  const std::vector<std::string> header = Split(line, ',');
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = Split(line, ',');
    if (fields.size() != header.size()) return false;
    Row row;
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = fields[i];
    rows.push_back(std::move(row));
  }
  return true;
}

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

json::object Node(const Row& row) {
  json::object meta = Meta(row.at("sn"), "", 0);
  json::object labels{{"kubernetes.io/hostname", row.at("sn")}};
  if (!row.at("model").empty()) labels[kModelLabel] = row.at("model");
  meta["labels"] = labels;
  json::object room{
      {"cpu", row.at("cpu_milli") + "m"}, {"memory", row.at("memory_mib") + "Mi"}, {"pods", "110"}};
  if (row.at("gpu") != "0") room["nvidia.com/gpu"] = row.at("gpu");
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

json::object Pod(const Row& row, std::size_t group) {
  json::object meta = Meta(row.at("name"), TeamOf(group), std::stoll(row.at("creation_time")));
  meta["annotations"] = {{"scheduling.k8s.io/group-name", GroupName(group)}};
  json::object requests{{"cpu", row.at("cpu_milli") + "m"},
                        {"memory", row.at("memory_mib") + "Mi"}};
  json::object resources{{"requests", requests}};
  if (row.at("num_gpu") != "0") {
    requests["nvidia.com/gpu"] = row.at("num_gpu");
    resources["requests"] = requests;
    resources["limits"] = {{"nvidia.com/gpu", row.at("num_gpu")}};
  }
  json::object container{{"name", "main"}, {"image", "openb/workload"}, {"resources", resources}};
  json::object spec{{"schedulerName", "volcano"}, {"containers", json::array{container}}};
  if (!row.at("gpu_spec").empty()) {
    json::array models;
    for (const std::string& model : Split(row.at("gpu_spec"), '|')) models.emplace_back(model);
    json::object match{{"key", kModelLabel}, {"operator", "In"}, {"values", models}};
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

json::array Items(const std::vector<Row>& nodes, const std::vector<Row>& pods) {
  json::array items;
  for (const Row& row : nodes) items.push_back(Node(row));
  for (std::size_t q = 1; q <= kQueues; ++q) items.push_back(Queue(q));
  for (std::size_t n = 1; n <= kNamespaces; ++n) {
    items.push_back(json::object{{"apiVersion", "v1"},
                                 {"kind", "Namespace"},
                                 {"metadata", Meta(fmt::format("team-{}", n), "", 0)}});
    items.push_back(Quota(n));
  }
  for (std::size_t first = 0; first < pods.size(); first += kGang) {
    const std::size_t members = std::min(kGang, pods.size() - first);
    std::int64_t created = 0;
    for (std::size_t i = 0; i < members; ++i) {
      created = std::max<std::int64_t>(created, std::stoll(pods[first + i].at("creation_time")));
      items.push_back(Pod(pods[first + i], first / kGang));
    }
    items.push_back(PodGroup(first / kGang, members, created));
  }
  return items;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: openb_manifests DIR OUT.json\n";
    return 2;
  }
  const std::string folder = argv[1];
  std::vector<Row> nodes;
  std::vector<Row> pods;
  if (!ReadCsv(folder + "/openb_node_list_all_node.csv", nodes) ||
      !ReadCsv(folder + "/openb_pod_list_default.csv", pods)) {
    std::cerr << "openb_manifests: " << folder << " does not hold the openb trace\n";
    return 2;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out << json::serialize(
             json::object{{"apiVersion", "v1"}, {"kind", "List"}, {"items", Items(nodes, pods)}})
      << "\n";
  out.close();
  if (!out) {
    std::cerr << "openb_manifests: cannot write " << argv[2] << "\n";
    return 2;
  }
  std::cerr << "openb_manifests: " << nodes.size() << " nodes, " << pods.size() << " pods\n";
  return 0;
}
