#include "verify/expect_slack.h"

#include <algorithm>
#include <map>
#include <string>

#include "verify/expect_values.h"
#include "verify/fields.h"

namespace batholith {
namespace {

namespace json = boost::json;

void CompareCount(const json::value& expected, std::int64_t got, const std::string& what,
                  std::vector<Failure>& out) {
  if (!CountHolds(expected, got))
    out.push_back({what + " " + CountText(expected), std::to_string(got)});
}

void ComparePlaces(const json::object& expected, const std::map<std::string, std::string>& got,
                   std::vector<Failure>& out) {
  for (const auto& entry : expected) {
    const std::string name(entry.key());
    const std::string what = "placeholders.pods." + name;
    const auto it = got.find(name);
    if (entry.value().is_null()) {
      if (it != got.end() && !it->second.empty())
        out.push_back({what + " has no place", it->second});
    } else if (it == got.end()) {
      out.push_back({what, "no such placeholder"});
    } else {
      CompareText(entry.value(), it->second, what, out);
    }
  }
}

}  // namespace

void CheckPlaceholders(const json::object& expected, const RunOutcome& outcome,
                       std::vector<Failure>& out) {
  const SlackReport& slack = outcome.last.slack;
  std::map<std::string, std::string> places;
  ResourceList size;
  for (const PlaceholderSource& source : slack.sources) {
    if (source.name == "std") size = source.size;
    for (std::size_t i = 0; i < source.nodes.size(); ++i)
      places[source.PlaceholderName(i)] = source.nodes[i];
  }
  const auto unplaced =
      std::ranges::count_if(places, [](const auto& place) { return place.second.empty(); });
  for (const auto& field : expected) {
    const std::string what = "placeholders." + std::string(field.key());
    if (field.key() == "count")
      CompareCount(field.value(), static_cast<std::int64_t>(places.size()), what, out);
    if (field.key() == "unplaced") CompareCount(field.value(), unplaced, what, out);
    if (field.key() == "size") CompareResources(field.value(), size, what, out);
    if (field.key() == "pods") ComparePlaces(field.value().as_object(), places, out);
  }
}

void CheckNodeGroups(const json::object& expected, const RunOutcome& outcome,
                     std::vector<Failure>& out) {
  const std::vector<NodeGroupStatus>& groups = outcome.last.autoscale.groups;
  for (const auto& entry : expected) {
    const std::string name(entry.key());
    const auto group = std::ranges::find(groups, name, &NodeGroupStatus::name);
    if (group == groups.end()) {
      out.push_back({"node group " + name, "no such group"});
      continue;
    }
    for (const auto& field : entry.value().as_object()) {
      const std::string what = "nodeGroups." + name + "." + std::string(field.key());
      if (field.key() == "current") CompareCount(field.value(), group->current, what, out);
      if (field.key() == "target") CompareCount(field.value(), group->target, what, out);
      if (field.key() == "recommended") CompareCount(field.value(), group->recommended, what, out);
      if (field.key() == "reason" &&
          group->reason.find(ScalarText(field.value())) == std::string::npos) {
        out.push_back({what + " has " + ScalarText(field.value()), group->reason});
      }
    }
  }
}

}  // namespace batholith
