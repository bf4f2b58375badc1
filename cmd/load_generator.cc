#include "cmd/load_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "api/quantity.h"
#include "api/value_text.h"
#include "codec/pod.h"

namespace batholith {
namespace {

Result<void> SetPart(const std::string& name, const std::string& value, LoadSpec& out) {
  const auto bad = [&](const char* wanted) {
    return Invalid("--load " + name + "=" + value + ": " + wanted);
  };
  if (name == "every" || name == "lifetime") {
    const auto duration = ParseGoDuration(value);
    if (!duration || duration->count() < (name == "every" ? 1 : 0))
      return bad("must be a duration, such as 30s");
    (name == "every" ? out.every_ns : out.lifetime_ns) = duration->count();
  } else if (name == "queue") {
    out.queue = value;
  } else if (name == "namespace") {
    out.namespace_ = value;
  } else if (name == "jobs" || name == "tasks" || name == "minMember" || name == "seed") {
    const auto number = ParseInt(value);
    if (!number || *number < 0 || *number > kMostPods) return bad("must be 0 to 1000000");
    if (name == "jobs") out.jobs = *number;
    if (name == "tasks") out.tasks = *number;
    if (name == "minMember") out.min_member = *number;
    if (name == "seed") out.seed = static_cast<std::uint64_t>(*number);
  } else if (name == "cpu" || name == "memory" || name.contains('/')) {
    const auto amount = ParseQuantity(value, ResourceScale(name));
    if (!amount || *amount < 0) return bad("must be an amount");
    out.request[name] = *amount;
  } else {
    return Invalid("--load: unknown part \"" + name +
                   "\"; there are every, jobs, tasks, minMember, cpu, memory, any vendor/resource, "
                   "lifetime, queue, namespace, seed");
  }
  return {};
}

std::string JobName(std::int64_t job) { return "load-" + std::to_string(job); }

void AddJob(const LoadSpec& load, std::int64_t job, TimeNs at, ClusterObjects& out) {
  PodGroupRecord group;
  group.meta.name = JobName(job);
  group.meta.namespace_ = load.namespace_;
  group.meta.uid = "group-" + group.meta.name;
  group.meta.creation = at;
  group.queue = load.queue;
  group.min_member = static_cast<std::int32_t>(load.min_member == 0 ? load.tasks : load.min_member);
  static const auto kNone = std::make_shared<const PodConstraints>();
  for (std::int64_t t = 0; t < load.tasks; ++t) {
    PodRecord pod;
    pod.meta.name = group.meta.name + "-" + std::to_string(t);
    pod.meta.namespace_ = load.namespace_;
    pod.meta.uid = "pod-" + pod.meta.name;
    pod.meta.creation = at + t;
    pod.meta.owner.Edit().kind = "Job";
    pod.meta.owner.Edit().name = group.meta.name;
    pod.scheduler_name = "volcano";
    pod.group = group.meta.name;
    pod.request = load.request;
    pod.constraints = kNone;
    out.pods.push_back(std::move(pod));
  }
  out.pod_groups.push_back(std::move(group));
}

void RemoveJob(const LoadSpec& load, std::int64_t job, std::vector<std::string>& out) {
  for (std::int64_t t = 0; t < load.tasks; ++t)
    out.push_back("Pod/" + load.namespace_ + "/" + JobName(job) + "-" + std::to_string(t));
  out.push_back("PodGroup/" + load.namespace_ + "/" + JobName(job));
}

}  // namespace

Result<LoadSpec> ParseLoad(const std::string& text) {
  LoadSpec out;
  out.request = {{"cpu", 1000}, {"memory", std::int64_t{1} << 30}};
  for (const std::string& part : SplitList(text)) {
    const std::size_t equal = part.find('=');
    if (equal == std::string::npos)
      return Invalid("--load: \"" + part + "\" must be name=value, such as every=30s");
    const Result<void> set = SetPart(part.substr(0, equal), part.substr(equal + 1), out);
    if (!set) return std::unexpected(set.error());
  }
  if (out.min_member > out.tasks) return Invalid("--load: minMember is above tasks");
  return out;
}

namespace {

// The session before which something happens that far into the run.
std::int64_t CycleAt(double ns, std::int64_t period_ns) {
  return 1 + static_cast<std::int64_t>(std::ceil(ns / static_cast<double>(period_ns)));
}

// When the jobs come that come during the run.
std::vector<double> Arrivals(const LoadSpec& load, std::int64_t period_ns, int cycles) {
  std::mt19937_64 random(load.seed);
  std::exponential_distribution<double> gap(1.0);
  std::vector<double> out;
  double at = 0;
  while (std::ssize(out) < load.jobs && CycleAt(at, period_ns) <= cycles) {
    out.push_back(at);
    at += static_cast<double>(load.every_ns) * (load.seed == 0 ? 1.0 : gap(random));
  }
  return out;
}

}  // namespace

std::vector<RunEvent> LoadEvents(const LoadSpec& load, std::int64_t period_ns, int cycles,
                                 TimeNs now) {
  std::map<int, RunEvent> by_cycle;
  std::int64_t job = 0;
  for (const double at : Arrivals(load, period_ns, cycles)) {
    const std::int64_t comes = CycleAt(at, period_ns);
    AddJob(load, job, now + static_cast<TimeNs>(at), by_cycle[static_cast<int>(comes)].add);
    const std::int64_t goes = CycleAt(at + static_cast<double>(load.lifetime_ns), period_ns);
    if (load.lifetime_ns > 0 && goes <= cycles)
      RemoveJob(load, job, by_cycle[static_cast<int>(std::max(goes, comes + 1))].remove);
    ++job;
  }
  std::vector<RunEvent> out;
  for (auto& [cycle, event] : by_cycle) {
    event.cycle = cycle;
    out.push_back(std::move(event));
  }
  return out;
}

Result<GeneratedLoad> GenerateLoad(const std::string& text, const RunOptions& run,
                                   std::int64_t max_pods) {
  Result<LoadSpec> spec = ParseLoad(text);
  if (!spec) return std::unexpected(spec.error());
  const std::int64_t jobs = std::ssize(Arrivals(*spec, run.period_ns, run.cycles));
  if (jobs * spec->tasks > max_pods) {  // neither factor is above kMostPods
    return Invalid(fmt::format(
        "--load: {} jobs of {} tasks come within {} sessions, at most {} pods may (--max-pods)",
        jobs, spec->tasks, run.cycles, max_pods));
  }
  std::vector<RunEvent> events = LoadEvents(*spec, run.period_ns, run.cycles, run.now);
  return GeneratedLoad{*std::move(spec), std::move(events), run.period_ns};
}

std::string LoadSummary(const GeneratedLoad& load, const RunOutcome& run) {
  std::map<std::string, int> came;
  for (const RunEvent& event : load.events) {
    for (const PodRecord& pod : event.add.pods) came[pod.meta.Key()] = event.cycle;
  }
  std::vector<int> waits;  // in sessions
  std::size_t at_once = 0;
  for (const CycleBind& bound : run.binds) {
    const auto it = came.find(bound.bind.pod);
    if (it == came.end()) continue;
    waits.push_back(bound.cycle - it->second);
    at_once += bound.cycle == it->second;
    came.erase(it);  // where it went first counts
  }
  std::ranges::sort(waits);
  const auto seconds = [&](int sessions) {
    return static_cast<double>(sessions) * static_cast<double>(load.period_ns) / 1e9;
  };
  std::string text =
      fmt::format("LOAD\n  {} pods of {} came, {} got a node", waits.size() + came.size(),
                  load.spec.tasks == 1 ? "single jobs" : "gangs", waits.size());
  if (!waits.empty()) {
    text += fmt::format(
        ", {} of them in the session in which they came; waited {:g} s at the median, {:g} s at "
        "most",
        at_once, seconds(waits[waits.size() / 2]), seconds(waits.back()));
  }
  return text + "\n";
}

}  // namespace batholith
