#include "plugins/overcommit/overcommit.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "api/shortage_text.h"
#include "framework/describe_plugin.h"
#include "plugins/common/promises.h"
#include "plugins/overcommit/options.h"

namespace batholith {
namespace {

class Overcommit final : public Plugin, public JobEnqueueable, public JobAdmitted {
 public:
  Overcommit(const PluginContext& context, const OvercommitOptions& options)
      : snapshot_(context.snapshot),
        state_(context.state),
        slack_(context.slack),
        factor_(options.factor),
        held_back_(context.snapshot.queues.size()) {
    for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n) {
      if (!snapshot_.nodes[n].usable) continue;  // neither what it has nor what it holds counts
      cluster_ += snapshot_.nodes[n].allocatable;
      used_ += state_.used(NodeIndex(n));
    }
    if (slack_ != nullptr) guarded_cluster_ = cluster_ - slack_->held_total();
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      room_[r] = Scale(cluster_[r], factor_);
      guarded_room_[r] = Scale(guarded_cluster_[r], factor_);
    }
    room_ -= used_;
    guarded_room_ -= used_;
    for (std::size_t j = 0; j < snapshot_.jobs.size(); ++j) {
      if (snapshot_.jobs[j].min_resources)
        promised_ += StillPromised(snapshot_, state_, context.job_phase[j], JobIndex(j));
    }
  }

  EnqueueVote EnqueueJob(JobIndex job) const override {
    if (!snapshot_.job(job).min_resources) return {Vote::kPermit, {}, 0};
    const ResourceVector needed = NotYetAllocated(job);
    const ResourceVector promised = promised_ + HeldBackBeside(job);
    const ResourceVector sum = promised + needed;
    const bool guarded = slack_ != nullptr && !slack_->MayUse(job);
    const ResourceVector& room = guarded ? guarded_room_ : room_;
    EnqueueVote vote{Vote::kPermit, {}, 0};
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (r == ResourceSchema::kPods || needed[r] <= 0 || sum[r] <= room[r]) continue;
      if (vote.short_dims == 0) {
        vote.vote = Vote::kReject;
        vote.why = {Reason::kClusterOverused, true, static_cast<std::uint32_t>(r)};
        vote.held = ResourceVector::AddSaturating(used_[r], promised[r]);
        vote.asked = needed[r];
        vote.limit = ResourceVector::AddSaturating(room[r], used_[r]);
        vote.limit_from = FactorText(vote, r, guarded ? guarded_cluster_ : cluster_);
      }
      vote.short_dims |= 1U << r;
    }
    return vote;
  }

  // The room of the whole cluster is all that it looks at.
  EnqueueVote EnqueueGuaranteed(JobIndex) const override { return {Vote::kAbstain, {}, 0}; }

  void OnJobAdmitted(JobIndex job) override {
    if (snapshot_.job(job).min_resources) promised_ += StillToCome(snapshot_, state_, job);
  }
  void OnHeldBack(JobIndex job, HeldBack by) override {
    const ResourceVector held_back = StillToCome(snapshot_, state_, job);
    promised_ -= held_back;
    if (by == HeldBack::kByQueue) held_back_[snapshot_.job(job).queue.value()] += held_back;
  }

 private:
  // "1.2 times the 16 of the cluster"
  std::string FactorText(const EnqueueVote& vote, std::size_t r,
                         const ResourceVector& cluster) const {
    const ShortageText amounts(snapshot_.schema.name(r), vote.held, vote.asked, vote.limit);
    const std::string times = factor_ == 1 ? "all" : fmt::format("{:g} times the", factor_);
    return times + " " + amounts.Amount(cluster[r]) + " of the cluster";
  }

  // Exact to a millionth of the factor: 250 × 1.1 is 275, which a double would miss.
  static std::int64_t Scale(std::int64_t amount, double factor) {
    constexpr std::int64_t kParts = 1'000'000;
    const double parts = std::min(factor * kParts, 1e15);
    const long double scaled = static_cast<long double>(amount) * std::roundl(parts) / kParts;
    if (scaled >= static_cast<long double>(INT64_MAX)) return INT64_MAX;
    return static_cast<std::int64_t>(std::floor(scaled));
  }

  ResourceVector HeldBackBeside(JobIndex job) const {
    const QueueIndex queue = snapshot_.job(job).queue;
    return queue.is_none() ? ResourceVector() : held_back_[queue.value()];
  }

  // What its pods hold is in `used` already: counting it here as well would count it twice.
  ResourceVector NotYetAllocated(JobIndex job) const {
    const JobFacts& facts = snapshot_.job(job);
    // What can never be had whole is kept for nobody.
    if (facts.never_starts()) return {};
    return (**facts.min_resources - state_.job_allocated(job)).ClampedAtZero();
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  const SlackGuard* slack_;  // none: nothing is kept from anybody
  const double factor_;
  ResourceVector used_;     // on usable nodes
  ResourceVector cluster_;  // what usable nodes have
  ResourceVector room_;     // cluster × factor − used
  // The same for who may not use slack, whose cluster is without it.
  ResourceVector guarded_cluster_;
  ResourceVector guarded_room_;
  ResourceVector promised_;  // to admitted jobs, beyond what they hold
  // By queue: the same of those that it holds back, who keep others of their queue out only.
  std::vector<ResourceVector> held_back_;
};

}  // namespace

PluginDescriptor OvercommitPlugin() {
  return DescribePlugin<Overcommit, ReadOvercommitOptions>({
      .name = "overcommit",
      .summary = "admits jobs up to a multiple of the cluster",
      .arguments = OvercommitArguments(),
  });
}

}  // namespace batholith
