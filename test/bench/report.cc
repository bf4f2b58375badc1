#include "test/bench/report.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "test/bench/statistics.h"

namespace batholith::bench {
namespace {

namespace json = boost::json;

template <typename Part>
std::vector<double> Each(const std::vector<Phases>& runs, Part part) {
  std::vector<double> values;
  for (const Phases& run : runs) values.push_back(std::invoke(part, run));
  return values;
}

json::object SizesOf(const Settings& s) {
  const Sizes& z = s.sizes;
  json::object out{{"scenario", s.scenario},
                   {"nodes", z.nodes},
                   {"pods", z.pods},
                   {"gang", z.gang},
                   {"min_member", z.min_member},
                   {"oversized", z.oversized},
                   {"classes", z.classes},
                   {"queues", z.queues},
                   {"namespaces", z.namespaces},
                   {"running", z.running},
                   {"changes", z.changes},
                   {"node_changes", z.node_changes},
                   {"quotas", z.quotas},
                   {"node_groups", z.node_groups},
                   {"seed", z.seed},
                   {"threads", s.measure.threads},
                   {"repeat", s.measure.repeat}};
  if (z.trace != nullptr) {
    out["pod_list"] = s.pod_list;
    out["scale"] = z.scale;
  }
  return out;
}

std::string ChecksOf(const Settings& s, const Measurement& m) {
  if (!s.measure.check) return "off";
  return m.problems.empty() ? "ok" : "failed: " + m.problems.front();
}

std::int64_t PerSecond(std::size_t count, double seconds) {
  return seconds > 0 ? std::llround(static_cast<double>(count) / seconds) : 0;
}

}  // namespace

json::object Report(const Settings& s, const Measurement& m) {
  const Scenario& scenario = ScenarioOf(s);
  json::object out = SizesOf(s);
  const std::vector<double> total =
      scenario.to_decision ? Each(m.runs, &Phases::ToDecision) : Each(m.runs, &Phases::Total);
  const double median = Median(total);
  const std::vector<double> cpu = Each(m.runs, &Phases::cpu);
  out["warmup"] = {{"sessions", s.measure.warmup}, {"prepares", WarmupOf(scenario.course)}};
  out["sessions"] = m.sessions;
  out["seconds"] = Spread(total);
  out["cpu_seconds"] = Spread(cpu);
  out["placed"] = m.placed;
  out["evicted"] = m.evicted;
  out["events"] = m.events;
  out["still_sessions"] = m.still;
  out["placements_per_s"] = PerSecond(m.placed, median);
  out["evictions_per_s"] = PerSecond(m.evicted, median);
  if (scenario.course == Course::kIngest)
    out["events_per_cpu_s"] = PerSecond(m.events, Median(cpu));
  out["phase_seconds"] = {{"apply", Median(Each(m.runs, &Phases::apply))},
                          {"snapshot", Median(Each(m.runs, &Phases::snapshot))},
                          {"open", Median(Each(m.runs, &Phases::open))},
                          {"actions", Median(Each(m.runs, &Phases::actions))},
                          {"close", Median(Each(m.runs, &Phases::close))},
                          {"assume", Median(Each(m.runs, &Phases::assume))}};
  if (m.allocations) out["allocations"] = *m.allocations;
  for (const auto& [name, value] : m.more) out[name] = value;
  out["peak_rss_bytes"] = m.peak_rss_bytes;
  out["decisions"] = fmt::format("{:016x}", m.decisions);
  out["checks"] = ChecksOf(s, m);
  return out;
}

}  // namespace batholith::bench
