#include "cmd/metrics/slack_series.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cmd/metrics/amounts.h"

namespace batholith {
namespace {

constexpr std::string_view kBuffer = "buffer/";

struct PlacedCount {
  std::int64_t placed = 0;
  std::int64_t unplaced = 0;
};

PlacedCount CountOf(const PlaceholderSource& source) {
  const std::int64_t unplaced = std::ranges::count(source.nodes, std::string());
  return {static_cast<std::int64_t>(source.nodes.size()) - unplaced, unplaced};
}

// big of big2, mirror of mirror/namespace/name.
std::string ClassOf(const PlaceholderSource& source) {
  return source.name.substr(0, source.name.find_first_of("/0123456789"));
}

// What one of the lists names is told of all, so that it falls to 0 and does not vanish.
void TellAmounts(Series& series, const SlackReport& report) {
  const std::pair<Metric, const ResourceList&> lists[] = {
      {Metric::kSlackDesired, report.desired},
      {Metric::kSlackReserved, report.reserved},
      {Metric::kSlackUnmet, report.unmet},
  };
  std::set<std::string> resources = {"cpu", "memory"};
  for (const auto& [metric, list] : lists) {
    for (const auto& [resource, amount] : list) resources.insert(resource);
  }
  for (const auto& [metric, list] : lists) {
    for (const std::string& resource : resources)
      series.Set(metric, {resource}, WholeAmountOf(list, resource));
  }
}

void TellPlaceholders(Series& series, const SlackReport& report) {
  std::map<std::string, PlacedCount> classes = {
      {"std", {}}, {"big", {}}, {"mirror", {}}, {"buffer", {}}};
  std::size_t buffers = 0;
  for (const PlaceholderSource& source : report.sources) {
    const PlacedCount count = CountOf(source);
    PlacedCount& sum = classes[ClassOf(source)];
    sum.placed += count.placed;
    sum.unplaced += count.unplaced;
    if (!source.name.starts_with(kBuffer) || ++buffers > kMostBuffersTold) continue;
    const std::string key = source.name.substr(kBuffer.size());
    const std::size_t slash = key.find('/');
    const std::string namespace_ = key.substr(0, slash);
    const std::string name = key.substr(slash + 1);
    series.Set(Metric::kSlackBufferReplicas, {namespace_, name, "wanted"},
               static_cast<double>(source.nodes.size()));
    series.Set(Metric::kSlackBufferReplicas, {namespace_, name, "ready"},
               static_cast<double>(count.placed));
  }
  for (const auto& [name, count] : classes) {
    series.Set(Metric::kSlackPlaceholders, {name, "placed"}, static_cast<double>(count.placed));
    series.Set(Metric::kSlackPlaceholders, {name, "unplaced"}, static_cast<double>(count.unplaced));
  }
}

// A rate needs its 0.
void BeginCounters(Series& series, const std::string& group) {
  for (const char* reason : {"pods", "slack", "min_size"})
    series.Add(Metric::kScaleUpNodes, {group, reason}, 0);
  for (const std::string_view reason : kScaleUpFailures)
    series.Add(Metric::kScaleUpFailed, {group, std::string(reason)}, 0);
  for (const char* reason : {"empty", "underutilized", "unready"})
    series.Add(Metric::kScaleDownNodes, {group, reason}, 0);
}

void TellGroup(Series& series, const NodeGroupStatus& group, const AutoscaleMemory& memory) {
  series.Set(Metric::kNodeGroupNodes, {group.name, "current"}, group.current);
  series.Set(Metric::kNodeGroupNodes, {group.name, "target"}, group.target);
  series.Set(Metric::kNodeGroupNodes, {group.name, "recommended"}, group.recommended);
  series.Set(Metric::kNodeGroupNodes, {group.name, "min"}, group.min);
  series.Set(Metric::kNodeGroupNodes, {group.name, "max"}, group.max);
  const auto known = memory.groups.find(group.name);
  const bool backed_off = known != memory.groups.end() &&
                          IsBackedOff(known->second.backoff, memory.last_decision.value_or(0));
  series.Set(Metric::kNodeGroupBackoff, {group.name}, backed_off ? 1 : 0);
}

void CountOrder(Series& series, const NodeGroupOrder& order, const NodeGroupStatus& group) {
  series.Add(Metric::kScaleUpNodes, {order.group, "pods"}, group.for_pods);
  series.Add(Metric::kScaleUpNodes, {order.group, "slack"}, group.for_slack);
  series.Add(Metric::kScaleUpNodes, {order.group, "min_size"}, group.for_min_size);
  for (const std::string& reason : order.removal_reasons)
    series.Add(Metric::kScaleDownNodes, {order.group, reason}, 1);
}

}  // namespace

void TellSlack(Series& series, const SlackReport& report) {
  if (!report.ran) return;
  TellAmounts(series, report);
  TellPlaceholders(series, report);
  const std::pair<const char*, std::int64_t> moves[] = {{"pushed_out", report.pushed_out},
                                                        {"node_gone", report.node_gone},
                                                        {"resized", report.resized},
                                                        {"trimmed", report.trimmed}};
  for (const auto& [reason, count] : moves)
    series.Add(Metric::kSlackMoves, {reason}, static_cast<double>(count));
  series.Add(Metric::kSlackEvaluations, {}, static_cast<double>(report.evaluations));
}

void TellNodeGroups(Series& series, const AutoscaleReport& report) {
  if (!report.ran) return;
  std::map<std::string_view, const NodeGroupOrder*> orders;
  for (const NodeGroupOrder& order : report.orders) orders[order.group] = &order;
  for (const NodeGroupStatus& group : report.groups) {
    TellGroup(series, group, report.memory);
    BeginCounters(series, group.name);
    const auto order = orders.find(group.name);
    if (order != orders.end()) CountOrder(series, *order->second, group);
  }
  series.Set(Metric::kScaleDownUnneeded, {}, report.unneeded);
  for (const auto& [reason, nodes] : report.blocked)
    series.Set(Metric::kScaleDownBlocked, {reason}, nodes);
}

}  // namespace batholith
