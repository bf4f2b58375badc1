#include "cmd/queue_listing.h"

#include <array>
#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "api/quantity.h"
#include "api/resource_schema.h"
#include "client/http/reply.h"
#include "cmd/kube_pods.h"
#include "cmd/table/tree.h"
#include "codec/json/field.h"

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

// The rows of queues in the order of the tree, with their branches and totals.
TextRows AsTree(const Objects& queues, const TextRows& rows) {
  std::vector<NamedParent> named;
  for (const json::value& queue : queues)
    named.push_back({TextIn(queue, {"metadata", "name"}), TextIn(queue, {"spec", "parent"})});
  const std::vector<TreeLine> lines = DrawTree(named);
  std::vector<ResourceList> totals(lines.size());
  TextRows out(lines.size());
  for (std::size_t i = lines.size(); i-- > 0;) {
    AddTo(totals[i], AllocatedOf(queues[lines[i].index]));
    if (lines[i].parent != TreeLine::kTop) AddTo(totals[lines[i].parent], totals[i]);
    out[i] = rows[lines[i].index];
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
  if (tree) list.head.emplace_back("TOTAL");
  return list;
}

}  // namespace batholith
