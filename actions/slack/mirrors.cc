#include "actions/slack/mirrors.h"

#include <map>
#include <optional>
#include <string_view>

#include "api/value_text.h"

namespace batholith {
namespace {

constexpr std::string_view kMirror = "slack.batholith.dev/mirror";
constexpr std::int64_t kMostMirrors = 100'000;

std::optional<std::int64_t> ParseCount(const std::string& text) {
  const std::optional<std::int64_t> n = ParseNumber<std::int64_t>(text);
  return n && *n >= 0 && *n <= kMostMirrors ? n : std::nullopt;
}

// 0 where there is nothing to mirror.
std::int64_t MirrorsOf(Session& session, const char* kind, const ObjectMeta& meta) {
  const auto it = meta.annotations.find(kMirror);
  if (it == meta.annotations.end()) return 0;
  const std::optional<std::int64_t> n = ParseCount(it->second);
  if (!n) {
    session.result().notices.push_back(std::string(kind) + " " + meta.Key() + ": annotation " +
                                       std::string(kMirror) + ": \"" + it->second +
                                       "\" is not a number from 0 to 100000");
  }
  return n.value_or(0);
}

WantedSource Mirror(const Session& session, std::string name, std::int64_t count,
                    TaskIndex sample) {
  return {.name = std::move(name),
          .size = session.snapshot().task(sample).request,
          .count = count,
          .constraints = {sample}};
}

void AddGroups(Session& session, std::vector<WantedSource>& out) {
  const Snapshot& snapshot = session.snapshot();
  for (const JobFacts& job : snapshot.jobs) {
    const std::int64_t n = MirrorsOf(session, "PodGroup", job.record->meta);
    if (n == 0) continue;
    std::map<std::uint32_t, TaskIndex> youngest;  // by role
    for (const TaskIndex task : job.tasks) youngest[snapshot.task(task).role] = task;
    for (const auto& [role, task] : youngest) {
      const std::string& role_name = job.roles.empty() ? "" : job.roles[role].name;
      std::string name = "mirror/" + job.key;
      if (youngest.size() > 1) name += "/" + role_name;
      out.push_back(Mirror(session, std::move(name), n, task));
    }
  }
}

void AddOwners(Session& session, std::vector<WantedSource>& out) {
  const Snapshot& snapshot = session.snapshot();
  std::map<std::string, TaskIndex> youngest;  // by namespace/owner, or pod
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const ObjectMeta& meta = snapshot.tasks[t].record->meta;
    if (snapshot.tasks[t].sample) continue;
    if (meta.annotations.empty() || !meta.annotations.contains(kMirror)) continue;
    const std::string& owner = meta.owner->name.empty() ? meta.name : meta.owner->name;
    youngest[meta.namespace_ + "/" + owner] = TaskIndex(t);
  }
  for (const auto& [owner, task] : youngest) {
    const std::int64_t n = MirrorsOf(session, "Pod", snapshot.task(task).record->meta);
    if (n > 0) out.push_back(Mirror(session, "mirror/pods/" + owner, n, task));
  }
}

}  // namespace

std::vector<WantedSource> FindMirrors(Session& session) {
  std::vector<WantedSource> out;
  AddGroups(session, out);
  AddOwners(session, out);
  return out;
}

}  // namespace batholith
