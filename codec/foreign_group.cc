#include "codec/foreign_group.h"

#include <algorithm>
#include <boost/json.hpp>

#include "api/sort_unique.h"
#include "api/value_text.h"
#include "codec/conditions.h"
#include "codec/encode_parts.h"
#include "codec/json/parse.h"
#include "codec/kinds.h"
#include "codec/kubernetes_group.h"
#include "codec/pod.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::string_view kMinimum = "gang.scheduling.koordinator.sh/min-available";
constexpr std::string_view kMode = "gang.scheduling.koordinator.sh/mode";
constexpr std::string_view kGroups = "gang.scheduling.koordinator.sh/groups";

json::object EncodeKubernetesGroup(const PodGroupRecord& group) {
  json::object out = Begin("scheduling.k8s.io/v1beta1", "PodGroup", group.meta);
  json::object spec = EncodeKubernetesSpec("minCount", group.min_member, group);
  if (group.preemption_never) spec["preemptionPolicy"] = "Never";
  out["spec"] = std::move(spec);
  return out;
}

json::object EncodeCoschedulingGroup(const PodGroupRecord& group) {
  const char* version = group.api == GroupApi::kCoscheduling ? "scheduling.x-k8s.io/v1alpha1"
                                                             : "scheduling.sigs.k8s.io/v1alpha1";
  json::object out = Begin(version, "PodGroup", group.meta);
  json::object spec{{"minMember", group.min_member}};
  if (group.min_resources) spec["minResources"] = Quantities(*group.min_resources);
  out["spec"] = std::move(spec);
  return out;
}

// A JSON list of NAMESPACE/NAME; that of the group itself is understood.
std::vector<std::string> GroupsIn(const std::string& text, PodGroupRecord& group) {
  std::vector<std::string> out;
  const auto flaw = [&] {
    group.meta.flaw = "metadata.annotations." + std::string(kGroups) + ": \"" + Printable(text) +
                      "\" is no list of NAMESPACE/NAME";
    return std::vector<std::string>();
  };
  const Result<json::value> value = ParseJsonValue(text);
  if (!value) return flaw();
  const Field list = Field::Glance(*value);
  if (!list.is_list()) return flaw();
  for (const Field& item : list.Items()) {
    if (!item.is_text()) return flaw();
    std::string key = item.Text() + std::string(SuffixOf(group.api));
    if (key != group.Identity()) out.push_back(std::move(key));
  }
  SortUnique(out);
  return out;
}

}  // namespace

PodGroupRecord ReadKubernetesGroup(const Field& object) {
  PodGroupRecord group;
  group.meta = ReadMeta(object);
  group.api = GroupApi::kKubernetes;
  const Field spec = object["spec"];
  ReadKubernetesSpec(spec, "minCount", group.min_member, group);
  group.preemption_never = ReadPreemptionNever(spec["preemptionPolicy"]);
  group.conditions = ReadConditions(object["status"]);
  return group;
}

PodGroupRecord ReadCoschedulingGroup(const Field& object) {
  PodGroupRecord group;
  group.meta = ReadMeta(object);
  const bool sigs = object["apiVersion"].Text().starts_with("scheduling.sigs.k8s.io/");
  group.api = sigs ? GroupApi::kKoordinator : GroupApi::kCoscheduling;
  const Field spec = object["spec"];
  group.min_member = static_cast<std::int32_t>(spec["minMember"].Int(0, 0, INT32_MAX));
  if (spec["minResources"].present()) group.min_resources = spec["minResources"].Resources();
  group.conditions = ReadConditions(object["status"]);
  if (sigs) ReadGangAnnotations(/*with_minimum=*/false, group);
  return group;
}

void ReadGangAnnotations(bool with_minimum, PodGroupRecord& group) {
  const Labels& annotations = *group.meta.annotations;
  const std::string* mode = FindValue(annotations, kMode);
  group.keeps_parts = mode != nullptr && *mode == "NonStrict";
  const std::string* groups = FindValue(annotations, kGroups);
  if (groups != nullptr && !groups->empty()) group.starts_with = GroupsIn(*groups, group);
  if (!with_minimum) return;
  const std::string* text = FindValue(annotations, kMinimum);
  const std::optional<std::int32_t> value =
      text == nullptr ? std::nullopt : ParseNumber<int>(*text);
  group.min_member = value.value_or(0);
  if (!value || *value < 1)
    group.meta.flaw =
        "metadata.annotations." + std::string(kMinimum) + ": " +
        (text == nullptr ? "is missing" : "\"" + Printable(*text) + "\" is no number from 1 on");
}

json::object EncodeForeignGroup(const PodGroupRecord& group) {
  json::object out = group.api == GroupApi::kKubernetes ? EncodeKubernetesGroup(group)
                                                        : EncodeCoschedulingGroup(group);
  json::object status;
  Put(status, "conditions", ConditionList(group.conditions));
  Put(out, "status", std::move(status));
  return out;
}

std::string KubernetesGroupOf(const Field& spec) {
  const std::string name = spec["schedulingGroup"]["podGroupName"].Text();
  return name.empty() ? name : name + std::string(SuffixOf(GroupApi::kKubernetes));
}

std::string CoschedulingGroupOf(const ObjectMeta& pod) {
  const auto group = [](const std::string* name, GroupApi api) {
    return name == nullptr || name->empty() ? std::string() : *name + std::string(SuffixOf(api));
  };
  std::string out =
      group(FindValue(pod.labels, "scheduling.x-k8s.io/pod-group"), GroupApi::kCoscheduling);
  if (out.empty())
    out = group(FindValue(pod.labels, "pod-group.scheduling.sigs.k8s.io"), GroupApi::kKoordinator);
  if (out.empty()) out = group(FindValue(pod.annotations, kGangName), GroupApi::kKoordinator);
  return out;
}

}  // namespace batholith
