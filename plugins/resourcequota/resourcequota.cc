#include "plugins/resourcequota/resourcequota.h"

#include <map>

namespace batholith {
namespace {

constexpr std::string_view kRequests = "requests.";

// Amount × (scale of `to` ÷ scale of `from`): a quota counts requests.memory in thousandths,
// memory in bytes.
std::int64_t Rescale(std::int64_t amount, std::string_view from, std::string_view to) {
  const std::int64_t multiply = ResourceScale(to);
  const std::int64_t divide = ResourceScale(from);
  if (multiply == divide) return amount;
  const __int128_t scaled = static_cast<__int128_t>(amount) * multiply / divide;
  return static_cast<std::int64_t>(std::clamp<__int128_t>(scaled, INT64_MIN, INT64_MAX));
}

// What the job asks of the quota name, in the quota's own unit. Nothing: it does not name it.
std::optional<std::int64_t> Asked(const PodGroupRecord& group, const std::string& name) {
  const ResourceList& list = *group.min_resources;
  if (const auto it = list.find(name); it != list.end()) return it->second;
  const std::string other =
      name.starts_with(kRequests) ? name.substr(kRequests.size()) : std::string(kRequests) + name;
  if (const auto it = list.find(other); it != list.end()) return Rescale(it->second, other, name);
  if (name == "pods" || name == "count/pods") return group.min_member * ResourceScale(name);
  return std::nullopt;
}

class Resourcequota final : public Plugin, public JobEnqueueable, public JobAdmitted {
 public:
  explicit Resourcequota(const PluginContext& context) : snapshot_(context.snapshot) {
    for (const ResourceQuotaRecord& quota : snapshot_.objects->resource_quotas) {
      quotas_[quota.meta.namespace_].push_back({&quota, {}});
    }
  }

  EnqueueVote EnqueueJob(JobIndex job) const override {
    const PodGroupRecord& group = *snapshot_.job(job).record;
    EnqueueVote vote{Vote::kPermit, {}, 0};
    const auto it = quotas_.find(group.meta.namespace_);
    if (!group.min_resources || it == quotas_.end()) return vote;
    for (const Quota& quota : it->second) {
      for (const auto& [name, hard] : Hard(*quota.record)) {
        const std::optional<std::int64_t> asked = Asked(group, name);
        if (!asked) continue;
        const std::int64_t taken = ResourceVector::AddSaturating(AmountOf(quota.record->used, name),
                                                                 AmountOf(quota.admitted, name));
        if (ResourceVector::AddSaturating(taken, *asked) > hard) Refuse(name, vote);
      }
    }
    return vote;
  }

  void OnJobAdmitted(JobIndex job) override {
    const PodGroupRecord& group = *snapshot_.job(job).record;
    const auto it = quotas_.find(group.meta.namespace_);
    if (!group.min_resources || it == quotas_.end()) return;
    for (Quota& quota : it->second) {
      for (const auto& [name, hard] : Hard(*quota.record)) {
        const std::optional<std::int64_t> asked = Asked(group, name);
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
  };

  // A quota that its controller has not seen yet has no status.
  static const ResourceList& Hard(const ResourceQuotaRecord& quota) {
    return quota.status_hard.empty() ? quota.hard : quota.status_hard;
  }

  static std::int64_t AmountOf(const ResourceList& list, const std::string& name) {
    const auto it = list.find(name);
    return it == list.end() ? 0 : it->second;
  }

  void Refuse(const std::string& name, EnqueueVote& vote) const {
    std::optional<std::size_t> r = snapshot_.schema.Find(name);
    if (!r && name.starts_with(kRequests)) r = snapshot_.schema.Find(name.substr(kRequests.size()));
    if (!r && name == "count/pods") r = ResourceSchema::kPods;
    if (vote.why.ok()) {
      const auto detail = static_cast<std::uint32_t>(r.value_or(ResourceSchema::kPods));
      vote.vote = Vote::kReject;
      vote.why = {Reason::kNamespaceQuota, false, detail};
    }
    if (r) vote.short_dims |= 1U << *r;
  }

  const Snapshot& snapshot_;
  std::map<std::string, std::vector<Quota>, std::less<>> quotas_;  // by namespace
};

}  // namespace

std::unique_ptr<Plugin> MakeResourcequota(const PluginContext& context) {
  return std::make_unique<Resourcequota>(context);
}

}  // namespace batholith
