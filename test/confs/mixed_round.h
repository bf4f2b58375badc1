#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "api/cluster_objects.h"
#include "conf/scheduler_conf.h"
#include "framework/cycle.h"
#include "framework/pipeline.h"
#include "sim/cluster.h"
#include "test/property/draws.h"

namespace batholith::property {

// All that one session starts from.
struct Moment {
  std::shared_ptr<const ClusterObjects> objects;
  TimeNs now = 0;
  SlackReport slack;
  AutoscaleReport autoscale;
};

// A random conf on a random cluster, and the sessions on it. The same seed gives the same round.
class MixedRound {
 public:
  // Confs are drawn until one is accepted.
  explicit MixedRound(std::uint64_t seed);

  const std::string& conf_text() const { return text_; }
  const SchedulerConf& conf() const { return conf_; }
  const Pipeline& pipeline() const { return *pipeline_; }
  int refused() const { return refused_; }  // confs before this one

  Moment now() const { return {cluster_->Objects(), now_, slack_, autoscale_}; }
  // One session on the moment, which changes nothing here.
  CycleResult Decide(const Moment& moment, CycleOptions options = {}) const;
  // Carries the result out and lets the time to the next session pass: what was bound runs, some
  // pods finish or are deleted, and sometimes more jobs come.
  void Apply(const CycleResult& result);
  // A moment from which the round has gone on for up to two sessions.
  Moment Later(std::uint64_t seed);

 private:
  void Happen();

  Draws draws_;
  std::string text_;
  SchedulerConf conf_;
  std::shared_ptr<const Pipeline> pipeline_;
  int refused_ = 0;
  std::unique_ptr<SimCluster> cluster_;
  TimeNs now_;
  TimeNs period_;
  int sessions_ = 0;
  SlackReport slack_;
  AutoscaleReport autoscale_;
};

}  // namespace batholith::property
