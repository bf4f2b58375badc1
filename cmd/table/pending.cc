#include "cmd/table/pending.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "api/printable.h"

namespace batholith {
namespace {

// What waits for the same reason.
struct Waiting {
  std::vector<std::string> jobs;
  std::string message;  // the first one's
  std::size_t pods = 0;
  bool differs = false;  // in amounts, from one to another
};

// One for each job and message, in the order of the pods.
std::vector<Waiting> ByJob(const RunOutcome& run) {
  std::map<std::string, std::string> job_of;
  for (const PodRecord& pod : run.objects->pods) {
    if (pod.node_name.empty()) job_of[pod.meta.Key()] = pod.meta.namespace_ + "/" + pod.group;
  }
  std::vector<Waiting> lines;
  std::map<std::pair<std::string, std::string>, std::size_t> places;  // by job and message
  std::set<std::string> told;
  for (const PodStatus& p : run.last.pods) {
    const auto job = job_of.find(p.key);
    if (job == job_of.end()) continue;
    const auto [it, added] = places.try_emplace({job->second, p.message}, lines.size());
    if (added) lines.push_back({{job->second}, p.message});
    ++lines[it->second].pods;
    told.insert(job->second);
  }
  for (const JobStatus& j : run.last.jobs) {
    if (!told.contains(j.key) && !j.message.empty()) lines.push_back({{j.key}, j.message});
  }
  return lines;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Each amount as one sign: "23 held + 3500m asked > 37" is the same reason with other amounts.
std::string Shape(const std::string& message) {
  std::string shape;
  for (std::size_t i = 0; i < message.size();) {
    if (!IsDigit(message[i])) {
      shape += message[i++];
      continue;
    }
    shape += '#';
    while (i < message.size() && (IsDigit(message[i]) || message[i] == '.')) ++i;
    while (i < message.size() && IsLetter(message[i])) ++i;
  }
  return shape;
}

std::vector<Waiting> ByReason(const std::vector<Waiting>& lines, bool by_shape) {
  std::vector<Waiting> out;
  std::map<std::string, std::size_t> places;
  for (const Waiting& line : lines) {
    const auto [it, added] =
        places.try_emplace(by_shape ? Shape(line.message) : line.message, out.size());
    if (added) out.push_back({{}, line.message});
    Waiting& reason = out[it->second];
    const bool is_new = reason.jobs.empty() || reason.jobs.back() != line.jobs.front();
    if (is_new) reason.jobs.push_back(line.jobs.front());
    reason.pods += line.pods;
    reason.differs = reason.differs || reason.message != line.message;
  }
  std::ranges::stable_sort(out, std::greater(), &Waiting::pods);
  return out;
}

std::string Counted(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string WhoWaits(const std::vector<std::string>& jobs, std::size_t pods) {
  if (jobs.size() == 1)
    return jobs.front() + (pods > 0 ? " (" + Counted(pods, "pod") + ")" : std::string());
  return Counted(jobs.size(), "job") + (pods > 0 ? " with " + Counted(pods, "pod") : "") + " (" +
         jobs[0] + ", " + jobs[1] + (jobs.size() > 2 ? ", ..." : "") + ")";
}

std::string WhyOf(const Waiting& reason) {
  return reason.message + (reason.differs ? " (others alike)" : "");
}

// The same jobs, whose pods wait for one reason or for several.
using SameJobs = std::vector<const Waiting*>;

std::vector<SameJobs> ByJobs(const std::vector<Waiting>& lines) {
  std::vector<SameJobs> out;
  std::map<std::set<std::string>, std::size_t> places;
  for (const Waiting& line : lines) {
    const auto [it, added] = places.try_emplace({line.jobs.begin(), line.jobs.end()}, out.size());
    if (added) out.emplace_back();
    out[it->second].push_back(&line);
  }
  return out;
}

std::string LinesOf(const SameJobs& reasons) {
  const std::vector<std::string>& jobs = reasons.front()->jobs;
  std::size_t pods = 0;
  for (const Waiting* reason : reasons) pods += reason->pods;
  std::string out = "  " + OneLine(WhoWaits(jobs, pods)) + ":";
  if (reasons.size() == 1) return out + " " + OneLine(WhyOf(*reasons.front())) + "\n";
  out += "\n";
  for (const Waiting* reason : reasons)
    out += "    " + Counted(reason->pods, "pod") + ": " + OneLine(WhyOf(*reason)) + "\n";
  return out;
}

}  // namespace

std::string PendingText(const RunOutcome& run, bool all, bool others_wait) {
  constexpr std::size_t kMostReasons = 20;  // with their own amounts, for a person to read
  std::vector<Waiting> lines = ByJob(run);
  if (lines.empty()) {
    const std::string_view nothing = run.objects->pods.empty() ? "there are no pods"
                                     : others_wait             ? "every pod of ours has its place"
                                                               : "every pod has its place";
    return fmt::format("PENDING\n  nothing: {}\n", nothing);
  }
  if (!all) {
    std::vector<Waiting> reasons = ByReason(lines, false);
    lines = reasons.size() > kMostReasons ? ByReason(lines, true) : std::move(reasons);
  }
  std::string out = "PENDING\n";
  for (const SameJobs& reasons : ByJobs(lines)) out += LinesOf(reasons);
  return out;
}

}  // namespace batholith
