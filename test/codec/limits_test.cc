// Manifests that are large, or become large: what is too much is refused by name, before it costs.
#include "codec/limits.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "codec/kube_kinds.h"
#include "test/codec/decode_env.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::size_t kMany = 1'000'000;

json::array Times(std::size_t n, const json::value& value) {
  json::array out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) out.push_back(value);
  return out;
}

json::object Named(std::size_t n, const json::value& value) {
  json::object out;
  out.reserve(n);
  for (std::size_t i = 0; i < n; ++i) out.emplace("k" + std::to_string(i), value);
  return out;
}

// An object with `value` at the place that `path` names ("spec.tasks.0.template" goes into lists).
json::value Object(std::string_view version, std::string_view kind, std::string_view path,
                   json::value value) {
  json::value out = json::object{
      {"apiVersion", version}, {"kind", kind}, {"metadata", {{"name", "o"}, {"namespace", "ns"}}}};
  json::value* at = &out;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view key = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    if (key == "0") {
      if (!at->is_array()) at->emplace_array().emplace_back(nullptr);
      at = &at->get_array()[0];
    } else {
      if (!at->is_object()) at->emplace_object();
      at = &at->get_object()[key];
    }
  }
  *at = std::move(value);
  return out;
}

Loaded DecodeOne(json::value object) {
  ManifestDecoder decoder({.now = kNow});
  decoder.Add(std::move(object), "f.json: document 1");
  return decoder.Finish();
}

// Of the kinds that these tests write.
std::size_t ObjectsOf(const Loaded& loaded) {
  const ClusterObjects& o = loaded.objects;
  return o.pods.size() + o.nodes.size() + o.pod_groups.size() + o.queues.size() +
         o.resource_quotas.size() + o.elastic_quotas.size() + o.scalables.size();
}

TEST(Limits, a_list_or_mapping_with_very_many_entries_is_refused_by_its_name) {
  struct Row {
    std::string_view version, kind, path;
    bool mapping;  // else a list
    json::value entry;
    std::string_view expected;
  };
  constexpr std::string_view kScheduling = "scheduling.volcano.sh/v1beta1";
  const std::vector<Row> rows{
      {"v1", "Pod", "metadata.labels", true, "", "Pod ns/o: metadata.labels"},
      {"v1", "Pod", "metadata.annotations", true, "", "Pod ns/o: metadata.annotations"},
      {"v1", "Pod", "spec.containers", false, json::object(), "Pod ns/o: spec.containers"},
      {"v1", "Pod", "spec.tolerations", false, {{"operator", "Exists"}}, "spec.tolerations"},
      {"v1", "Pod", "spec.topologySpreadConstraints", false, json::object(),
       "spec.topologySpreadConstraints"},
      {"v1", "Pod", "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution",
       false, json::object(),
       "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution"},
      {"v1", "Pod", "spec.containers.0.resources.requests", true, 1,
       "spec.containers[0].resources.requests"},
      {"v1", "Node", "status.allocatable", true, 1, "Node ns/o: status.allocatable"},
      {"v1", "Node", "spec.taints", false, json::object(), "spec.taints"},
      {"v1", "ResourceQuota", "spec.hard", true, 1, "ResourceQuota ns/o: spec.hard"},
      {kScheduling, "Queue", "spec.capability", true, 1, "Queue ns/o: spec.capability"},
      {kScheduling, "PodGroup", "spec.minTaskMember", true, 1, "spec.minTaskMember"},
      {kScheduling, "PodGroup", "spec.subGroupPolicy.0.matchLabelKeys", false, "k",
       "spec.subGroupPolicy[0].matchLabelKeys"},
      {"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "spec.min", true, 1, "spec.min"},
      {"batch.volcano.sh/v1alpha1", "Job", "spec.tasks", false, json::object(),
       "Job ns/o: spec.tasks"},
      {"batch/v1", "Job", "spec.template.metadata.labels", true, "",
       "Job ns/o: spec.template.metadata.labels"},
  };
  for (const Row& row : rows) {
    json::value many;
    if (row.mapping) {
      many = Named(kMany, row.entry);
    } else {
      many = Times(kMany, row.entry);
    }
    const Loaded loaded = DecodeOne(Object(row.version, row.kind, row.path, std::move(many)));
    ASSERT_EQ(loaded.refused.size(), 1U) << row.path;
    EXPECT_TRUE(loaded.refused[0].starts_with("f.json: document 1: ")) << loaded.refused[0];
    EXPECT_NE(loaded.refused[0].find(std::string(row.expected) + ": has 1000000 entries, at most " +
                                     (row.mapping || row.entry.is_string() ? "20000" : "5000") +
                                     " may be"),
              std::string::npos)
        << loaded.refused[0];
    EXPECT_EQ(ObjectsOf(loaded), 0U) << row.path;
  }
}

TEST(Limits, an_object_longer_than_a_server_stores_is_refused_with_its_longest_part) {
  const Loaded loaded =
      DecodeOne(Object("v1", "Pod", "metadata.annotations.note", json::string(5 << 20, 'x')));
  EXPECT_EQ(loaded.refused,
            std::vector<std::string>{"f.json: document 1: Pod ns/o: metadata.annotations.note: "
                                     "makes the object 5.0 MB long, at most 4 MB may be"});
  EXPECT_TRUE(
      DecodeOne(Object("v1", "Pod", "metadata.annotations.note", json::string(3 << 20, 'x')))
          .refused.empty());
}

// What nobody reads costs nothing, and a dump may hold it.
TEST(Limits, kinds_that_nobody_reads_have_none) {
  const Loaded loaded = DecodeOne(Object("v1", "ConfigMap", "data", Named(30'000, "")));
  EXPECT_TRUE(loaded.refused.empty()) << JoinedLines(loaded.refused);
}

TEST(Limits, what_is_read_is_what_has_limits) {
  struct Row {
    std::string_view version, kind;
    bool read;
  };
  const std::vector<Row> rows{
      {"v1", "Pod", true},
      {"v1", "Node", true},
      {"v1", "Namespace", true},
      {"v1", "ResourceQuota", true},
      {"v1", "PodTemplate", true},
      {"v1", "ReplicationController", true},
      {"v1", "ConfigMap", false},
      {"v1", "Service", false},
      {"apps/v1", "Deployment", true},
      {"apps/v1", "ReplicaSet", true},
      {"apps/v1", "StatefulSet", true},
      {"apps/v1", "DaemonSet", false},
      {"scheduling.k8s.io/v1", "PriorityClass", true},
      {"storage.k8s.io/v1", "StorageClass", true},
      {"resource.k8s.io/v1", "ResourceSlice", true},
      {"resource.k8s.io/v1beta1", "ResourceClaim", true},
      {"resource.k8s.io/v1", "DeviceTaintRule", false},
      {"v1", "PersistentVolume", true},
      {"v1", "PersistentVolumeClaim", true},
      {"storage.k8s.io/v1", "CSINode", true},
      {"storage.k8s.io/v1", "VolumeAttributesClass", false},
      {"topology.volcano.sh/v1alpha1", "HyperNode", true},
      {"policy/v1", "PodDisruptionBudget", true},
      {"scheduling.volcano.sh/v1beta1", "Queue", true},
      {"scheduling.volcano.sh/v1beta1", "PodGroup", true},
      {"scheduling.volcano.sh/v1beta1", "Numatopology", false},
      {"scheduling.x-k8s.io/v1alpha1", "ElasticQuota", true},
      {"nos.nebuly.com/v1alpha1", "CompositeElasticQuota", true},
      {"quota.koordinator.sh/v1alpha1", "ElasticQuotaProfile", true},
      {"autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", true},
      {"cluster.x-k8s.io/v1beta1", "MachineDeployment", true},
      {"cluster.x-k8s.io/v1beta1", "Machine", true},
      {"cluster.x-k8s.io/v1beta1", "Cluster", false},
      {"batholith.dev/v1", "NodeGroup", true},
  };
  for (const Row& row : rows) {
    const std::size_t slash = row.version.find('/');
    const std::string group(slash == row.version.npos ? "" : row.version.substr(0, slash));
    const std::string kind(row.kind);
    const KubeKind* kube = FindKindOfGroup(group, kind);
    EXPECT_EQ(kube != nullptr, row.read) << kind;
    if (kube == nullptr) continue;
    const json::value value = Object(row.version, row.kind, "spec.x", 1);
    ConstraintTable constraints;
    std::vector<std::string> warnings;
    ReadContext context{group, kind, constraints, warnings};
    try {
      EXPECT_EQ(kube->read(Field(&value, ""), context).index(), kube->record) << kind;
    } catch (const FieldError&) {  // it was looked at
    }
  }
}

constexpr std::string_view kTemplate =
    "template: {spec: {schedulerName: volcano, containers: [{resources: {requests: {cpu: 1}}}]}}";

std::string VolcanoJob(std::string_view name, std::string_view tasks) {
  return "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: " +
         std::string(name) + ", namespace: ns}, spec: {tasks: [" + std::string(tasks) + "]}}\n";
}

TEST(Limits, the_pods_of_all_jobs_are_counted_before_one_is_made) {
  const std::string template_text(kTemplate);
  Loaded loaded = Decode(VolcanoJob("j", "{name: w, replicas: 1000000, " + template_text + "}"));
  EXPECT_EQ(loaded.refused,
            std::vector<std::string>{
                "f.yaml: document 1: Job ns/j: spec.tasks[0].replicas: 1000000 pods, with 0 that "
                "were made before; at most 50000 are made of all jobs (--max-pods)"});
  EXPECT_EQ(ObjectsOf(loaded), 0U);

  loaded = Decode(VolcanoJob("a", "{name: w, replicas: 30000, " + template_text + "}") + "---\n" +
                  VolcanoJob("b", "{name: v, replicas: 1, " + template_text +
                                      "}, {name: w, replicas: 20000, " + template_text + "}"));
  EXPECT_EQ(loaded.refused,
            std::vector<std::string>{
                "f.yaml: document 2: Job ns/b: spec.tasks[1].replicas: 20000 pods, with 30001 that "
                "were made before; at most 50000 are made of all jobs (--max-pods)"});
  EXPECT_EQ(loaded.objects.pods.size(), 30'000U);
}

TEST(Limits, indexes_of_a_job_are_counted_before_they_are_listed) {
  const auto job = [](std::string_view parallelism, std::string_view done) {
    return "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ns}, spec: "
           "{completionMode: Indexed, completions: 2000000000, parallelism: " +
           std::string(parallelism) + ", " + std::string(kTemplate) +
           "}, status: {completedIndexes: \"" + std::string(done) + "\"}}\n";
  };
  EXPECT_EQ(Decode(job("2000000000", "0-3")).refused,
            std::vector<std::string>{
                "f.yaml: document 1: Job ns/j: spec.parallelism: 2000000000 pods, with 0 that were "
                "made before; at most 50000 are made of all jobs (--max-pods)"});
  // Nothing is left of these.
  EXPECT_TRUE(Decode(job("3", "0-4294967295")).objects.pods.empty());
  const Loaded last = Decode(job("3", "0-1999999997"));
  ASSERT_EQ(last.objects.pods.size(), 2U) << JoinedLines(last.refused);
  EXPECT_EQ(last.objects.pods[1].meta.name, "j-1999999999");
}

// 50,000 pods may have 125 MB of labels and annotations: 41 with 3 MB, and no more.
TEST(Limits, what_a_template_writes_into_each_pod_is_counted) {
  const auto job = [](int replicas) {
    return VolcanoJob("j", "{name: w, replicas: " + std::to_string(replicas) +
                               ", template: {metadata: {annotations: {note: " +
                               std::string(3'000'000, 'x') + "}}, spec: {containers: [{}]}}}");
  };
  EXPECT_EQ(Decode(job(41)).objects.pods.size(), 41U);
  EXPECT_EQ(Decode(job(50'000)).refused,
            std::vector<std::string>{
                "f.yaml: document 1: Job ns/j: spec.tasks[0].replicas: 50000 pods with 3001.4 KB "
                "of labels and annotations each; at most 2.5 KB for each of 50000 pods are made of "
                "all jobs (--max-pods)"});
}

TEST(Limits, behind_very_many_refused_objects_nothing_is_looked_at) {
  const Loaded loaded =
      DecodeOne({{"apiVersion", "v1"}, {"kind", "List"}, {"items", Times(kMany, json::object())}});
  EXPECT_EQ(loaded.refused.size(), kMaxRefused);
  EXPECT_EQ(loaded.refused.back(), "f.json: document 1: item 1000: object: kind: is missing");
  EXPECT_EQ(loaded.warnings,
            std::vector<std::string>{
                "behind 1000 refused objects the rest of the input was not looked at"});
}

}  // namespace
}  // namespace batholith
