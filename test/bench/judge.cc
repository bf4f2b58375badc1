#include "test/bench/judge.h"

#include <algorithm>
#include <utility>

#include "test/property/invariants.h"

namespace batholith::bench {
namespace {

// Below this many nodes × pods the exhaustive arg-max is compared too.
constexpr std::size_t kSmall = 2'000'000;

// Never placeholder by placeholder over the nodes.
std::vector<std::string> CheckSlack(const ClusterObjects& objects, const SlackReport& slack) {
  std::size_t bound = slack.sources.size() * objects.nodes.size();
  for (const PlaceholderSource& source : slack.sources) bound += source.nodes.size();
  if (static_cast<std::size_t>(slack.evaluations) <= bound) return {};
  return {"slack asked " + std::to_string(slack.evaluations) + " times, more than " +
          std::to_string(bound)};
}

bool IsReserved(const PodRecord& pod) { return !pod.nominated_node.empty(); }

}  // namespace

void Judge::Record(std::vector<std::string> problems) {
  if (problems_.empty()) problems_ = std::move(problems);
}

void Judge::Check(const ClusterObjects& objects, const Snapshot& snapshot,
                  const CycleResult& result) {
  if (!problems_.empty()) return;
  has_checked_ = true;
  Record(property::CheckResult(objects, result));
  Record(CheckSlack(objects, result.slack));
  if ((is_same_ && compared_) || objects.nodes.size() * objects.pods.size() > kSmall) return;
  if (!result.pipelined.empty() || std::ranges::any_of(objects.pods, IsReserved)) return;
  // Who must stay in a domain gets the best node of it; test/property holds that.
  if (!objects.hyper_nodes.empty()) return;
  if (!problems_.empty()) return;
  compared_ = true;
  Record(property::CheckArgMax(snapshot, pipeline_, result));
}

}  // namespace batholith::bench
