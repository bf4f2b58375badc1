#include "client/write/wanted_gang.h"

#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "api/disruption_target.h"
#include "client/http/json_request.h"
#include "client/write/status_parts.h"
#include "client/write/without_numbers.h"
#include "codec/encode_parts.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace json = boost::json;

// What the session said: True once the gang has its places, False while it has none and why; empty:
// nothing yet.
JobCondition WantedCondition(const JobStatus& status, std::string type) {
  for (const JobCondition& c : status.conditions) {
    if (c.type == "Scheduled" && c.status == "True")
      return {std::move(type), "True", "Scheduled", "the pods that it needs have their nodes"};
    if (c.type == "Unschedulable" && c.status == "True")
      return {std::move(type), "False", "Unschedulable", c.message};
  }
  return {};
}

// That the group was evicted whole; empty: it was not.
JobCondition FindDisruption(const std::vector<JobCondition>& conditions) {
  const auto it = std::ranges::find(conditions, kDisruptionTarget, &JobCondition::type);
  return it == conditions.end() ? JobCondition() : *it;
}

// As the controller of the coscheduling plugin computes it.
std::string_view PhaseOf(const SeenObject& seen, const JobStatus& status) {
  const std::string before = Field::Glance(seen.status)["phase"].Text();
  std::int64_t pods = 0;
  for (const auto& [name, count] : status.tasks) pods += count;
  const std::int64_t running = CountOf(status, "Running");
  const std::int64_t succeeded = CountOf(status, "Succeeded");
  const std::int64_t failed = CountOf(status, "Failed");
  const std::int64_t min = status.min_member;
  if (before == "Finished" || before == "Failed") return before == "Failed" ? "Failed" : "Finished";
  if (pods < min || pods == 0) return "Pending";
  if (failed > 0 && failed + running + succeeded >= min) return "Failed";
  if (succeeded > 0 && succeeded >= min) return "Finished";
  if (running + succeeded >= min) return "Running";
  const std::int64_t placed = running + succeeded + CountOf(status, "Bound");
  return placed >= min ? "Scheduled" : "Scheduling";
}

}  // namespace

std::string GroupOfJob(const std::string& job_key) {
  const std::size_t api = job_key.find('@');
  if (api == std::string::npos) return job_key;
  return job_key.substr(0, job_key.find('/', api));
}

std::optional<Patch> WantedKubernetesGroup(const SeenObject& seen, const JobStatus& status,
                                           const WriteStamp& stamp) {
  const bool old = seen.api_version.ends_with("/v1alpha2");
  const std::string placed = old ? "PodGroupScheduled" : "PodGroupInitiallyScheduled";
  bool only_numbers = true;
  json::object changed;  // by type
  for (const JobCondition& wanted :
       {WantedCondition(status, placed), FindDisruption(status.conditions)}) {
    const Field before = FindCondition(seen.status, wanted.type);
    // Whether it was placed never leaves True.
    const bool settled = wanted.type == placed && before["status"].Text() == "True";
    if (wanted.type.empty() || settled || SaysTheSame(before, wanted)) continue;
    // Where each pod starts alone, one that waits does not speak for the group.
    if (wanted.status != "True" && GroupOfJob(status.key) != status.key) continue;
    const bool turned = before["status"].Text() != wanted.status;
    only_numbers = only_numbers && !turned && before["reason"].Text() == wanted.reason &&
                   WithoutNumbers(before["message"].Text()) == WithoutNumbers(wanted.message);
    changed[wanted.type] = json::object{
        {"type", wanted.type},
        {"status", wanted.status},
        {"reason", wanted.reason},
        {"message", wanted.message},
        {"lastTransitionTime", turned ? stamp.now : before["lastTransitionTime"].Text(stamp.now)}};
  }
  if (changed.empty()) return std::nullopt;
  json::array conditions;
  for (const Field& c : Field::Glance(seen.status)["conditions"].Items()) {
    if (!changed.contains(c["type"].Text())) conditions.push_back(*c.value());
  }
  for (const auto& [type, condition] : changed) conditions.push_back(condition);
  std::optional<Patch> patch =
      StatusPatch(seen, {{"conditions", std::move(conditions)}}, "/status", kMergePatch);
  patch->may_wait = only_numbers;
  return patch;
}

std::optional<Patch> WantedCoschedulingGroup(const SeenObject& seen, const JobStatus& status) {
  json::object wanted;
  const Field has = Field::Glance(seen.status);
  const std::string phase(PhaseOf(seen, status));
  const bool turns = has["phase"].Text() != phase;
  if (turns) wanted["phase"] = phase;
  // Newer definitions have no `scheduled` and drop it: alone it is no reason to write.
  const std::int64_t scheduled =
      CountOf(status, "Running") + CountOf(status, "Succeeded") + CountOf(status, "Bound");
  for (const auto& [field, n] : {std::pair{"running", CountOf(status, "Running")},
                                 {"succeeded", CountOf(status, "Succeeded")},
                                 {"failed", CountOf(status, "Failed")},
                                 {"scheduled", scheduled}}) {
    const bool is_there = has[field].present();
    const bool is_new = field == std::string_view("scheduled") ? turns && n != 0 : n != 0;
    if ((is_there || is_new) && has[field].Int(0, 0, INT64_MAX) != n) wanted[field] = n;
  }
  std::optional<Patch> patch = StatusPatch(seen, std::move(wanted), "/status", kMergePatch);
  if (patch) patch->may_wait = !turns && has["phase"].present();
  return patch;
}

}  // namespace batholith
