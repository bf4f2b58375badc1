#include "client/watch/seen_object.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "api/allocated_hyper_node.h"
#include "api/elastic_quota.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

// What we write of a pod's status.
json::object PodStatusOf(const Field& status) {
  json::object out;
  const std::string nominated = status["nominatedNodeName"].Text();
  if (!nominated.empty()) out["nominatedNodeName"] = nominated;
  for (const Field& condition : status["conditions"].Items()) {
    if (condition["type"].Text() != "PodScheduled") continue;
    out["conditions"] = json::array{json::object{{"type", "PodScheduled"},
                                                 {"status", condition["status"].Text()},
                                                 {"reason", condition["reason"].Text()},
                                                 {"message", condition["message"].Text()}}};
  }
  return out;
}

// Whether who applies the state of the queue has applied what is allocated, too.
bool StateManagerHasAllocated(const Field& meta) {
  return std::ranges::any_of(meta["managedFields"].Items(), [](const Field& entry) {
    return entry["manager"].Text() == kQueueStateManager && entry["operation"].Text() == "Apply" &&
           entry["fieldsV1"]["f:status"]["f:allocated"].present();
  });
}

json::object Ours(const json::object& annotations) {
  json::object out;
  for (const auto& [key, value] : annotations) {
    if (std::string_view(key).starts_with(kQuotaPolicyPrefix) ||
        std::string_view(key).starts_with(kQuotaKeyPrefix) || key == kClosedByParent ||
        key == kAllocatedHyperNode)
      out[key] = value;
  }
  return out;
}

}  // namespace

SeenObject SeenObjectOf(const KubeKind& kind, const json::value& object) {
  const Field glance = Field::Glance(object);
  const Field meta = glance["metadata"];
  SeenObject seen;
  seen.api_version = kind.api_version;
  seen.kind = kind.kind;
  seen.namespace_ = meta["namespace"].Text();
  seen.name = meta["name"].Text();
  seen.uid = meta["uid"].Text();
  seen.version = meta["resourceVersion"].Text();
  seen.path = kind.path(seen.namespace_, seen.name);
  const Field status = glance["status"];
  if (kind.record != KindOf<NodeGroupRecord>())
    seen.status = kind.record == KindOf<PodRecord>() ? PodStatusOf(status) : status.Object();
  seen.parent = glance["spec"]["parent"].Text();
  seen.state_manager_has_allocated = StateManagerHasAllocated(meta);
  seen.annotations = Ours(meta["annotations"].Object());
  return seen;
}

}  // namespace batholith
