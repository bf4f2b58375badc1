#include "actions/slack/buffers.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "actions/slack/model/buffer.h"
#include "api/label_match.h"

namespace batholith {
namespace {

constexpr std::string_view kNotReady = "NotReadyForProvisioning";
constexpr const char* kLimitedByQuotas = "LimitedByQuotas";
constexpr const char* kProvisioning = "Provisioning";
// Of all buffers together: each is a line of the report.
constexpr std::int64_t kMostChunks = 100'000;
// No node is added or kept for whoever is less important, as in Cluster Autoscaler.
constexpr std::int32_t kPriorityCutoff = -10;

std::string SourceName(const CapacityBufferRecord& buffer) { return "buffer/" + buffer.meta.Key(); }

struct Priority {
  std::string priority_class;
  std::int32_t value = 0;
};

// As admission would fill it in.
Priority PriorityOf(const PodRecord& pod, const std::vector<PriorityClassRecord>& classes) {
  const PriorityClassRecord* found = nullptr;
  for (const PriorityClassRecord& c : classes) {
    const bool is_default = pod.priority_class.empty() && !pod.priority && c.global_default;
    if (is_default ? found == nullptr || c.value < found->value : c.meta.name == pod.priority_class)
      found = &c;
  }
  Priority out{pod.priority_class, pod.priority.value_or(found == nullptr ? 0 : found->value)};
  if (out.priority_class.empty() && found != nullptr) out.priority_class = found->meta.name;
  return out;
}

std::string Missing(const CapacityBufferRecord& buffer) {
  const std::string namespace_ = buffer.meta.namespace_ + "/";
  if (!buffer.scalable)
    return "PodTemplate " + namespace_ + buffer.pod_template + " does not exist";
  const std::string& group = buffer.scalable->api_group;
  return buffer.scalable->kind + (group.empty() ? "" : "." + group) + " " + namespace_ +
         buffer.scalable->name + " does not exist";
}

// What chunks are like.
class SampleFinder {
 public:
  explicit SampleFinder(const Snapshot& snapshot) : snapshot_(snapshot) {
    for (const BufferFacts& buffer : snapshot.buffers) {
      if (buffer.scalable != nullptr) by_namespace_[buffer.scalable->meta.namespace_];
    }
    if (by_namespace_.empty()) return;
    for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
      const auto it = by_namespace_.find(snapshot.tasks[t].record->meta.namespace_);
      if (it != by_namespace_.end() && IsLive(snapshot.tasks[t])) it->second.emplace_back(t);
    }
  }

  // The youngest live pod of the workload, else its template. Errors: why there is none.
  Result<TaskIndex> Find(const BufferFacts& buffer) const {
    const CapacityBufferRecord& record = *buffer.record;
    if (!record.scalable && record.pod_template.empty())
      return Invalid("neither podTemplateRef nor scalableRef is set");
    if (buffer.scalable == nullptr && buffer.pod_template == nullptr)
      return Invalid(Missing(record));
    TaskIndex sample = buffer.sample;
    if (buffer.scalable != nullptr) {
      const std::vector<TaskIndex>& pods = by_namespace_.at(record.meta.namespace_);
      const auto it = std::ranges::find_if(pods.rbegin(), pods.rend(), [&](TaskIndex t) {
        return MatchesSelector(buffer.scalable->selector, snapshot_.task(t).record->meta.labels);
      });
      if (it != pods.rend()) sample = *it;
    }
    if (!sample.is_none()) {
      if (snapshot_.task(sample).no_slack)
        return Invalid("its pods are left out of slack: slack.batholith.dev/exclude");
      return sample;
    }
    if (buffer.scalable != nullptr && !buffer.scalable->pod)
      return Invalid(record.scalable->kind + " " + record.meta.namespace_ + "/" +
                     record.scalable->name + " has no pod and no template");
    return Invalid("the template asks for a resource that no node has, and no more can be counted");
  }

 private:
  static bool IsLive(const TaskFacts& task) {
    return task.status != TaskStatus::kSucceeded && task.status != TaskStatus::kFailed &&
           !task.record->meta.deleting;
  }

  const Snapshot& snapshot_;
  std::map<std::string_view, std::vector<TaskIndex>> by_namespace_;  // live ones, oldest first
};

void Set(std::vector<JobCondition>& conditions, JobCondition condition) {
  const auto it = std::ranges::find(conditions, condition.type, &JobCondition::type);
  if (it == conditions.end()) {
    conditions.push_back(std::move(condition));
  } else {
    *it = std::move(condition);
  }
}

}  // namespace

void SessionBuffers::AddSources(std::vector<WantedSource>& out) {
  const Snapshot& snapshot = session_.snapshot();
  const SampleFinder samples(snapshot);
  QuotaShares quotas(snapshot.objects->resource_quotas);
  std::int64_t left = kMostChunks;
  for (const BufferFacts& buffer : snapshot.buffers) {
    Plan& plan = plans_.emplace_back();
    plan.record = buffer.record;
    const Result<TaskIndex> sample = samples.Find(buffer);
    if (!sample) {
      plan.error = sample.error().message;
      continue;
    }
    const TaskFacts& task = snapshot.task(*sample);
    std::optional<std::int64_t> current;
    if (buffer.scalable != nullptr) current = buffer.scalable->replicas;
    const Result<std::int64_t> size = BufferSize(*buffer.record, current, task.record->request);
    if (!size) {
      plan.error = size.error().message;
      continue;
    }
    const Priority priority = PriorityOf(*task.record, snapshot.objects->priority_classes);
    plan.wanted = *size;
    const QuotaShares::Share share = quotas.Take(
        {buffer.record->meta.namespace_, priority.priority_class, task.record}, plan.wanted);
    plan.allowed = share.count;
    for (const std::string& name : share.limited_by)
      plan.quotas += (plan.quotas.empty() ? "" : ", ") + name;
    plan.counted = std::min(plan.allowed, left);
    left -= plan.counted;
    if (priority.value < kPriorityCutoff)
      plan.expendable = "their priority " + std::to_string(priority.value) + " is below " +
                        std::to_string(kPriorityCutoff) + ": no node is added or kept for them";
    const std::string name = "CapacityBuffer " + buffer.record->meta.Key();
    if (plan.counted < plan.allowed) {
      session_.result().notices.push_back(
          name + ": room is kept for " + std::to_string(plan.counted) + " of its chunks: all " +
          "buffers have " + std::to_string(kMostChunks) + " at most");
    }
    if (!plan.expendable.empty())
      session_.result().notices.push_back(name + ": its chunks are expendable: " + plan.expendable);
    out.push_back({.name = SourceName(*buffer.record),
                   .size = task.request,
                   .count = plan.counted,
                   .constraints = {*sample},
                   .expendable = !plan.expendable.empty()});
  }
}

BufferStatus SessionBuffers::StatusOf(const Plan& plan, const PlaceholderSource* source) const {
  const CapacityBufferRecord& record = *plan.record;
  BufferStatus out{record.meta.Key(), std::nullopt, record.conditions, record.generation};
  if (!plan.error.empty()) {
    std::erase_if(out.conditions, [](const JobCondition& c) { return c.type == kLimitedByQuotas; });
    Set(out.conditions, {kReadyForProvisioning, "False", "error", plan.error});
    Set(out.conditions, {kProvisioning, "False", std::string(kNotReady), plan.error});
    return out;
  }
  out.replicas = static_cast<std::int32_t>(std::min<std::int64_t>(plan.allowed, INT32_MAX));
  Set(out.conditions, {kReadyForProvisioning, "True", "AttributesSetSuccessfully", ""});
  const bool limited = plan.allowed < plan.wanted;
  Set(out.conditions,
      {kLimitedByQuotas, limited ? "True" : "False", "ResourceQuotasAllocated",
       limited ? "ResourceQuota " + plan.quotas + " leaves " + std::to_string(plan.allowed) +
                     " of " + std::to_string(plan.wanted) + " chunks"
               : ""});
  if (plan.allowed == 0) {
    Set(out.conditions, {kProvisioning, "False", "BufferIsEmpty", "it has no chunks"});
    return out;
  }
  const std::int64_t placed =
      source == nullptr ? 0 : plan.counted - std::ranges::count(source->nodes, std::string());
  std::string message =
      std::to_string(placed) + " of " + std::to_string(plan.allowed) + " chunks have room";
  if (!plan.expendable.empty()) {
    Set(out.conditions, {kProvisioning, "False", "Expendable", message + "; " + plan.expendable});
    return out;
  }
  // FakePodsInjected, upstream's reason, promises less: that chunks are looked at.
  const bool all = placed == plan.allowed;
  Set(out.conditions, {kProvisioning, all ? "True" : "False",
                       all ? "FitsExistingCapacity" : "RequiresNewCapacity", std::move(message)});
  return out;
}

std::vector<BufferStatus> SessionBuffers::Statuses(const SlackReport& report) const {
  std::map<std::string_view, const PlaceholderSource*> sources;
  for (const PlaceholderSource& source : report.sources) sources[source.name] = &source;
  std::vector<BufferStatus> out;
  for (const Plan& plan : plans_) {
    const auto it = sources.find(SourceName(*plan.record));
    BufferStatus status = StatusOf(plan, it == sources.end() ? nullptr : it->second);
    const CapacityBufferRecord& record = *plan.record;
    if (status.replicas != record.status_replicas || status.conditions != record.conditions ||
        status.observed_generation != record.observed_generation)
      out.push_back(std::move(status));
  }
  return out;
}

}  // namespace batholith
