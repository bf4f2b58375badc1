#include "cmd/group_fields.h"

#include "api/group_api.h"
#include "cmd/kube_api.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr const char* kQueueName = "scheduling.volcano.sh/queue-name";

GroupApi ApiOf(const json::value& group) {
  const std::string version = TextIn(group, {"apiVersion"});
  return GroupApiOf(version.substr(0, version.find('/')));
}

}  // namespace

bool IsVolcanosGroup(const json::value& group) { return ApiOf(group) == GroupApi::kVolcano; }

std::string NameOfGroup(const json::value& group) {
  return TextIn(group, {"metadata", "name"}) + std::string(SuffixOf(ApiOf(group)));
}

std::string PhaseOfGroup(const json::value& group) {
  if (ApiOf(group) != GroupApi::kKubernetes) return CellAt(group, {"status", "phase"}, "Pending");
  for (const Field& c : FieldIn(group, {"status", "conditions"}).Items()) {
    const std::string type = c["type"].Text();
    if ((type == "PodGroupInitiallyScheduled" || type == "PodGroupScheduled") &&
        c["status"].Text() == "True")
      return "Scheduled";
  }
  return "Pending";
}

std::string QueueOfGroup(const json::value& group) {
  if (IsVolcanosGroup(group)) return CellAt(group, {"spec", "queue"}, "default");
  const std::string label = CellAt(group, {"metadata", "labels", kQueueName}, "default");
  return CellAt(group, {"metadata", "annotations", kQueueName}, label);
}

std::string MinimumOfGroup(const json::value& group) {
  if (ApiOf(group) != GroupApi::kKubernetes) return CellAt(group, {"spec", "minMember"}, "0");
  return CellAt(group, {"spec", "schedulingPolicy", "gang", "minCount"}, "1");
}

std::string CountOfGroup(const json::value& group, const char* what) {
  return CellAt(group, {"status", what}, ApiOf(group) == GroupApi::kKubernetes ? "-" : "0");
}

}  // namespace batholith
