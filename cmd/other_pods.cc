#include "cmd/other_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "api/did_you_mean.h"
#include "api/printable.h"

namespace batholith {
namespace {

constexpr std::size_t kNamed = 3;

bool HasEnded(const PodRecord& pod) {
  return pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
}

std::string Names(const std::vector<std::string>& keys) {
  std::string out;
  for (std::size_t i = 0; i < keys.size() && i < kNamed; ++i) out += (i == 0 ? "" : ", ") + keys[i];
  if (keys.size() > kNamed) out += fmt::format(" and {} more", keys.size() - kNamed);
  return out;
}

}  // namespace

std::vector<OtherPods> PodsOfOthers(const ClusterObjects& objects,
                                    const std::vector<std::string>& ours) {
  std::map<std::string, OtherPods> by_name;
  for (const PodRecord& pod : objects.pods) {
    if (std::ranges::find(ours, pod.scheduler_name) != ours.end() || HasEnded(pod)) continue;
    OtherPods& others = by_name[pod.scheduler_name];
    ++others.pods;
    if (pod.node_name.empty()) others.waiting.push_back(pod.meta.Key());
  }
  std::vector<OtherPods> out;
  for (auto& [name, others] : by_name) {
    others.scheduler = name;
    out.push_back(std::move(others));
  }
  return out;
}

std::string OtherPodsText(const std::vector<OtherPods>& others,
                          const std::vector<std::string>& ours) {
  const std::vector<std::string_view> names(ours.begin(), ours.end());
  std::string out;
  for (const OtherPods& o : others) {
    std::string line = fmt::format("{}: {} pod{}", o.scheduler, o.pods, o.pods == 1 ? "" : "s");
    if (!o.waiting.empty())
      line += fmt::format(", {} without a place ({})", o.waiting.size(), Names(o.waiting));
    out += "  " + OneLine(line + DidYouMean(o.scheduler, names)) + "\n";
  }
  return out;
}

}  // namespace batholith
