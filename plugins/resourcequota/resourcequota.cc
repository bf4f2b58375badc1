#include "plugins/resourcequota/resourcequota.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/resource_quota.h"
#include "api/shortage_text.h"
#include "framework/describe_plugin.h"

namespace batholith {
namespace {

constexpr std::string_view kRequests = "requests.";

// What the minimum of the group asks for. Nothing: it does not name it.
std::optional<std::int64_t> Minimum(const PodGroupRecord& group, const std::string& name) {
  if (const auto amount = AmountUnder(*group.min_resources, name)) return amount;
  if (CountsPods(name)) return group.min_member * ResourceScale(name);
  return std::nullopt;
}

// Adds what a quota counts for the pod, from its creation until it has finished, whether it has a
// node or not. Who is leaving makes room for somebody else of the group.
void AddStanding(const PodRecord& pod, ResourceList& sum) {
  const bool finished = pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed;
  if (finished || pod.meta.deleting) return;
  const auto add = [&](const std::string& name, std::int64_t amount) {
    sum[name] = ResourceVector::AddSaturating(sum[name], amount);
  };
  for (const auto& [name, amount] : pod.request) add(name, amount);
  for (const char* name : {"pods", "count/pods"}) add(name, ResourceScale(name));
}

class Resourcequota final : public Plugin, public JobEnqueueable, public JobAdmitted {
 public:
  explicit Resourcequota(const PluginContext& context) : snapshot_(context.snapshot) {
    for (const ResourceQuotaRecord& quota : snapshot_.objects->resource_quotas) {
      namespaces_[quota.meta.namespace_].push_back({&quota, {}, {}});
    }
    // What is told names them in this order.
    for (auto& [namespace_, quotas] : namespaces_)
      std::ranges::sort(quotas, {}, [](const Quota& quota) { return quota.record->meta.name; });
    for (const PodRecord& pod : snapshot_.objects->pods) {
      const auto it = namespaces_.find(pod.meta.namespace_);
      if (it == namespaces_.end()) continue;
      for (Quota& quota : it->second) {
        if (CountsPod(*quota.record, pod, pod.priority_class)) AddStanding(pod, quota.standing);
      }
    }
  }

  EnqueueVote EnqueueJob(JobIndex job) const override {
    const PodGroupRecord& group = *snapshot_.job(job).record;
    EnqueueVote vote{Vote::kPermit, {}, 0};
    const auto it = namespaces_.find(group.meta.namespace_);
    if (!group.min_resources || it == namespaces_.end()) return vote;
    for (const Quota& quota : it->second) {
      if (!IsAbout(*quota.record, job)) continue;
      const ResourceList made = StandingOf(job, *quota.record);
      for (const auto& [name, hard] : HardOf(*quota.record)) {
        const std::optional<std::int64_t> asked = StillAsked(group, made, quota, name);
        if (!asked) continue;
        const std::int64_t taken = ResourceVector::AddSaturating(AmountOf(quota.record->used, name),
                                                                 AmountOf(quota.admitted, name));
        if (ResourceVector::AddSaturating(taken, *asked) > hard)
          Refuse(quota, name, {.held = taken, .asked = *asked, .limit = hard}, vote);
      }
    }
    return vote;
  }

  void OnJobAdmitted(JobIndex job) override {
    const PodGroupRecord& group = *snapshot_.job(job).record;
    const auto it = namespaces_.find(group.meta.namespace_);
    if (!group.min_resources || it == namespaces_.end()) return;
    for (Quota& quota : it->second) {
      if (!IsAbout(*quota.record, job)) continue;
      const ResourceList made = StandingOf(job, *quota.record);
      for (const auto& [name, hard] : HardOf(*quota.record)) {
        const std::optional<std::int64_t> asked = StillAsked(group, made, quota, name);
        if (!asked) continue;
        std::int64_t& sum = quota.admitted[name];
        sum = ResourceVector::AddSaturating(sum, *asked);
      }
    }
  }

 private:
  struct Quota {
    const ResourceQuotaRecord* record;
    ResourceList admitted;  // by jobs of this session
    ResourceList standing;  // of all pods that it counts
  };
  struct Amounts {
    std::int64_t held = 0;
    std::int64_t asked = 0;
    std::int64_t limit = 0;
  };

  static std::int64_t AmountOf(const ResourceList& list, const std::string& name) {
    const auto it = list.find(name);
    return it == list.end() ? 0 : it->second;
  }

  // Whether the quota's scopes hold for a pod of the group; before it has any, for one as its
  // minimum describes it.
  bool IsAbout(const ResourceQuotaRecord& quota, JobIndex job) const {
    if (quota.scopes.empty()) return true;
    const JobFacts& facts = snapshot_.job(job);
    if (!facts.tasks.empty()) {
      return std::ranges::any_of(facts.tasks, [&](TaskIndex t) {
        const PodRecord& pod = *snapshot_.task(t).record;
        return CountsPod(quota, pod, pod.priority_class);
      });
    }
    PodRecord pod;
    pod.request = *facts.record->min_resources;
    std::erase_if(pod.request.Edit(), [](const auto& entry) { return CountsPods(entry.first); });
    return CountsPod(quota, pod, facts.record->priority_class);
  }

  ResourceList StandingOf(JobIndex job, const ResourceQuotaRecord& quota) const {
    ResourceList sum;
    for (const TaskIndex t : snapshot_.job(job).tasks) {
      const PodRecord& pod = *snapshot_.task(t).record;
      if (CountsPod(quota, pod, pod.priority_class)) AddStanding(pod, sum);
    }
    return sum;
  }

  // The group's minimum without its pods that stand already, if the quota has counted them: it has
  // less in use than stands of its pods where it has not seen all of it. Nothing: the minimum
  // does not name it.
  static std::optional<std::int64_t> StillAsked(const PodGroupRecord& group,
                                                const ResourceList& made, const Quota& quota,
                                                const std::string& name) {
    const std::optional<std::int64_t> minimum = Minimum(group, name);
    if (!minimum ||
        AmountOf(quota.record->used, name) < AmountUnder(quota.standing, name).value_or(0))
      return minimum;
    const std::int64_t left =
        ResourceVector::SubSaturating(*minimum, AmountUnder(made, name).value_or(0));
    return std::max<std::int64_t>(left, 0);
  }

  void Refuse(const Quota& quota, const std::string& name, const Amounts& amounts,
              EnqueueVote& vote) const {
    std::optional<std::size_t> r = snapshot_.schema.Find(name);
    if (!r && name.starts_with(kRequests)) r = snapshot_.schema.Find(name.substr(kRequests.size()));
    if (!r && name == "count/pods") r = ResourceSchema::kPods;
    if (vote.why.ok()) {
      const auto detail = static_cast<std::uint32_t>(r.value_or(ResourceSchema::kPods));
      vote.vote = Vote::kReject;
      vote.why = {Reason::kNamespaceQuota, false, detail};
    }
    if (r) vote.short_dims |= 1U << *r;
    vote.short_names +=
        fmt::format("{}insufficient {} in ResourceQuota {} ({})",
                    vote.short_names.empty() ? "" : ", ", name, quota.record->meta.name,
                    ShortageText(name, amounts.held, amounts.asked, amounts.limit).text());
  }

  const Snapshot& snapshot_;
  std::map<std::string, std::vector<Quota>, std::less<>> namespaces_;  // those that have one
};

}  // namespace

PluginDescriptor ResourcequotaPlugin() {
  return DescribePlugin<Resourcequota>({
      .name = "resourcequota",
      .summary = "admits jobs within the quotas of their namespace",
  });
}

}  // namespace batholith
