#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "sim/scenario/expect_field.h"
#include "sim/scenario/expect_values.h"

// What an expectation says of the statuses that the last session reports.
namespace batholith {
namespace {

// The count of tasks in one of these states.
std::int64_t CountOf(const JobStatus& job, std::initializer_list<const char*> states) {
  std::int64_t n = 0;
  for (const char* s : states) {
    if (const auto it = job.tasks.find(s); it != job.tasks.end()) n += it->second;
  }
  return n;
}

void CompareTasks(const Expected& e, std::int64_t n) {
  if (!CountHolds(e.value, n))
    e.failures.push_back({e.value.path() + " = " + CountText(e.value), std::to_string(n)});
}

template <auto Member>
void Resources(const Expected& e, const auto& got) {
  CompareResources(e.value, got.*Member, e.failures);
}
template <auto Member>
void Number(const Expected& e, const auto& got) {
  CompareNumber(e.value, static_cast<double>(got.*Member), e.failures);
}

void Labels(const Expected& e, const PodRecord& pod) {
  for (const auto& [name, value] : e.value.Entries()) {
    const auto has = pod.meta.labels.find(name);
    const bool absent = has == pod.meta.labels.end();
    const bool holds = value.present() ? !absent && OneOf(value, has->second) : absent;
    if (!holds)
      e.failures.push_back(
          {value.path() + " = " + Written(value), absent ? "absent" : has->second});
  }
}

// A session reports the pods that wait; all others are scheduled.
void PodConditions(const Expected& e, const PodRecord& pod) {
  const auto status = std::ranges::find(e.run.last.pods, pod.meta.Key(), &PodStatus::key);
  const bool waits = status != e.run.last.pods.end();
  const JobCondition got =
      waits ? JobCondition{"PodScheduled", "False", status->reason, status->message}
            : JobCondition{"PodScheduled", "True", "", ""};
  CompareConditions(e.value, {got}, e.failures);
}

constexpr ExpectField<JobStatus> kJob[] = {
    {"phase", Shape::kScalars,
     [](const Expected& e, const JobStatus& job) {
       CompareText(e.value, JobPhaseName(job.phase), e.failures);
     }},
    {"ready", Shape::kCount,
     [](const Expected& e, const JobStatus& job) {
       CompareTasks(e, CountOf(job, {"Bound", "Running", "Succeeded", "Binding"}));
     }},
    {"pending", Shape::kCount,
     [](const Expected& e, const JobStatus& job) { CompareTasks(e, CountOf(job, {"Pending"})); }},
    {"hyperNode", Shape::kScalars,
     [](const Expected& e, const JobStatus& job) {
       CompareText(e.value, job.hyper_node.value_or(""), e.failures);
     }},
    {"conditions", Shape::kConditions, [](const Expected& e, const JobStatus& job) {
       CompareConditions(e.value, job.conditions, e.failures);
     }}};

constexpr ExpectField<QueueStatus> kQueue[] = {
    {"deserved", Shape::kResources, Resources<&QueueStatus::deserved>},
    {"allocated", Shape::kResources, Resources<&QueueStatus::allocated>},
    {"request", Shape::kResources, Resources<&QueueStatus::request>},
    {"share", Shape::kScalar, Number<&QueueStatus::share>},
    {"state", Shape::kScalars, [](const Expected& e, const QueueStatus& queue) {
       CompareText(e.value, QueueStateName(queue.state), e.failures);
     }}};

constexpr ExpectField<NamespaceStatus> kNamespace[] = {
    {"weight", Shape::kScalar, Number<&NamespaceStatus::weight>},
    {"share", Shape::kScalar, Number<&NamespaceStatus::share>},
    {"allocated", Shape::kResources, Resources<&NamespaceStatus::allocated>}};

constexpr ExpectField<QuotaStatus> kQuota[] = {
    {"used", Shape::kResources, Resources<&QuotaStatus::used>},
    {"runtime", Shape::kResources, Resources<&QuotaStatus::runtime>},
    {"borrowed", Shape::kResources, Resources<&QuotaStatus::borrowed>},
    {"request", Shape::kResources, Resources<&QuotaStatus::request>},
    {"min", Shape::kResources, Resources<&QuotaStatus::min>},
    {"max", Shape::kResources, Resources<&QuotaStatus::max>},
    {"guaranteedOverquotas", Shape::kResources, Resources<&QuotaStatus::guaranteed_overquotas>},
    {"scaledMin", Shape::kResources, Resources<&QuotaStatus::scaled_min>},
    {"guaranteed", Shape::kResources, Resources<&QuotaStatus::guaranteed>},
    {"allocated", Shape::kResources, Resources<&QuotaStatus::allocated>}};

constexpr ExpectField<PodRecord> kPod[] = {{"phase", Shape::kScalars,
                                            [](const Expected& e, const PodRecord& pod) {
                                              CompareText(e.value, PodPhaseName(pod.phase),
                                                          e.failures);
                                            }},
                                           {"node", Shape::kScalars,
                                            [](const Expected& e, const PodRecord& pod) {
                                              CompareText(e.value, pod.node_name, e.failures);
                                            }},
                                           {"labels", Shape::kLabels, Labels},
                                           {"conditions", Shape::kConditions, PodConditions}};

// namespace/name; of groups that are not Volcano's also API/namespace/name, where two are called
// so.
Found<JobStatus> FindJob(const RunOutcome& run, const std::string& name) {
  const auto exact = std::ranges::find(run.last.jobs, name, &JobStatus::key);
  if (exact != run.last.jobs.end()) return {&*exact, {}};
  Found<JobStatus> out{nullptr, "no such job"};
  for (const JobStatus& job : run.last.jobs) {
    const std::size_t at = job.key.find('@');
    if (at == std::string::npos) continue;
    const std::string plain = job.key.substr(0, at);
    if (plain != name && job.key.substr(at + 1) + "/" + plain != name) continue;
    if (out.got != nullptr) return {nullptr, "several APIs have it; write API/namespace/name"};
    out = {&job, {}};
  }
  return out;
}

Found<QueueStatus> FindQueue(const RunOutcome& run, const std::string& name) {
  const auto it = std::ranges::find(run.last.queues, name, &QueueStatus::name);
  return FoundAt(it, run.last.queues, "no such queue");
}

Found<NamespaceStatus> FindNamespace(const RunOutcome& run, const std::string& name) {
  const auto it = std::ranges::find_if(run.last.namespaces, [&](const NamespaceStatus& n) {
    return n.queue + "/" + n.name == name;
  });
  return FoundAt(it, run.last.namespaces, "no such queue and namespace");
}

// namespace/name, or group/namespace/name where two groups have one of this name.
Found<QuotaStatus> FindQuota(const RunOutcome& run, const std::string& name) {
  Found<QuotaStatus> out{nullptr, "no such quota"};
  for (const QuotaStatus& q : run.last.quotas) {
    if (q.name != name && q.group + "/" + q.name != name) continue;
    if (out.got != nullptr) return {nullptr, "several groups have it; write group/namespace/name"};
    out.got = &q;
  }
  return out;
}

Found<PodRecord> FindPod(const RunOutcome& run, const std::string& name) {
  const auto it = std::ranges::find_if(run.objects->pods,
                                       [&](const PodRecord& p) { return p.meta.Key() == name; });
  return FoundAt(it, run.objects->pods, "no such pod");
}

constexpr char kJobNoun[] = "job";
constexpr char kQueueNoun[] = "queue";
constexpr char kNamespaceNoun[] = "namespace";
constexpr char kQuotaNoun[] = "quota";
constexpr char kPodNoun[] = "pod";

constexpr Expectation kStatusRows[] = {
    {"jobs", NamedShape<kJob>, CheckNamed<kJob, FindJob, kJobNoun>},
    {"queues", NamedShape<kQueue>, CheckNamed<kQueue, FindQueue, kQueueNoun>},
    {"namespaces", NamedShape<kNamespace>, CheckNamed<kNamespace, FindNamespace, kNamespaceNoun>},
    {"quotas", NamedShape<kQuota>, CheckNamed<kQuota, FindQuota, kQuotaNoun>},
    {"pods", NamedShape<kPod>, CheckNamed<kPod, FindPod, kPodNoun>}};

}  // namespace

std::span<const Expectation> StatusExpectations() { return kStatusRows; }

}  // namespace batholith
