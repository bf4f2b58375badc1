#include <algorithm>
#include <map>
#include <string>

#include "sim/scenario/expect_field.h"
#include "sim/scenario/expect_values.h"

namespace batholith {
namespace {

void CompareCount(const Field& expected, std::int64_t got, std::vector<Failure>& out) {
  if (!CountHolds(expected, got))
    out.push_back({expected.path() + " " + CountText(expected), std::to_string(got)});
}

void ComparePlaces(const Field& expected, const std::map<std::string, std::string>& got,
                   std::vector<Failure>& out) {
  for (const auto& [name, place] : expected.Entries()) {
    const auto it = got.find(name);
    if (!place.present()) {
      if (it != got.end() && !it->second.empty())
        out.push_back({place.path() + " has no place", it->second});
    } else if (it == got.end()) {
      out.push_back({place.path(), "no such placeholder"});
    } else {
      CompareText(place, it->second, out);
    }
  }
}

// The placeholders of the last session.
struct Placeholders {
  std::map<std::string, std::string> places;  // by name; empty: no place
  ResourceList size;                          // of the standard ones
};

Placeholders PlaceholdersOf(const SlackReport& slack) {
  Placeholders out;
  for (const PlaceholderSource& source : slack.sources) {
    if (source.name == "std") out.size = source.size;
    for (std::size_t i = 0; i < source.nodes.size(); ++i)
      out.places[source.PlaceholderName(i)] = source.nodes[i];
  }
  return out;
}

constexpr ExpectField<Placeholders> kPlaceholders[] = {
    {"count", Shape::kCount,
     [](const Expected& e, const Placeholders& p) {
       CompareCount(e.value, std::ssize(p.places), e.failures);
     }},
    {"unplaced", Shape::kCount,
     [](const Expected& e, const Placeholders& p) {
       const auto unplaced =
           std::ranges::count_if(p.places, [](const auto& place) { return place.second.empty(); });
       CompareCount(e.value, unplaced, e.failures);
     }},
    {"size", Shape::kResources,
     [](const Expected& e, const Placeholders& p) {
       CompareResources(e.value, p.size, e.failures);
     }},
    {"pods", Shape::kLabels, [](const Expected& e, const Placeholders& p) {
       ComparePlaces(e.value, p.places, e.failures);
     }}};

template <auto Member>
void GroupCount(const Expected& e, const NodeGroupStatus& group) {
  CompareCount(e.value, group.*Member, e.failures);
}

constexpr ExpectField<NodeGroupStatus> kNodeGroup[] = {
    {"current", Shape::kCount, GroupCount<&NodeGroupStatus::current>},
    {"target", Shape::kCount, GroupCount<&NodeGroupStatus::target>},
    {"recommended", Shape::kCount, GroupCount<&NodeGroupStatus::recommended>},
    {"reason", Shape::kScalars, [](const Expected& e, const NodeGroupStatus& group) {
       if (group.reason.find(Written(e.value)) == std::string::npos)
         e.failures.push_back({e.value.path() + " has " + Written(e.value), group.reason});
     }}};

void CheckPlaceholders(const Expected& e) {
  CheckBlock(kPlaceholders, e, PlaceholdersOf(e.run.last.slack));
}

Found<NodeGroupStatus> FindNodeGroup(const RunOutcome& run, const std::string& name) {
  const std::vector<NodeGroupStatus>& groups = run.last.autoscale.groups;
  return FoundAt(std::ranges::find(groups, name, &NodeGroupStatus::name), groups, "no such group");
}

constexpr char kNodeGroupNoun[] = "node group";

constexpr Expectation kSlackRows[] = {
    {"placeholders", [](const Field& value) { CheckBlockShape(kPlaceholders, value); },
     CheckPlaceholders},
    {"nodeGroups", NamedShape<kNodeGroup>, CheckNamed<kNodeGroup, FindNodeGroup, kNodeGroupNoun>}};

}  // namespace

std::span<const Expectation> SlackExpectations() { return kSlackRows; }

}  // namespace batholith
