#include "actions/slack/sources.h"

#include <algorithm>

#include "actions/slack/buffers.h"
#include "actions/slack/mirrors.h"
#include "actions/slack/model/sizing.h"
#include "actions/slack/usage.h"

namespace batholith {
namespace {

constexpr std::string_view kStandard = "std";

std::optional<Shape> SizeBefore(const SlackReport* before) {
  if (before == nullptr) return std::nullopt;
  for (const PlaceholderSource& source : before->sources) {
    if (source.name != kStandard) continue;
    const auto cpu = source.size.find("cpu");
    const auto memory = source.size.find("memory");
    return Shape{cpu == source.size.end() ? 0 : cpu->second,
                 memory == source.size.end() ? 0 : memory->second / kMiB};
  }
  return std::nullopt;
}

void AddRate(const Session& session, const SlackOptions& options,
             const std::vector<bool>& takes_slack, const SlackReport* before,
             std::vector<WantedSource>& out) {
  const Snapshot& snapshot = session.snapshot();
  std::vector<Shape> nodes;
  Shape capacity;
  for (std::size_t n = 0; n < snapshot.nodes.size(); ++n) {
    if (!takes_slack[n]) continue;
    nodes.push_back(NodeShape(snapshot.nodes[n].allocatable));
    capacity = capacity + nodes.back();
  }
  const PodUsage pods = MeasurePods(session);
  SizingInput input;
  input.nodes = nodes;
  input.pods = pods.shapes;
  input.base = options.capacity_base ? capacity : pods.requested;
  input.rate_ppm = options.rate_ppm;
  input.granularity = options.granularity;
  input.max_placeholders = options.max_placeholders;
  input.shape = options.shape;
  input.keep = SizeBefore(before);
  const Sizing sizing = SizeSlack(input);
  for (std::size_t i = 0; i < sizing.special.size(); ++i) {
    WantedSource big;
    big.name = i == 0 ? "big" : "big" + std::to_string(i + 1);
    big.size = ToVector(sizing.special[i]);
    big.count = 1;
    out.push_back(std::move(big));
  }
  WantedSource standard;
  standard.name = kStandard;
  standard.size = ToVector(sizing.size);
  standard.count = sizing.count;
  standard.damped = true;
  out.push_back(std::move(standard));
}

}  // namespace

std::vector<WantedSource> FindSources(Session& session, const SlackOptions& options,
                                      const std::vector<bool>& takes_slack,
                                      const SlackReport* before, SessionBuffers& buffers) {
  std::vector<WantedSource> out = FindMirrors(session);
  if (options.capacity_buffers) buffers.AddSources(out);
  if (options.rate_ppm > 0) AddRate(session, options, takes_slack, before, out);
  return out;
}

}  // namespace batholith
