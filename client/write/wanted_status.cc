#include "client/write/wanted_status.h"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <string_view>
#include <utility>

#include "api/elastic_quota.h"
#include "client/http/json_request.h"
#include "client/http/reply.h"
#include "client/write/queue_state.h"
#include "client/write/status_parts.h"
#include "client/write/wanted_gang.h"
#include "client/write/wanted_topology.h"
#include "client/write/without_numbers.h"
#include "codec/encode_parts.h"

namespace batholith {
namespace {

namespace json = boost::json;

// The list as it should be: conditions of types that are not ours stay, and those that say the same
// as before keep their time. Of a group Scheduled or Unschedulable is wanted, and the other one
// goes.
json::array Conditions(const json::object& seen, const std::vector<JobCondition>& wanted,
                       const WriteStamp& stamp, bool& changed) {
  json::array out;
  for (const Field& c : Field::Glance(seen)["conditions"].Items()) {
    const std::string type = c["type"].Text();
    if (std::ranges::find(wanted, type, &JobCondition::type) != wanted.end()) continue;
    if (type == "Scheduled" || type == "Unschedulable") {
      changed = true;
    } else {
      out.push_back(*c.value());
    }
  }
  for (const JobCondition& w : wanted) {
    const Field before = FindCondition(seen, w.type);
    if (SaysTheSame(before, w)) {
      out.push_back(*before.value());
      continue;
    }
    changed = true;
    json::object condition{{"type", w.type},
                           {"status", w.status},
                           {"transitionID", stamp.session},
                           {"lastTransitionTime", stamp.now}};
    Put(condition, "reason", w.reason);
    Put(condition, "message", w.message);
    out.push_back(std::move(condition));
  }
  return out;
}

// Sets a field of the patch where the server has another value.
void Want(const json::object& seen, std::string_view field, json::value wanted,
          json::object& patch) {
  const json::value* has = Field::Glance(seen)[field].value();
  const bool nothing = wanted.is_null() || (wanted.is_object() && wanted.get_object().empty());
  if (has == nullptr ? nothing : *has == wanted) return;
  patch[field] = std::move(wanted);
}

// What merging the patch into the object gives: RFC 7386, for the top level and objects below it.
void Merge(json::object& into, const json::object& patch) {
  for (const auto& [key, value] : patch) {
    if (value.is_null()) {
      into.erase(key);
    } else if (value.is_object() && into.contains(key) && into[key].is_object()) {
      Merge(into[key].get_object(), value.get_object());
    } else {
      into[key] = value;
    }
  }
}

json::object WithoutStamps(const Patch& patch) {
  json::object out = patch.body;
  json::value* status = out.if_contains("status");
  json::value* conditions =
      status == nullptr ? nullptr : status->as_object().if_contains("conditions");
  if (conditions == nullptr) return out;
  for (json::value& condition : conditions->as_array()) {
    condition.as_object().erase("transitionID");
    condition.as_object().erase("lastTransitionTime");
  }
  return out;
}

std::optional<Patch> Paced(std::optional<Patch> patch, bool may_wait) {
  if (patch) patch->may_wait = may_wait;
  return patch;
}

// Whether the pod's condition says the same already, but for counts.
bool OnlyNumbersMoved(const SeenObject& seen, const PodStatus& status) {
  const Field before = FindCondition(seen.status, "PodScheduled");
  return before["status"].Text() == "False" && before["reason"].Text() == status.reason &&
         WithoutNumbers(before["message"].Text()) == WithoutNumbers(status.message);
}

// A list of amounts as a merge patch of what is there: amounts that are no more become null.
json::value Amounts(const json::object& seen, std::string_view field, const ResourceList& wanted) {
  json::object out = Quantities(wanted);
  const json::object& has = Field::Glance(seen)[field].Object();
  if (has == out) return out;
  for (const auto& [name, amount] : has) {
    if (!out.contains(name)) out[name] = nullptr;
  }
  return out;
}

}  // namespace

void Apply(const Patch& patch, SeenObject& object) {
  if (const json::value* status = patch.body.if_contains("status"))
    Merge(object.status, status->as_object());
  const json::object& meta = patch.body.at("metadata").as_object();
  if (const json::value* annotations = meta.if_contains("annotations"))
    Merge(object.annotations, annotations->as_object());
}

bool SayTheSame(const Patch& a, const Patch& b) { return WithoutStamps(a) == WithoutStamps(b); }

std::optional<Patch> WantedPod(const SeenObject& seen, const PodStatus& status,
                               const std::string& nominated, const WriteStamp& stamp) {
  json::object wanted;
  // The API server itself says that a pod is gated.
  if (status.reason != "SchedulingGated") {
    const JobCondition condition{"PodScheduled", "False", status.reason, status.message};
    const Field before = FindCondition(seen.status, "PodScheduled");
    if (!SaysTheSame(before, condition)) {
      json::object c{{"type", condition.type}, {"status", condition.status}};
      Put(c, "reason", condition.reason);
      Put(c, "message", condition.message);
      if (before["status"].Text() != condition.status) c["lastTransitionTime"] = stamp.now;
      wanted["conditions"] = json::array{std::move(c)};
    }
  }
  if (Field::Glance(seen.status)["nominatedNodeName"].Text() != nominated)
    wanted["nominatedNodeName"] = nominated.empty() ? json::value() : json::value(nominated);
  const bool may_wait = !wanted.contains("nominatedNodeName") && OnlyNumbersMoved(seen, status);
  return Paced(StatusPatch(seen, std::move(wanted), "/status", kStrategicPatch), may_wait);
}

std::optional<Patch> WantedGroup(const SeenObject& seen, const JobStatus& status,
                                 const WriteStamp& stamp) {
  if (seen.api_version.starts_with("scheduling.k8s.io/"))
    return WantedKubernetesGroup(seen, status, stamp);
  if (seen.api_version.starts_with("scheduling.x-k8s.io/"))
    return WantedCoschedulingGroup(seen, status);
  if (seen.api_version.starts_with("scheduling.sigs.k8s.io/")) return std::nullopt;
  json::object wanted;
  if (status.phase != JobPhase::kNone)
    Want(seen.status, "phase", JobPhaseName(status.phase), wanted);
  for (const auto& [field, task_status] :
       {std::pair{"running", "Running"}, {"succeeded", "Succeeded"}, {"failed", "Failed"}}) {
    const std::int64_t n = CountOf(status, task_status);
    if (n != 0 || seen.status.contains(field)) Want(seen.status, field, n, wanted);
  }
  bool changed = false;
  json::array conditions = Conditions(seen.status, status.conditions, stamp, changed);
  if (changed) wanted["conditions"] = std::move(conditions);
  const bool may_wait = !wanted.contains("phase") && seen.status.contains("phase");
  auto patch = Paced(StatusPatch(seen, std::move(wanted), "", kMergePatch), may_wait);
  AddHyperNode(seen, status, patch);
  return patch;
}

std::optional<Patch> WantedQueue(const SeenObject& seen, const QueueStatus& status) {
  json::object wanted;
  Want(seen.status, "allocated", Amounts(seen.status, "allocated", status.allocated), wanted);
  if (!seen.status.contains("allocated") && !wanted.contains("allocated"))
    wanted["allocated"] = json::object();  // Volcano's schema requires it
  return Paced(StatusPatch(seen, std::move(wanted), "/status", kMergePatch),
               seen.status.contains("allocated"));
}

// Whoever closes queues writes states; where nobody did a person should see one. Not before what is
// allocated is there, which its own manager then owns.
std::optional<Patch> WantedQueueState(const SeenObject& seen) {
  const Field status = Field::Glance(seen.status);
  if (!status["allocated"].present() || !status["state"].Text().empty()) return std::nullopt;
  Patch patch = QueueStatePatch(seen, "Open");
  // Nobody who closed it in the meantime is overruled.
  patch.body["metadata"].as_object()["resourceVersion"] = seen.version;
  return patch;
}

std::optional<Patch> WantedQuota(const SeenObject& seen, const QuotaStatus& status) {
  json::object wanted;
  Want(seen.status, "used", Amounts(seen.status, "used", status.used), wanted);
  return Paced(StatusPatch(seen, std::move(wanted), "/status", kMergePatch),
               seen.status.contains("used"));
}

std::optional<Patch> WantedBuffer(const SeenObject& seen, const BufferStatus& status,
                                  const WriteStamp& stamp) {
  json::object wanted;
  if (status.replicas) Want(seen.status, "replicas", std::int64_t{*status.replicas}, wanted);
  Want(seen.status, "provisioningStrategy", kActiveCapacity, wanted);
  bool changed = false;
  json::array conditions;
  for (const JobCondition& w : status.conditions) {
    const Field before = FindCondition(seen.status, w.type);
    // The one that says whether the buffer was understood; others are not only ours.
    const bool is_late =
        w.type == kReadyForProvisioning &&
        before["observedGeneration"].Int(-1, 0, INT64_MAX) != status.observed_generation;
    if (SaysTheSame(before, w) && !is_late) {
      conditions.push_back(*before.value());
      continue;
    }
    changed = true;
    const bool turned = before["status"].Text() != w.status;
    // All of them are required of a condition.
    conditions.push_back(json::object{
        {"type", w.type},
        {"status", w.status},
        {"reason", w.reason},
        {"message", w.message},
        {"observedGeneration", status.observed_generation},
        {"lastTransitionTime", turned ? stamp.now : before["lastTransitionTime"].Text()}});
  }
  if (changed) wanted["conditions"] = std::move(conditions);
  return StatusPatch(seen, std::move(wanted), "/status", kMergePatch);
}

std::optional<Patch> WantedQuotaAnnotations(const SeenObject& seen, const QuotaStatus& status) {
  if (status.group != kSigsGroup) return std::nullopt;
  json::object annotations;
  bool is_new = false;
  const std::array<std::pair<const char*, const ResourceList*>, 4> figures{
      {{"runtime", &status.runtime},
       {"request", &status.request},
       {"guaranteed", &status.guaranteed},
       {"allocated", &status.allocated}}};
  for (const auto& [name, amounts] : figures) {
    const std::string key = std::string(kQuotaKeyPrefix) + name;
    const bool is_there = seen.annotations.contains(key);
    if (amounts->empty() && !is_there) continue;
    is_new = is_new || !is_there;
    Want(seen.annotations, key, json::string(json::serialize(Quantities(*amounts))), annotations);
  }
  if (annotations.empty()) return std::nullopt;
  Patch patch{seen.path, kMergePatch, {}};
  patch.body["metadata"] = json::object{{"uid", seen.uid}, {"annotations", std::move(annotations)}};
  return Paced(std::move(patch), !is_new);
}

}  // namespace batholith
