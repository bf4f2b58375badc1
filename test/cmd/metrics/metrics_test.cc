#include "cmd/metrics/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <thread>

#include "cmd/metrics/table.h"
#include "test/cmd/metrics/samples.h"

namespace batholith {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// One of everything that a session reports.
CycleResult FullResult() {
  CycleResult result;
  result.binds = {{"a/p1", "a/j1", "q1", "n1", "allocate"},
                  {"a/p2", "a/j1", "q1", "n1", "backfill"}};
  result.evictions = {{"b/v1", "b/w", "q2", "n1", "reclaim", "a/j2", ""},
                      {"b/v2", "b/w", "q2", "n2", "reclaim", "a/j2", ""},
                      {"b/v3", "b/w", "q2", "n2", "shuffle", "", ""}};
  result.pipelined = {{"a/p3", "a/j2", "n1", "reclaim"}, {"a/p4", "a/j3", "n2", "allocate"}};
  JobStatus job;
  job.key = "a/j2";
  job.min_member = 5;
  job.tasks = {{"Pending", 3}, {"Running", 1}, {"Bound", 1}};
  job.share = 0.125;
  job.conditions = {{"Unschedulable", "True", "NotEnoughResources", ""}};
  result.jobs = {job};
  QueueStatus queue;
  queue.name = "q1";
  queue.weight = 3;
  queue.share = 0.5;
  queue.allocated = {{"cpu", 1500}, {"memory", 1 << 30}, {"pods", 2}};
  queue.request = {{"cpu", 2500}, {"memory", 2LL << 30}, {"nvidia.com/gpu", 4000}, {"pods", 6}};
  queue.deserved = {{"cpu", 3000}};
  queue.capability = {{"cpu", 8000}, {"memory", 1LL << 33}, {"nvidia.com/gpu", 8000}};
  queue.inqueue = {{"cpu", 1000}};
  queue.overused = true;
  result.queues = {queue};
  result.namespaces = {{"q1", "a", 2, 0.25, {}}};
  QuotaStatus quota;
  quota.name = "a/team";
  quota.kind = "ElasticQuota";
  quota.group = "scheduling.sigs.k8s.io";
  quota.min = {{"cpu", 4000}};
  quota.used = {{"cpu", 1500}, {"memory", 1 << 20}, {"nvidia.com/gpu", 2000}};
  quota.runtime = {{"cpu", 5000}};
  result.quotas = {quota};
  result.slack.ran = result.autoscale.ran = true;
  result.slack.sources = {{"buffer/a/b", {{"cpu", 1000}}, {"n1"}, "", {}}};
  result.autoscale.groups.resize(1);
  result.autoscale.groups[0].name = "g1";
  result.autoscale.blocked = {{"Utilization", 2}};
  return result;
}

// Tells each metric something.
void TellAll(Metrics& metrics) {
  const CycleResult result = FullResult();
  metrics.ObserveSession({0.001, 0.002, 0.003, 0.1, {{"allocate", 0.05}}, 2, 1.5, &result});
  metrics.ObserveBindLatency(0.004);
  metrics.CountRefusals(3);
  metrics.SetWatch("Pod", "synced", 0.5);
  metrics.SetUnreadable("Pod", 2);
  metrics.CountConfReload(true);
  metrics.SetLeftOut(std::vector<std::pair<std::string, std::string>>{{"plugin", "usage"}});
  metrics.SetBuild("0.1.0", "abc", "Release", "GNU 12");
  metrics.SetLeader(true);
  metrics.SetEvictionRounds(std::vector<EvictionRound>{{"b/w", "a/j2", "reclaim", 3, 1}});
}

TEST(Metrics, of_what_the_conf_lacks_go_with_it) {
  Metrics metrics;
  metrics.SetLeftOut(
      std::vector<std::pair<std::string, std::string>>{{"plugin", "usage"}, {"action", "x"}});
  metrics.SetLeftOut(std::vector<std::pair<std::string, std::string>>{{"plugin", "usage"}});
  EXPECT_THAT(Samples(metrics, "batholith_conf_left_out{"),
              ElementsAre("batholith_conf_left_out{kind=\"plugin\",name=\"usage\"} 1"));
}

TEST(MetricTable, has_histograms_with_buckets_and_names_of_volcano_or_our_own) {
  std::set<std::string_view> names;
  for (const MetricRow& row : MetricTable()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.type == MetricType::kHistogram, row.buckets.count > 1) << row.name;
    EXPECT_TRUE(row.name.starts_with("volcano_") || row.name.starts_with("batholith_")) << row.name;
    EXPECT_TRUE(!row.name.starts_with("batholith_") || row.type != MetricType::kCounter ||
                row.name.ends_with("_total"))
        << row.name;
  }
}

// What is printed has the table's names, types, helps and labels, and all of them.
TEST(Metrics, print_exactly_the_table) {
  Metrics metrics;
  TellAll(metrics);
  const std::vector<std::string> lines = Lines(metrics.Text());
  std::map<std::string, std::string> types;
  for (const std::string& line : lines) {
    if (!line.starts_with("# TYPE ")) continue;
    std::istringstream words(line.substr(7));
    std::string name;
    words >> name;
    words >> types[name];
  }
  EXPECT_EQ(types.size(), MetricTable().size());
  for (const MetricRow& row : MetricTable()) {
    const std::string name(row.name);
    EXPECT_EQ(types[name], MetricTypeName(row.type)) << name;
    EXPECT_THAT(lines, Contains("# HELP " + name + " " + std::string(row.help)));
    for (const std::string& sample : Samples(metrics, name + "{")) {
      for (const std::string_view label : row.labels())
        EXPECT_THAT(sample, HasSubstr(std::string(label) + "=\"")) << name;
    }
  }
}

TEST(Metrics, tell_queues_in_volcano_s_units) {
  Metrics metrics;
  Observe(metrics, FullResult());
  EXPECT_THAT(Samples(metrics, "volcano_queue_allocated_milli_cpu"),
              ElementsAre("volcano_queue_allocated_milli_cpu{queue_name=\"q1\"} 1500"));
  EXPECT_THAT(Samples(metrics, "volcano_queue_request_memory_bytes"),
              ElementsAre("volcano_queue_request_memory_bytes{queue_name=\"q1\"} 2147483648"));
  EXPECT_THAT(
      Samples(metrics, "volcano_queue_request_scalar_resources"),
      Contains(
          "volcano_queue_request_scalar_resources{queue_name=\"q1\",resource=\"nvidia.com/gpu\"} "
          "4000"));
  // Nobody holds a GPU: 0, and not nothing.
  EXPECT_THAT(
      Samples(metrics, "volcano_queue_allocated_scalar_resources"),
      Contains(
          "volcano_queue_allocated_scalar_resources{queue_name=\"q1\",resource=\"nvidia.com/gpu\"} "
          "0"));
  EXPECT_THAT(Samples(metrics, "volcano_queue_share"),
              ElementsAre("volcano_queue_share{queue_name=\"q1\"} 0.5"));
  EXPECT_THAT(Samples(metrics, "volcano_queue_weight"),
              ElementsAre("volcano_queue_weight{queue_name=\"q1\"} 3"));
  EXPECT_THAT(Samples(metrics, "volcano_queue_capacity_milli_cpu"),
              ElementsAre("volcano_queue_capacity_milli_cpu{queue_name=\"q1\"} 8000"));
  EXPECT_THAT(Samples(metrics, "volcano_queue_inqueue_milli_cpu"),
              ElementsAre("volcano_queue_inqueue_milli_cpu{queue_name=\"q1\"} 1000"));
  EXPECT_THAT(Samples(metrics, "volcano_queue_overused"),
              ElementsAre("volcano_queue_overused{queue_name=\"q1\"} 1"));
  EXPECT_THAT(Samples(metrics, "volcano_job_share"),
              ElementsAre("volcano_job_share{job_id=\"j2\",job_ns=\"a\"} 0.125"));
}

TEST(Metrics, say_nothing_of_what_a_queue_s_capability_does_not_name) {
  Metrics metrics;
  CycleResult result = FullResult();
  result.queues[0].capability = {{"memory", 1 << 20}};
  Observe(metrics, result);
  EXPECT_THAT(Samples(metrics, "volcano_queue_capacity_"),
              ElementsAre("volcano_queue_capacity_memory_bytes{queue_name=\"q1\"} 1048576"));
}

// 0.25 / 2 = 0.125.
TEST(Metrics, tell_namespaces_by_their_weight) {
  Metrics metrics;
  Observe(metrics, FullResult());
  EXPECT_THAT(
      Samples(metrics, "volcano_namespace_weighted_share"),
      ElementsAre("volcano_namespace_weighted_share{namespace_name=\"a\",queue_name=\"q1\"} "
                  "0.125"));
}

// 5 needed, 1 runs and 1 is bound: 3 lack.
TEST(Metrics, tell_what_unschedulable_jobs_lack) {
  Metrics metrics;
  CycleResult result = FullResult();
  Observe(metrics, result);
  EXPECT_THAT(Samples(metrics, "volcano_unschedule_"),
              ElementsAre("volcano_unschedule_task_count{job_id=\"a/j2\"} 3",
                          "volcano_unschedule_job_count 1"));
  result.jobs[0].conditions = {{"Scheduled", "True", "", ""}};
  Observe(metrics, result);
  EXPECT_THAT(Samples(metrics, "volcano_unschedule_"),
              ElementsAre("volcano_unschedule_job_count 0"));
}

// 1500 thousandths of a core, 2000 thousandths of a GPU.
TEST(Metrics, tell_quotas_in_whole_units) {
  Metrics metrics;
  Observe(metrics, FullResult());
  const std::string labels =
      "{group=\"scheduling.sigs.k8s.io\",kind=\"ElasticQuota\",quota=\"a/team\",resource=";
  const std::vector<std::string> used = Samples(metrics, "batholith_quota_used");
  EXPECT_THAT(used, Contains("batholith_quota_used" + labels + "\"cpu\"} 1.5"));
  EXPECT_THAT(used, Contains("batholith_quota_used" + labels + "\"memory\"} 1048576"));
  EXPECT_THAT(used, Contains("batholith_quota_used" + labels + "\"nvidia.com/gpu\"} 2"));
  EXPECT_THAT(Samples(metrics, "batholith_quota_min"),
              ElementsAre("batholith_quota_min" + labels + "\"cpu\"} 4"));
  EXPECT_THAT(Samples(metrics, "batholith_quota_runtime"),
              ElementsAre("batholith_quota_runtime" + labels + "\"cpu\"} 5"));
}

TEST(Metrics, count_decisions_of_all_sessions) {
  Metrics metrics;
  Observe(metrics, FullResult());
  Observe(metrics, FullResult());
  const std::vector<std::string> decisions = Samples(metrics, "batholith_decisions_total");
  EXPECT_EQ(decisions.size(), 6U);
  EXPECT_THAT(decisions,
              Contains("batholith_decisions_total{action=\"reclaim\",kind=\"evict\"} 4"));
  EXPECT_THAT(decisions,
              Contains("batholith_decisions_total{action=\"backfill\",kind=\"bind\"} 2"));
  EXPECT_THAT(decisions,
              Contains("batholith_decisions_total{action=\"allocate\",kind=\"pipeline\"} 2"));
}

// Reclaim evicts v1 and v2 for a/j2 and keeps room for a/p3 of it; shuffle evicts v3 for nobody;
// a/p4 waits for room that nobody was evicted for.
TEST(Metrics, count_evictions_by_whom_they_are_for) {
  Metrics metrics;
  Observe(metrics, FullResult());
  Observe(metrics, FullResult());
  EXPECT_THAT(Samples(metrics, "volcano_pod_preemption_victims"),
              ElementsAre("volcano_pod_preemption_victims 2"));
  EXPECT_THAT(Samples(metrics, "volcano_total_preemption_attempts"),
              ElementsAre("volcano_total_preemption_attempts 2"));
  const std::vector<std::string> evictions = Samples(metrics, "volcano_eviction_transactions");
  EXPECT_THAT(evictions, Contains("volcano_eviction_transactions_total{action=\"reclaim\"} 2"));
  EXPECT_THAT(evictions, Contains("volcano_eviction_transactions_total{action=\"shuffle\"} 2"));
  Observe(metrics, {});
  EXPECT_THAT(Samples(metrics, "volcano_pod_preemption_victims"),
              ElementsAre("volcano_pod_preemption_victims 0"));
}

TEST(Metrics, forget_objects_that_are_gone) {
  Metrics metrics;
  CycleResult result = FullResult();
  result.queues.push_back(result.queues[0]);
  result.queues[1].name = "gone";
  Observe(metrics, result);
  EXPECT_THAT(metrics.Text(), HasSubstr("queue_name=\"gone\""));
  result.queues.pop_back();
  Observe(metrics, result);
  EXPECT_THAT(metrics.Text(), Not(HasSubstr("queue_name=\"gone\"")));
  EXPECT_THAT(metrics.Text(), HasSubstr("queue_name=\"q1\""));
  Observe(metrics, {});
  for (const char* label :
       {"queue_name=", "job_id=", "namespace_name=", "quota=", "buffer=", "source=", "group=\"g1"})
    EXPECT_THAT(metrics.Text(), Not(HasSubstr(label)));
}

TEST(Metrics, do_not_grow_with_the_objects_that_came_and_went) {
  Metrics metrics;
  CycleResult result = FullResult();
  Observe(metrics, result);
  const std::size_t lines = Lines(metrics.Text()).size();
  for (int i = 0; i < 100; ++i) {
    result.jobs[0].key = result.queues[0].name = "x" + std::to_string(i);
    result.namespaces[0].name = result.quotas[0].name = result.jobs[0].key;
    result.slack.sources[0].name = "buffer/a/" + result.jobs[0].key;
    result.autoscale.groups[0].name = result.jobs[0].key;
    Observe(metrics, result);
  }
  EXPECT_EQ(Lines(metrics.Text()).size(), lines);
}

TEST(Metrics, keep_what_the_last_session_said_where_none_ran) {
  Metrics metrics;
  Observe(metrics, FullResult());
  metrics.ObserveSession({.total_s = 0.01});
  EXPECT_THAT(metrics.Text(), HasSubstr("queue_name=\"q1\""));
  EXPECT_THAT(Samples(metrics, "volcano_e2e_scheduling_latency_milliseconds_count"),
              ElementsAre("volcano_e2e_scheduling_latency_milliseconds_count 2"));
}

// 100 ms, of them 20 + 30 in actions.
TEST(Metrics, tell_how_long_a_cycle_and_its_parts_took) {
  Metrics metrics;
  metrics.ObserveSession(
      {0.01, 0.02, 0.005, 0.1, {{"enqueue", 0.02}, {"allocate", 0.03}}, 7, 1.5, nullptr});
  EXPECT_THAT(Samples(metrics, "volcano_e2e_scheduling_latency_milliseconds_sum"),
              ElementsAre("volcano_e2e_scheduling_latency_milliseconds_sum 100"));
  EXPECT_THAT(Samples(metrics, "volcano_open_session_duration_milliseconds_sum"),
              ElementsAre("volcano_open_session_duration_milliseconds_sum 20"));
  EXPECT_THAT(
      Samples(metrics, "volcano_action_scheduling_latency_milliseconds_sum"),
      Contains("volcano_action_scheduling_latency_milliseconds_sum{action=\"allocate\"} 30"));
  EXPECT_THAT(Samples(metrics, "batholith_cycle_phase_seconds_sum"),
              Contains("batholith_cycle_phase_seconds_sum{phase=\"actions\"} 0.05"));
  EXPECT_THAT(Samples(metrics, "batholith_cycle_phase_seconds_sum"),
              Contains("batholith_cycle_phase_seconds_sum{phase=\"snapshot\"} 0.01"));
  EXPECT_THAT(Samples(metrics, "batholith_assumed_"),
              ElementsAre("batholith_assumed_orders 7", "batholith_assumed_oldest_seconds 1.5"));
}

// range(1, 5000, 20): the first bound 1, the last 5000, then infinity.
TEST(Metrics, have_volcano_s_buckets) {
  Metrics metrics;
  metrics.ObserveSession({.total_s = 5});
  const auto buckets = Samples(metrics, "volcano_e2e_scheduling_latency_milliseconds_bucket");
  ASSERT_EQ(buckets.size(), 21U);
  EXPECT_THAT(buckets.front(), HasSubstr("{le=\"1\"} 0"));
  EXPECT_THAT(buckets[18], HasSubstr("} 0"));
  EXPECT_THAT(buckets[19], HasSubstr("{le=\"5000\"} 1"));
  EXPECT_THAT(buckets[20], HasSubstr("{le=\"+Inf\"} 1"));
}

TEST(Metrics, have_one_state_for_each_watch) {
  Metrics metrics;
  metrics.SetWatch("Pod", "syncing", 0);
  metrics.SetWatch("Node", "synced", 2);
  metrics.SetWatch("Pod", "synced", 1.5);
  EXPECT_THAT(
      Samples(metrics, "batholith_watch_state"),
      ::testing::UnorderedElementsAre("batholith_watch_state{kind=\"Node\",state=\"synced\"} 1",
                                      "batholith_watch_state{kind=\"Pod\",state=\"synced\"} 1"));
  EXPECT_THAT(Samples(metrics, "batholith_watch_lag_seconds"),
              ::testing::UnorderedElementsAre("batholith_watch_lag_seconds{kind=\"Node\"} 2",
                                              "batholith_watch_lag_seconds{kind=\"Pod\"} 1.5"));
}

TEST(Metrics, count_refusals_and_reloads_from_zero) {
  Metrics metrics;
  EXPECT_THAT(Samples(metrics, "batholith_refusals_total"),
              ElementsAre("batholith_refusals_total 0"));
  metrics.CountRefusals(5);
  metrics.CountRefusals(5);
  metrics.CountRefusals(4);  // a total never falls
  EXPECT_THAT(Samples(metrics, "batholith_refusals_total"),
              ElementsAre("batholith_refusals_total 5"));
  metrics.CountConfReload(false);
  EXPECT_THAT(
      Samples(metrics, "batholith_conf_reloads_total"),
      ::testing::UnorderedElementsAre("batholith_conf_reloads_total{result=\"ok\"} 0",
                                      "batholith_conf_reloads_total{result=\"refused\"} 1"));
}

TEST(Metrics, count_failed_sessions_from_zero) {
  Metrics metrics;
  EXPECT_THAT(Samples(metrics, "batholith_session_failures_total"),
              ElementsAre("batholith_session_failures_total 0"));
  metrics.CountSessionFailure();
  EXPECT_THAT(Samples(metrics, "batholith_session_failures_total"),
              ElementsAre("batholith_session_failures_total 1"));
}

TEST(Metrics, count_sessions_that_were_not_run_and_snapshots_that_were_built_anew) {
  Metrics metrics;
  metrics.CountStillSession();
  EXPECT_THAT(Samples(metrics, "batholith_still_sessions_total"),
              ElementsAre("batholith_still_sessions_total 1"));
  metrics.ObserveSession({.built_anew = true});
  metrics.ObserveSession({});
  EXPECT_THAT(Samples(metrics, "batholith_snapshots_built_total"),
              ElementsAre("batholith_snapshots_built_total 1"));
}

TEST(Metrics, say_who_leads) {
  Metrics metrics;
  EXPECT_THAT(Samples(metrics, "batholith_leader"), ElementsAre("batholith_leader 0"));
  metrics.SetLeader(true);
  EXPECT_THAT(Samples(metrics, "batholith_leader"), ElementsAre("batholith_leader 1"));
}

TEST(Metrics, escape_what_would_break_a_line) {
  Metrics metrics;
  metrics.SetWatch("a\"b\\c\nd", "synced", 0);
  EXPECT_THAT(Samples(metrics, "batholith_watch_lag_seconds"),
              ElementsAre("batholith_watch_lag_seconds{kind=\"a\\\"b\\\\c\\nd\"} 0"));
}

TEST(Metrics, are_read_while_several_threads_tell) {
  Metrics metrics;
  const CycleResult result = FullResult();
  std::thread sessions([&] {
    for (int i = 0; i < 200; ++i) Observe(metrics, i % 2 == 0 ? result : CycleResult());
  });
  std::thread binds([&] {
    for (int i = 0; i < 200; ++i) {
      metrics.ObserveBindLatency(0.001);
      metrics.SetWatch("Pod", i % 2 == 0 ? "synced" : "failing", 0);
    }
  });
  for (int i = 0; i < 50; ++i) EXPECT_THAT(metrics.Text(), Not(IsEmpty()));
  sessions.join();
  binds.join();
  EXPECT_THAT(Samples(metrics, "volcano_scheduling_stage_duration_milliseconds_count"),
              ElementsAre("volcano_scheduling_stage_duration_milliseconds_count{stage=\"Bind\"} "
                          "200"));
}

}  // namespace
}  // namespace batholith
