#include "cmd/autoscale_log.h"

#include <utility>

#include "api/log.h"

namespace batholith {

void AutoscaleLog::Tell(const AutoscaleReport& report) {
  const std::map<std::string, std::string> groups = std::exchange(groups_, {});
  for (const NodeGroupStatus& group : report.groups) {
    const auto before = groups.find(group.name);
    if (before == groups.end() || before->second != group.reason)
      Log(LogLevel::kInfo, "node group", {{"is", group.reason}});
    groups_[group.name] = group.reason;
  }
  const std::set<std::string> notes = std::exchange(notes_, {});
  for (const std::string& note : report.notes) {
    if (notes_.insert(note).second && !notes.contains(note))
      Log(LogLevel::kInfo, "autoscale", {{"note", note}});
  }
}

}  // namespace batholith
