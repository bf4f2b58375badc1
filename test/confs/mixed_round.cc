#include "test/confs/mixed_round.h"

#include <stdexcept>
#include <utility>

#include "actions/builtin.h"
#include "cache/snapshot_builder.h"
#include "codec/pod.h"
#include "conf/load.h"
#include "plugins/builtin.h"
#include "scheduler/compile_conf.h"
#include "test/confs/mixed_cluster.h"
#include "test/confs/random_conf.h"
#include "test/property/random_cluster.h"
#include "test/property/units.h"

namespace batholith::property {
namespace {

constexpr int kMostRefused = 50;

// Random clusters number their signatures, so those of two clusters would be taken for each other.
std::shared_ptr<const PodConstraints> Signed(PodConstraints constraints) {
  constraints.signature = SignatureOf(constraints);
  return std::make_shared<const PodConstraints>(std::move(constraints));
}

// Some jobs of another cluster, none of which has run yet.
ClusterObjects MoreJobs(int session, Draws& draws) {
  RandomClusterOptions options;
  options.running = false;
  const ClusterObjects from =
      RandomCluster(static_cast<std::uint64_t>(draws.Between(1, INT32_MAX)), options);
  const std::string suffix = "-more" + std::to_string(session);
  ClusterObjects out;
  for (PodGroupRecord group : from.pod_groups) {
    if (!draws.Chance(40)) continue;
    const std::string name = group.meta.name + suffix;
    for (PodRecord pod : from.pods) {
      if (pod.group != group.meta.name || pod.meta.namespace_ != group.meta.namespace_) continue;
      pod.meta.name += suffix;
      pod.meta.uid += suffix;
      pod.group = name;
      pod.constraints = Signed(*pod.constraints);
      out.pods.push_back(std::move(pod));
    }
    group.meta.name = name;
    group.meta.uid += suffix;
    out.pod_groups.push_back(std::move(group));
  }
  return out;
}

}  // namespace

MixedRound::MixedRound(std::uint64_t seed)
    : draws_(seed), now_(1'800'000'000 * kSecond), period_((seed % 3 == 0 ? 30 : 1) * kSecond) {
  while (pipeline_ == nullptr) {
    text_ = RandomConf(seed * (kMostRefused + 1) + static_cast<std::uint64_t>(refused_));
    auto compiled = CompileConf(text_, "conf");
    if (compiled) {
      pipeline_ = compiled->pipeline;
      break;
    }
    if (++refused_ > kMostRefused)
      throw std::runtime_error("every conf is refused: " + compiled.error().message);
  }
  conf_ = ParseConf(text_, "conf", {BuiltinPlugins(), BuiltinActions()}).value();
  cluster_ = std::make_unique<SimCluster>(
      MixedCluster(seed), seed % 2 == 0 ? VictimFate::kRecreated : VictimFate::kGone, now_);
}

CycleResult MixedRound::Decide(const Moment& moment, CycleOptions options) const {
  SnapshotOptions snapshot;
  snapshot.now = moment.now;
  const auto built = BuildSnapshot(moment.objects, snapshot);
  options.slack_before = &moment.slack;
  options.autoscale_before = &moment.autoscale;
  return RunCycle(*built, *pipeline_, options);
}

void MixedRound::Apply(const CycleResult& result) {
  cluster_->Apply(result, now_);
  now_ += period_;
  ++sessions_;
  Happen();
  cluster_->Advance(now_);
  slack_ = result.slack;
  autoscale_ = result.autoscale;
}

void MixedRound::Happen() {
  ObjectUpdate update;
  std::vector<std::string> removed;
  for (const PodRecord& pod : cluster_->Objects()->pods) {
    const bool runs = pod.phase == PodPhase::kRunning && !pod.meta.deleting;
    if (runs && draws_.Chance(5)) {
      PodRecord done = pod;
      done.phase = draws_.Chance(80) ? PodPhase::kSucceeded : PodPhase::kFailed;
      update.with_status.insert("Pod/" + pod.meta.Key());
      update.objects.pods.push_back(std::move(done));
    } else if (draws_.Chance(2)) {
      removed.push_back("Pod/" + pod.meta.Key());
    }
  }
  (void)cluster_->Update(std::move(update), now_);
  for (const std::string& pod : removed) (void)cluster_->Remove(pod);
  if (draws_.Chance(60)) (void)cluster_->Add(MoreJobs(sessions_, draws_), now_);
}

Moment MixedRound::Later(std::uint64_t seed) {
  for (std::uint64_t n = seed % 3; n > 0; --n) Apply(Decide(now()));
  return now();
}

}  // namespace batholith::property
