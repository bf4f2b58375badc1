#include "cmd/table/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/resource_schema.h"
#include "cmd/output.h"
#include "cmd/table/tree.h"
#include "plugins/common/queue_hierarchy.h"

namespace batholith {
namespace {

// A part of the tree; the first one is the root.
struct Part {
  std::string name;
  std::size_t parent = 0;
  double weight = 1;
  std::string queues;
  ResourceList holds;  // without what is below it
};

std::vector<Part> PartsOf(const RunOutcome& run) {
  std::map<std::string_view, const QueueStatus*> told;
  for (const QueueStatus& queue : run.last.queues) told.emplace(queue.name, &queue);
  std::vector<Part> parts{{"root", 0, 1, {}, {}}};
  std::map<std::pair<std::size_t, std::string>, std::size_t> places;
  for (const QueueRecord& queue : run.objects->queues) {
    std::size_t at = 0;
    for (const HierarchyStep& step : HierarchyPath(queue.meta.annotations)) {
      const auto [it, added] = places.try_emplace({at, step.name}, parts.size());
      if (added) parts.push_back({step.name, at, step.weight, {}, {}});
      at = it->second;
    }
    const auto status = told.find(queue.meta.name);
    if (status != told.end()) AddTo(parts[at].holds, status->second->allocated);
    if (at != 0) parts[at].queues += (parts[at].queues.empty() ? "" : ", ") + queue.meta.name;
  }
  return parts;
}

double ShareOf(const ResourceList& holds, const ResourceList& total) {
  double share = 0;
  for (const auto& [name, amount] : holds) {
    const auto all = total.find(name);
    if (all == total.end() || all->second <= 0) continue;
    share = std::max(share, static_cast<double>(amount) / static_cast<double>(all->second));
  }
  return share;
}

}  // namespace

TextRows HierarchyRows(const RunOutcome& run) {
  const std::vector<Part> parts = PartsOf(run);
  if (parts.size() == 1) return {};
  ResourceList total;
  for (const NodeStatus& node : run.last.nodes) AddTo(total, node.allocatable);
  // By place: parts of one name may stand in several branches.
  const auto id = [](std::size_t part) { return part == 0 ? "root" : std::to_string(part); };
  std::vector<NamedParent> named{{"root", ""}};
  for (std::size_t i = 1; i < parts.size(); ++i) named.push_back({id(i), id(parts[i].parent)});
  const std::vector<TreeLine> lines = DrawTree(named);
  std::vector<ResourceList> holds(lines.size());
  for (std::size_t i = lines.size(); i-- > 0;) {
    AddTo(holds[i], parts[lines[i].index].holds);
    if (lines[i].parent != TreeLine::kTop) AddTo(holds[lines[i].parent], holds[i]);
  }
  TextRows rows{{"NAME", "WEIGHT", "QUEUE", "ALLOCATED", "SHARE"}};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Part& part = parts[lines[i].index];
    rows.push_back({lines[i].branch + part.name, fmt::format("{}", part.weight),
                    part.queues.empty() ? "-" : part.queues, ResourceText(holds[i]),
                    fmt::format("{:.1f}%", 100 * ShareOf(holds[i], total))});
  }
  return rows;
}

}  // namespace batholith
