#include <gtest/gtest.h>

#include "plugins/overcommit/overcommit.h"
#include "plugins/resourcequota/resourcequota.h"
#include "plugins/sla/sla.h"
#include "test/plugins/plugin_world.h"

namespace batholith {
namespace {

TEST(Overcommit, CountsWhatJobsHoldOnce) {
  PluginWorld world;
  world.AddNode("n1", 10'000);
  world.AddGroup("a", 4).min_resources = ResourceList{{"cpu", 4000}};
  for (int i = 0; i < 4; ++i) world.AddPod("a", "n1");
  world.AddGroup("b", 1).min_resources = ResourceList{{"cpu", 8000}};
  world.AddGroup("c", 1).min_resources = ResourceList{{"cpu", 8001}};
  for (std::size_t i : {1U, 2U}) world.objects.pod_groups[i].phase = JobPhase::kPending;
  world.Open(OvercommitPlugin());  // 10 × 1.2 − 4
  EXPECT_EQ(world.As<JobEnqueueable>().EnqueueJob(JobIndex(1)).vote, Vote::kPermit);
  const EnqueueVote refusal = world.As<JobEnqueueable>().EnqueueJob(JobIndex(2));
  EXPECT_EQ(refusal.vote, Vote::kReject);
  EXPECT_EQ(refusal.why.reason, Reason::kClusterOverused);
  EXPECT_EQ(refusal.short_dims, 1U);
  world.As<JobAdmitted>().OnJobAdmitted(JobIndex(1));
  EXPECT_EQ(world.As<JobEnqueueable>().EnqueueJob(JobIndex(1)).vote, Vote::kReject);
}

TEST(Resourcequota, CountsUseAndAdmittedJobsAndPods) {
  PluginWorld world;
  ResourceQuotaRecord& quota = world.objects.resource_quotas.emplace_back();
  quota.meta.namespace_ = "ns";
  quota.hard = {{"requests.memory", 3'000'000}, {"pods", 4}};
  quota.used = {{"requests.memory", 1'000'000}};
  world.AddGroup("a", 2).min_resources = ResourceList{{"memory", 1000}};
  world.AddGroup("b", 1).min_resources = ResourceList{{"memory", 2001}};
  world.AddGroup("c", 5).min_resources = ResourceList{{"cpu", 1}};
  world.Open(ResourcequotaPlugin());
  const auto& points = world.As<JobEnqueueable>();
  EXPECT_EQ(points.EnqueueJob(JobIndex(0)).vote, Vote::kPermit);
  EXPECT_EQ(points.EnqueueJob(JobIndex(1)).vote, Vote::kReject);
  EXPECT_EQ(points.EnqueueJob(JobIndex(1)).short_dims, 1U << ResourceSchema::kMemory);
  EXPECT_EQ(points.EnqueueJob(JobIndex(2)).short_dims, 1U << ResourceSchema::kPods);
  world.As<JobAdmitted>().OnJobAdmitted(JobIndex(0));
  EXPECT_EQ(points.EnqueueJob(JobIndex(0)).vote, Vote::kPermit);
  world.As<JobAdmitted>().OnJobAdmitted(JobIndex(0));
  EXPECT_EQ(points.EnqueueJob(JobIndex(0)).vote, Vote::kReject);
}

TEST(Sla, OwnWaitingTimeThenTheArgument) {
  PluginWorld world;
  world.AddGroup("a", 1).meta.annotations["sla-waiting-time"] = "3h";
  world.AddGroup("b", 1);
  for (PodGroupRecord& group : world.objects.pod_groups) {
    group.meta.creation = world.now - 2 * PluginWorld::kHour;
  }
  world.Open(SlaPlugin(), {{"sla-waiting-time", "2h"}});
  EXPECT_TRUE(world.As<JobOrder>().CompareJobs(JobIndex(1), JobIndex(0)) < 0);
  EXPECT_EQ(world.As<JobPipelined>().IsJobPipelined(JobIndex(0)), Vote::kAbstain);
  EXPECT_EQ(world.As<JobEnqueueable>().EnqueueJob(JobIndex(1)).vote, Vote::kPermit);
}

}  // namespace
}  // namespace batholith
