#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/scenario/expect_field.h"
#include "sim/scenario/expect_values.h"

namespace batholith {
namespace {

// Of a list; nobody where it is none.
std::set<std::string> NamesIn(const Field& list) {
  std::set<std::string> out;
  if (!list.is_list()) return out;
  for (const Field& name : list.Items()) out.insert(name.Scalar());
  return out;
}

struct Member {
  std::string job, queue, node;
};

std::string NamespaceOf(std::string_view key) { return std::string(key.substr(0, key.find('/'))); }

// The pods of one set and what they belong to.
class PodSet {
 public:
  PodSet(std::string_view which, const RunOutcome& outcome) : outcome_(outcome), name_(which) {
    for (const PodGroupRecord& group : outcome.objects->pod_groups) {
      min_member_[group.Identity()] = group.min_member;
      queue_of_job_[group.Identity()] = group.queue;
    }
    for (const JobStatus& job : outcome.last.jobs) {
      min_member_[job.key] = job.min_member;
      queue_of_job_[job.key] = job.queue;
    }
    if (which == "bound") {
      for (const CycleBind& b : outcome.binds) Put(b.bind.pod, b.bind.job, b.bind.node);
    } else if (which == "evicted") {
      for (const CycleEvict& e : outcome.evictions) Put(e.evict.pod, e.evict.job, e.evict.node);
    } else if (which == "pipelined") {
      for (const Pipelined& p : outcome.last.pipelined) Put(p.pod, p.job, p.node);
    } else {
      for (const PodRecord& pod : outcome.objects->pods) {
        const bool finished = pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
        if (!finished && pod.node_name.empty()) Put(pod.meta.Key(), JobKeyOf(pod), "");
      }
    }
  }

  void CheckPods(const Field& pods, std::vector<Failure>& failures) const;
  void CheckNever(const Field& never, std::vector<Failure>& failures) const;
  void CheckOnly(const Field& pods, std::vector<Failure>& failures) const;
  void CheckFrom(const Field& from, std::vector<Failure>& failures) const;
  void CheckCount(const Field& count, std::vector<Failure>& failures) const;
  void CheckWholeGangs(const Field& jobs, std::vector<Failure>& failures) const;
  void CheckDistinctNodes(const Field& jobs, std::vector<Failure>& failures) const;

 private:
  void Put(const std::string& pod, const std::string& job, const std::string& node) {
    const auto it = queue_of_job_.find(job);
    members_[pod] = {job, it == queue_of_job_.end() ? std::string() : it->second, node};
  }
  // Of the pods that belong to `name`, a thing of `kind`; none: there is no such thing.
  std::optional<std::int64_t> CountOf(std::string_view kind, const std::string& name) const;
  std::vector<std::string> Names() const {
    std::vector<std::string> out;
    for (const auto& [pod, member] : members_) out.push_back(pod);
    return out;
  }
  std::string Label(std::string_view text) const { return name_ + ": " + std::string(text); }
  std::map<std::string, std::int64_t> ByJob() const {
    std::map<std::string, std::int64_t> out;
    for (const auto& [pod, member] : members_) ++out[member.job];
    return out;
  }

  const RunOutcome& outcome_;
  std::string name_;
  std::map<std::string, Member> members_;
  std::map<std::string, std::int32_t> min_member_;
  std::map<std::string, std::string> queue_of_job_;
};

void PodSet::CheckPods(const Field& pods, std::vector<Failure>& failures) const {
  const auto check = [&](const std::string& pod, const Field& node) {
    const auto it = members_.find(pod);
    const bool anywhere = !node.present() || OneOf(node, "*");
    const std::string where = anywhere ? "" : " on " + Written(node);
    if (it == members_.end()) {
      failures.push_back({Label(fmt::format("{}{}", pod, where)), Joined(Names())});
    } else if (!anywhere && !OneOf(node, it->second.node)) {
      failures.push_back({Label(fmt::format("{}{}", pod, where)), "on " + it->second.node});
    }
  };
  if (pods.is_object()) {
    for (const auto& [pod, node] : pods.Entries()) check(pod, node);
    return;
  }
  for (const Field& pod : pods.Items()) check(pod.Scalar(), Field(nullptr, ""));
}

void PodSet::CheckNever(const Field& never, std::vector<Failure>& failures) const {
  for (const Field& pod : never.Items()) {
    if (members_.contains(pod.Scalar()))
      failures.push_back({Label("never " + pod.Scalar()), "it is"});
  }
}

void PodSet::CheckOnly(const Field& pods, std::vector<Failure>& failures) const {
  std::set<std::string> allowed;
  if (pods.is_object()) {
    for (const auto& [pod, node] : pods.Entries()) allowed.insert(pod);
  } else {
    allowed = NamesIn(pods);
  }
  std::vector<std::string> beyond;
  for (const auto& [pod, member] : members_) {
    if (!allowed.contains(pod)) beyond.push_back(pod);
  }
  if (!beyond.empty())
    failures.push_back({Label("only the pods listed"), "also " + Joined(beyond)});
}

void PodSet::CheckFrom(const Field& from, std::vector<Failure>& failures) const {
  const std::set<std::string> allowed = NamesIn(from);
  std::vector<std::string> beyond;
  for (const auto& [pod, member] : members_) {
    if (!allowed.contains(pod) && !allowed.contains(member.job)) beyond.push_back(pod);
  }
  if (beyond.empty()) return;
  failures.push_back({Label("only pods from " + Joined({allowed.begin(), allowed.end()})),
                      "also " + Joined(beyond)});
}

std::optional<std::int64_t> PodSet::CountOf(std::string_view kind, const std::string& name) const {
  const auto count = [&](auto belongs) {
    return std::ranges::count_if(
        members_, [&](const auto& entry) { return belongs(entry.first, entry.second); });
  };
  const ClusterObjects& objects = *outcome_.objects;
  const auto exists = [&](const auto& records) {
    return std::ranges::any_of(records, [&](const auto& r) { return r.meta.Key() == name; });
  };
  std::int64_t n = 0;
  bool is_there = false;
  if (kind == "job") {
    n = count([&](const std::string&, const Member& m) { return m.job == name; });
    is_there = queue_of_job_.contains(name);
  } else if (kind == "queue") {
    n = count([&](const std::string&, const Member& m) { return m.queue == name; });
    is_there = exists(objects.queues);
  } else if (kind == "namespace") {
    n = count([&](const std::string& pod, const Member&) { return NamespaceOf(pod) == name; });
    is_there = exists(objects.namespaces);
  } else if (kind == "quota") {
    n = count([&](const std::string& pod, const Member&) {
      const auto it = outcome_.quota_of.find(pod);
      return it != outcome_.quota_of.end() && it->second == name;
    });
    is_there = std::ranges::any_of(outcome_.last.quotas,
                                   [&](const QuotaStatus& q) { return q.name == name; });
  } else if (kind == "node") {
    n = count([&](const std::string&, const Member& m) { return m.node == name; });
    is_there = exists(objects.nodes);
  }
  if (n == 0 && !is_there) return std::nullopt;
  return n;
}

void PodSet::CheckCount(const Field& count, std::vector<Failure>& failures) const {
  const auto total = static_cast<std::int64_t>(members_.size());
  const bool map = count.is_object() && !count["min"].present() && !count["max"].present();
  if (!map) {
    if (CountHolds(count, total)) return;
    failures.push_back(
        {Label("count " + CountText(count)), fmt::format("{}: {}", total, Joined(Names()))});
    return;
  }
  for (const auto& [key, expected] : count.Entries()) {
    const std::string label = Label(fmt::format("{} of {}", CountText(expected), key));
    std::string name = key;
    if (name == "total") {
      if (!CountHolds(expected, total)) failures.push_back({label, std::to_string(total)});
      continue;
    }
    std::vector<std::string_view> kinds{"job", "queue", "namespace", "node", "quota"};
    const std::size_t colon = name.find(':');
    if (colon != name.npos) {
      const std::string_view kind = std::string_view(key).substr(0, colon);
      if (std::ranges::find(kinds, kind) != kinds.end()) {
        kinds = {kind};
        name = name.substr(colon + 1);
      }
    }
    std::set<std::int64_t> counts;
    for (const std::string_view kind : kinds) {
      if (const auto n = CountOf(kind, name)) counts.insert(*n);
    }
    if (counts.empty()) counts.insert(0);
    if (counts.size() > 1) {
      failures.push_back(
          {label, "several kinds have this name; write kind:name, as queue:" + name});
    } else if (!CountHolds(expected, *counts.begin())) {
      failures.push_back({label, std::to_string(*counts.begin())});
    }
  }
}

void PodSet::CheckWholeGangs(const Field& jobs, std::vector<Failure>& failures) const {
  const std::set<std::string> asked = NamesIn(jobs);
  std::int64_t whole = 0;
  for (const auto& [job, n] : ByJob()) {
    if (jobs.is_list() && !asked.contains(job)) continue;
    const auto it = min_member_.find(job);
    const std::int32_t min = it == min_member_.end() ? 1 : it->second;
    if (n >= min) {
      ++whole;
      continue;
    }
    failures.push_back(
        {Label(fmt::format("at least {} pods of {} or none", min, job)), std::to_string(n)});
  }
  if (jobs.is_int() && !CountHolds(jobs, whole))
    failures.push_back({Label(jobs.Scalar() + " whole gangs"), std::to_string(whole)});
}

void PodSet::CheckDistinctNodes(const Field& jobs, std::vector<Failure>& failures) const {
  const std::set<std::string> asked = NamesIn(jobs);
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> pods;
  for (const auto& [pod, member] : members_) {
    if (jobs.is_list() && !asked.contains(member.job)) continue;
    pods[{member.job, member.node}].push_back(pod);
  }
  for (const auto& [key, together] : pods) {
    if (together.size() < 2) continue;
    failures.push_back({Label("pods of " + key.first + " on different nodes"),
                        Joined(together) + " on " + key.second});
  }
}

bool IsFalse(const Field& value) { return value.is_bool() && !value.Bool(true); }

// `only` looks at `pods` beside it.
struct SetOfPods {
  const PodSet& set;
  const Field& expected;
};

constexpr ExpectField<SetOfPods> kSet[] = {
    {"pods", Shape::kPods,
     [](const Expected& e, const SetOfPods& s) { s.set.CheckPods(e.value, e.failures); }},
    {"only", Shape::kSwitch,
     [](const Expected& e, const SetOfPods& s) {
       if (!IsFalse(e.value)) s.set.CheckOnly(s.expected["pods"], e.failures);
     }},
    {"never", Shape::kList,
     [](const Expected& e, const SetOfPods& s) { s.set.CheckNever(e.value, e.failures); }},
    {"from", Shape::kList,
     [](const Expected& e, const SetOfPods& s) { s.set.CheckFrom(e.value, e.failures); }},
    {"count", Shape::kCounts,
     [](const Expected& e, const SetOfPods& s) { s.set.CheckCount(e.value, e.failures); }},
    {"wholeGangs", Shape::kJobs,
     [](const Expected& e, const SetOfPods& s) {
       if (!IsFalse(e.value)) s.set.CheckWholeGangs(e.value, e.failures);
     }},
    {"distinctNodes", Shape::kJobs, [](const Expected& e, const SetOfPods& s) {
       if (!IsFalse(e.value)) s.set.CheckDistinctNodes(e.value, e.failures);
     }}};

void SetShape(const Field& value) { CheckBlockShape(kSet, value); }

void CheckSet(const Expected& e) {
  const PodSet set(e.value.path(), e.run);
  CheckBlock(kSet, e, SetOfPods{set, e.value});
}

constexpr Expectation kSetRows[] = {{"bound", SetShape, CheckSet},
                                    {"evicted", SetShape, CheckSet},
                                    {"pipelined", SetShape, CheckSet},
                                    {"pending", SetShape, CheckSet}};

}  // namespace

std::span<const Expectation> SetExpectations() { return kSetRows; }

}  // namespace batholith
