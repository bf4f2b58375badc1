#include "cmd/queue_listing.h"

#include <fmt/format.h>

#include <array>
#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/quantity.h"
#include "api/resource_schema.h"
#include "client/http/reply.h"
#include "cmd/kube_pods.h"
#include "cmd/table/tree.h"
#include "codec/json/field.h"
#include "plugins/common/queue_hierarchy.h"

namespace batholith {
namespace {

namespace json = boost::json;

// vcctl's order of the columns.
constexpr std::array kPhases{"Inqueue", "Pending", "Running", "Unknown", "Completed"};

TextRows QueueCells(const Objects& queues, const Objects& groups, bool wide) {
  GroupCounts counts = CountGroups(groups);
  TextRows rows;
  for (const json::value& queue : queues) {
    const std::string name = TextIn(queue, {"metadata", "name"});
    rows.push_back({name, CellAt(queue, {"spec", "weight"}, "1"),
                    CellAt(queue, {"status", "state"}, "Open"), CellAt(queue, {"spec", "parent"})});
    auto& row = rows.back();
    for (const char* phase : kPhases) row.push_back(std::to_string(counts[name][phase]));
    if (!wide) continue;
    row.push_back(CellAt(queue, {"spec", "reclaimable"}, "true"));
    row.push_back(AmountsAt(queue, {"spec", "guarantee", "resource"}));
    row.push_back(AmountsAt(queue, {"spec", "deserved"}));
    row.push_back(AmountsAt(queue, {"spec", "capability"}));
    row.push_back(AmountsAt(queue, {"status", "allocated"}));
  }
  return rows;
}

ResourceList AllocatedOf(const json::value& queue) {
  return FieldIn(queue, {"status", "allocated"}).Bounds();
}

std::string AmountsText(const ResourceList& list) {
  std::string out;
  for (const auto& [name, amount] : list)
    out += (out.empty() ? "" : ",") + name + "=" + FormatQuantity(amount, name);
  return out.empty() ? "-" : out;
}

std::vector<HierarchyStep> HierarchyPathOf(const json::value& queue) {
  Labels annotations;
  for (const char* key : {kHierarchyAnnotation, kHierarchyWeightsAnnotation}) {
    if (std::string text = TextIn(queue, {"metadata", "annotations", key}); !text.empty())
      annotations[key] = std::move(text);
  }
  return HierarchyPath(annotations);
}

// The lines of a tree before it is drawn: the queues, then the parts of the tree of hierarchical
// DRF at which no queue stands.
struct TreeParts {
  std::vector<NamedParent> named;
  TextRows rows;

  TreeParts(const Objects& queues, const TextRows& cells) : rows(cells) {
    std::vector<std::size_t> at(queues.size(), 0);  // where in the hierarchy; 0: at its root
    std::vector<std::string> ids{""};               // by part: of its line; empty: it has none yet
    std::vector<std::pair<std::size_t, HierarchyStep>> parts(1);  // with their parents
    std::map<std::pair<std::size_t, std::string>, std::size_t> places;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const std::string name = TextIn(queues[i], {"metadata", "name"});
      named.push_back({name, TextIn(queues[i], {"spec", "parent"})});
      rows[i].emplace_back("-");
      if (!named[i].parent.empty()) continue;
      for (const HierarchyStep& step : HierarchyPathOf(queues[i])) {
        const auto [it, added] = places.try_emplace({at[i], step.name}, parts.size());
        if (added) parts.emplace_back(at[i], step);
        at[i] = it->second;
      }
      ids.resize(parts.size());
      if (at[i] == 0) continue;
      rows[i].back() = fmt::format("{}", parts[at[i]].second.weight);
      if (ids[at[i]].empty()) ids[at[i]] = name;
    }
    for (std::size_t part = 1; part < parts.size(); ++part) {
      if (!ids[part].empty()) continue;
      const HierarchyStep& step = parts[part].second;
      ids[part] = "/" + std::to_string(part);  // no queue is called so
      named.push_back({ids[part], ids[parts[part].first]});
      rows.emplace_back(rows.front().size(), "-").front() = step.name;
      rows.back().back() = fmt::format("{}", step.weight);
    }
    for (std::size_t i = 0; i < queues.size(); ++i) {
      if (at[i] != 0) named[i].parent = ids[parts[at[i]].first];
    }
  }
};

// The rows of queues in the order of the tree, with their branches and totals.
TextRows AsTree(const Objects& queues, const TextRows& cells) {
  TreeParts parts(queues, cells);
  const std::vector<TreeLine> lines = DrawTree(parts.named);
  std::vector<ResourceList> totals(lines.size());
  TextRows out(lines.size());
  for (std::size_t i = lines.size(); i-- > 0;) {
    const std::size_t at = lines[i].index;
    if (at < queues.size()) AddTo(totals[i], AllocatedOf(queues[at]));
    if (lines[i].parent != TreeLine::kTop) AddTo(totals[lines[i].parent], totals[i]);
    out[i] = std::move(parts.rows[at]);
    out[i].front() = lines[i].branch + out[i].front();
    out[i].push_back(AmountsText(totals[i]));
  }
  return out;
}

}  // namespace

ListOf QueueListing(const KubeRun& run) {
  const bool wide = run.wide() || run.flags.output == "tree";
  const bool tree = run.flags.output == "tree";
  ListOf list{"queues",
              KindsNamed({"Queue"}),
              KindsNamed({"PodGroup"}),
              {"NAME", "WEIGHT", "STATE", "PARENT", "INQUEUE", "PENDING", "RUNNING", "UNKNOWN",
               "COMPLETED"},
              [wide, tree](const Objects& queues, const Objects& groups) {
                const TextRows rows = QueueCells(queues, groups, wide);
                return tree ? AsTree(queues, rows) : rows;
              },
              {}};
  if (wide) {
    for (const char* column : {"RECLAIMABLE", "GUARANTEE", "DESERVED", "CAPABILITY", "ALLOCATED"})
      list.head.emplace_back(column);
  }
  if (tree) list.head.insert(list.head.end(), {"HIERARCHY WEIGHT", "TOTAL"});
  return list;
}

}  // namespace batholith
