#include "cmd/output_slack.h"

#include <fmt/format.h>

#include <map>

#include "cmd/output.h"
#include "codec/encode_parts.h"

namespace batholith {

namespace json = boost::json;

json::object PlaceholdersJson(const SlackReport& slack) {
  std::size_t count = 0;
  std::size_t unplaced = 0;
  json::object size;
  json::object pods;
  json::array sources;
  for (const PlaceholderSource& source : slack.sources) {
    if (source.name == "std") size = Quantities(source.size);
    std::size_t without = 0;
    for (std::size_t i = 0; i < source.nodes.size(); ++i) {
      if (source.nodes[i].empty()) {
        ++without;
      } else {
        pods[source.PlaceholderName(i)] = source.nodes[i];
      }
    }
    count += source.nodes.size();
    unplaced += without;
    sources.push_back({{"name", source.name},
                       {"size", Quantities(source.size)},
                       {"count", source.nodes.size()},
                       {"unplaced", without},
                       {"reason", source.reason}});
  }
  return {{"count", count},
          {"unplaced", unplaced},
          {"size", std::move(size)},
          {"pods", std::move(pods)},
          {"sources", std::move(sources)}};
}

json::array NodeGroupsJson(const CycleResult& last) {
  json::array out;
  for (const NodeGroupStatus& group : last.autoscale.groups) {
    out.push_back({{"name", group.name},
                   {"min", group.min},
                   {"max", group.max},
                   {"current", group.current},
                   {"target", group.target},
                   {"recommended", group.recommended},
                   {"forPods", group.for_pods},
                   {"forSlack", group.for_slack},
                   {"reason", group.reason}});
  }
  return out;
}

TextRows PlaceholderRows(const SlackReport& slack) {
  TextRows rows{{"SOURCE", "SIZE", "WANTED", "PLACED", "WHERE"}};
  for (const PlaceholderSource& source : slack.sources) {
    std::map<std::string, int> on_node;
    for (const std::string& node : source.nodes) {
      if (!node.empty()) ++on_node[node];
    }
    int placed = 0;
    std::string where;
    for (const auto& [node, n] : on_node) {
      placed += n;
      if (where.size() < 60) where += (where.empty() ? "" : ", ") + fmt::format("{} x{}", node, n);
    }
    if (where.size() >= 60) where += " …";
    if (!source.reason.empty()) where += (where.empty() ? "" : "; ") + source.reason;
    rows.push_back({source.name, ResourceText(source.size), std::to_string(source.nodes.size()),
                    std::to_string(placed), where.empty() ? "-" : where});
  }
  return rows;
}

TextRows NodeGroupRows(const CycleResult& last) {
  TextRows rows{{"NAME", "MIN", "MAX", "CURRENT", "TARGET", "RECOMMENDED", "WHY"}};
  for (const NodeGroupStatus& group : last.autoscale.groups) {
    rows.push_back({group.name, std::to_string(group.min), std::to_string(group.max),
                    std::to_string(group.current), std::to_string(group.target),
                    std::to_string(group.recommended), group.reason});
  }
  return rows;
}

}  // namespace batholith
