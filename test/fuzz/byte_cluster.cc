#include "test/fuzz/byte_cluster.h"

#include <boost/json.hpp>
#include <string_view>

#include "test/fuzz/odd_values.h"

namespace batholith::fuzz {
namespace {

namespace json = boost::json;

constexpr std::string_view kNodes[] = {"n0", "n1", "n2", "n3", "gone"};
constexpr std::string_view kGroups[] = {"g0", "g1", "g2", "g3", "gone"};
constexpr std::string_view kQueues[] = {"default", "q1", "q2", "q3", "root", "gone"};
constexpr std::string_view kNamespaces[] = {"a", "b", "kube-system"};
constexpr std::string_view kClasses[] = {"low", "high", "gone"};
constexpr std::string_view kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};

class Maker {
 public:
  explicit Maker(ByteSource& bytes) : bytes_(bytes), odd_(bytes) {}

  std::vector<json::value> Make() {
    Add("scheduling.k8s.io/v1", "PriorityClass", "low", "", {{"value", 10}});
    Add("scheduling.k8s.io/v1", "PriorityClass", "high", "", {{"value", odd_.Integer(1000)}});
    for (std::size_t n = bytes_.Below(4) + 1; n > 0; --n) AddNode(kNodes[n - 1]);
    for (std::size_t n = bytes_.Below(4); n > 0; --n) AddQueue(kQueues[n]);
    for (std::size_t n = bytes_.Below(5); n > 0; --n) AddGroup(kGroups[n - 1]);
    for (std::size_t n = bytes_.Below(13); n > 0; --n) AddPod("p" + std::to_string(n));
    for (std::size_t n = bytes_.Below(4); n > 0; --n) AddOther("o" + std::to_string(n));
    return std::move(out_);
  }

 private:
  json::object& Add(std::string_view version, std::string_view kind, std::string_view name,
                    std::string_view namespace_, json::object fields) {
    json::object meta{{"name", name}};
    if (!namespace_.empty()) meta["namespace"] = namespace_;
    if (bytes_.Sometimes(3)) meta["labels"] = odd_.Labels();
    if (bytes_.Sometimes(4)) meta["annotations"] = odd_.Notes();
    if (bytes_.Sometimes(6)) meta["creationTimestamp"] = odd_.Time();
    if (bytes_.Sometimes(12)) meta["deletionTimestamp"] = odd_.Time();
    fields["apiVersion"] = version;
    fields["kind"] = kind;
    fields["metadata"] = std::move(meta);
    return out_.emplace_back(std::move(fields)).get_object();
  }

  void AddNode(std::string_view name) {
    json::object allocatable{{"cpu", "8"}, {"memory", "16Gi"}, {"pods", "110"}};
    if (bytes_.Sometimes(3)) allocatable["nvidia.com/gpu"] = odd_.Quantity();
    if (bytes_.Sometimes(4)) odd_.AddResources(allocatable);
    json::object spec;
    if (bytes_.Sometimes(8)) spec["unschedulable"] = true;
    if (bytes_.Sometimes(6)) {
      spec["taints"] = json::array{
          {{"key", odd_.Label()}, {"value", odd_.Word()}, {"effect", bytes_.Pick(kEffects)}}};
    }
    json::object& node =
        Add("v1", "Node", name, "",
            {{"spec", std::move(spec)}, {"status", {{"allocatable", std::move(allocatable)}}}});
    json::object& meta = node["metadata"].get_object();
    if (!meta.contains("labels")) meta["labels"] = json::object{{"kubernetes.io/hostname", name}};
  }

  void AddQueue(std::string_view name) {
    json::object spec{{"weight", odd_.Integer(1)}};
    if (bytes_.Sometimes(3)) spec["capability"] = odd_.Resources();
    if (bytes_.Sometimes(3)) spec["deserved"] = odd_.Resources();
    if (bytes_.Sometimes(4)) spec["guarantee"] = json::object{{"resource", odd_.Resources()}};
    if (bytes_.Sometimes(3)) spec["parent"] = bytes_.Pick(kQueues);
    if (bytes_.Sometimes(6)) spec["reclaimable"] = false;
    if (bytes_.Sometimes(6)) spec["dequeueStrategy"] = "fifo";
    if (bytes_.Sometimes(6)) spec["priority"] = odd_.Integer(1);
    json::object status;
    if (bytes_.Sometimes(8)) status["state"] = "Closed";
    Add("scheduling.volcano.sh/v1beta1", "Queue", name, "",
        {{"spec", std::move(spec)}, {"status", std::move(status)}});
  }

  void AddGroup(std::string_view name) {
    static constexpr std::string_view kPhases[] = {"Pending", "Inqueue", "Running", "Unknown"};
    json::object spec{{"minMember", odd_.Integer(1)}, {"queue", bytes_.Pick(kQueues)}};
    if (bytes_.Sometimes(3)) spec["minResources"] = odd_.Resources();
    if (bytes_.Sometimes(3)) spec["priorityClassName"] = bytes_.Pick(kClasses);
    if (bytes_.Sometimes(4)) spec["minTaskMember"] = json::object{{"worker", odd_.Integer(1)}};
    if (bytes_.Sometimes(6)) {
      spec["subGroupPolicy"] = json::array{{{"name", "s"},
                                            {"subGroupSize", odd_.Integer(2)},
                                            {"minSubGroups", odd_.Integer(1)},
                                            {"labelSelector", odd_.Selector()},
                                            {"matchLabelKeys", {odd_.Label()}}}};
    }
    Add("scheduling.volcano.sh/v1beta1", "PodGroup", name, "a",
        {{"spec", std::move(spec)}, {"status", {{"phase", bytes_.Pick(kPhases)}}}});
  }

  json::object Container() {
    json::object requests;
    if (!bytes_.Sometimes(6)) requests["cpu"] = bytes_.Sometimes(4) ? odd_.Quantity() : "1";
    if (bytes_.Sometimes(3)) requests["memory"] = odd_.Quantity();
    if (bytes_.Sometimes(4)) odd_.AddResources(requests);
    json::object container{{"name", "c"}, {"resources", {{"requests", std::move(requests)}}}};
    if (bytes_.Sometimes(10)) {
      container["ports"] =
          json::array{{{"containerPort", 80}, {"hostPort", odd_.Integer(80)}, {"protocol", "TCP"}}};
    }
    return container;
  }

  void Constrain(json::object& spec) {
    if (bytes_.Sometimes(4)) spec["nodeSelector"] = odd_.Labels();
    if (bytes_.Sometimes(4)) spec["affinity"] = odd_.Affinity();
    if (bytes_.Sometimes(6)) {
      spec["topologySpreadConstraints"] = json::array{
          {{"maxSkew", odd_.Integer(1)},
           {"topologyKey", odd_.Label()},
           {"whenUnsatisfiable", bytes_.Sometimes(2) ? "ScheduleAnyway" : "DoNotSchedule"},
           {"labelSelector", odd_.Selector()}}};
    }
    if (bytes_.Sometimes(6)) {
      spec["tolerations"] =
          json::array{{{"operator", "Exists"}, {"effect", bytes_.Pick(kEffects)}}};
    }
  }

  json::object PodSpec() {
    json::object spec{{"schedulerName", bytes_.Sometimes(8) ? "other" : "volcano"},
                      {"containers", json::array{Container()}}};
    if (bytes_.Sometimes(8)) spec["initContainers"] = json::array{Container()};
    if (bytes_.Sometimes(12)) spec["overhead"] = odd_.Resources();
    if (bytes_.Sometimes(3)) Constrain(spec);
    if (bytes_.Sometimes(3)) spec["priorityClassName"] = bytes_.Pick(kClasses);
    if (bytes_.Sometimes(6)) spec["priority"] = odd_.Integer(5);
    if (bytes_.Sometimes(10)) spec["preemptionPolicy"] = "Never";
    if (bytes_.Sometimes(10)) spec["schedulingGates"] = json::array{{{"name", "wait"}}};
    if (bytes_.Sometimes(8)) spec["terminationGracePeriodSeconds"] = odd_.Integer(30);
    return spec;
  }

  void AddPod(const std::string& name) {
    static constexpr std::string_view kPhases[] = {"Running", "Pending", "Succeeded", "Failed",
                                                   "Unknown"};
    json::object spec = PodSpec();
    json::object status;
    if (bytes_.Sometimes(2)) {
      spec["nodeName"] = bytes_.Pick(kNodes);
      status["phase"] = bytes_.Pick(kPhases);
      if (bytes_.Sometimes(4)) status["startTime"] = odd_.Time();
    }
    if (bytes_.Sometimes(12)) status["nominatedNodeName"] = bytes_.Pick(kNodes);
    json::object& pod = Add("v1", "Pod", name, bytes_.Sometimes(4) ? bytes_.Pick(kNamespaces) : "a",
                            {{"spec", std::move(spec)}, {"status", std::move(status)}});
    if (bytes_.Sometimes(3)) return;
    json::value& notes = pod["metadata"].get_object()["annotations"];
    if (!notes.is_object()) notes.emplace_object();
    notes.get_object()["scheduling.k8s.io/group-name"] = bytes_.Pick(kGroups);
    if (bytes_.Sometimes(3)) notes.get_object()["volcano.sh/task-spec"] = "worker";
  }

  void AddQuota(const std::string& name) {
    static constexpr std::string_view kVersions[] = {"scheduling.x-k8s.io/v1alpha1",
                                                     "scheduling.sigs.k8s.io/v1alpha1",
                                                     "nos.nebuly.com/v1alpha1"};
    json::object spec{{"min", odd_.Resources()}};
    if (bytes_.Sometimes(2)) spec["max"] = odd_.Resources();
    const bool composite = bytes_.Sometimes(6);
    if (composite) spec["namespaces"] = json::array{"a", "b"};
    Add(composite ? kVersions[2] : bytes_.Pick(kVersions),
        composite ? "CompositeElasticQuota" : "ElasticQuota", name, bytes_.Pick(kNamespaces),
        {{"spec", std::move(spec)}});
  }

  void AddNodeGroup(const std::string& name) {
    Add("batholith.dev/v1", "NodeGroup", name, "",
        {{"spec",
          {{"min", odd_.Integer(0)},
           {"max", odd_.Integer(3)},
           {"size", odd_.Integer(1)},
           {"template",
            {{"metadata", {{"labels", odd_.Labels()}}},
             {"status", {{"allocatable", odd_.Resources()}}}}}}}});
  }

  // Anything else that decides.
  void AddOther(const std::string& name) {
    const std::string_view space = bytes_.Pick(kNamespaces);
    switch (bytes_.Below(8)) {
      case 0:
        Add("v1", "ResourceQuota", name, space, {{"spec", {{"hard", odd_.Resources()}}}});
        return;
      case 1:
        Add("policy/v1", "PodDisruptionBudget", name, space,
            {{"spec", {{"selector", odd_.Selector()}}},
             {"status", {{"disruptionsAllowed", odd_.Integer(1)}}}});
        return;
      case 2:
        Add("quota.koordinator.sh/v1alpha1", "ElasticQuotaProfile", name, space,
            {{"spec",
              {{"quotaName", name},
               {"nodeSelector", odd_.Selector()},
               {"resourceRatio", odd_.Quantity()}}}});
        return;
      case 3:
        AddNodeGroup(name);
        return;
      case 4:
        Add("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", name, space,
            {{"spec",
              {{"replicas", odd_.Integer(2)},
               {"limits", odd_.Resources()},
               {"podTemplateRef", {{"name", "t"}}}}}});
        Add("v1", "PodTemplate", "t", space, {{"template", {{"spec", PodSpec()}}}});
        return;
      case 5:
        Add("batch.volcano.sh/v1alpha1", "Job", name, space,
            {{"spec",
              {{"minAvailable", odd_.Integer(1)},
               {"tasks", json::array{{{"replicas", bytes_.Below(5)},
                                      {"name", "worker"},
                                      {"template", {{"spec", PodSpec()}}}}}}}}});
        return;
      default:
        AddQuota(name);
    }
  }

  ByteSource& bytes_;
  OddValues odd_;
  std::vector<json::value> out_;
};

}  // namespace

std::vector<json::value> MakeManifests(ByteSource& bytes) { return Maker(bytes).Make(); }

}  // namespace batholith::fuzz
