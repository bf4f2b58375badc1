#include "sim/scenario/expect.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace batholith {
namespace {

// Job ns/a (at least 2) has a-0 and a-1 bound to n1 and n2; ns/b (at least 2) has one pod of three
// bound; b-2 waits. One eviction, in session 3.
RunOutcome Outcome() {
  RunOutcome run;
  run.cycles = 3;
  ClusterObjects objects;
  const auto group = [&](const char* name, const char* queue) {
    PodGroupRecord g;
    g.meta.name = name;
    g.meta.namespace_ = "ns";
    g.min_member = 2;
    g.queue = queue;
    objects.pod_groups.push_back(std::move(g));
  };
  const auto pod = [&](const char* name, const char* job, const char* node) {
    PodRecord p;
    p.meta.name = name;
    p.meta.namespace_ = "ns";
    p.meta.labels = {{"color", "red"}};
    p.group = job;
    p.node_name = node;
    objects.pods.push_back(p);
    if (*node != 0) {
      run.binds.push_back(
          {1, {"ns/" + p.meta.name, std::string("ns/") + job, "", node, "allocate"}});
    }
  };
  group("a", "q1");
  group("b", "ns");  // a queue of the namespace's name
  pod("a-0", "a", "n1");
  pod("a-1", "a", "n2");
  pod("b-0", "b", "n1");
  pod("b-2", "b", "");
  for (const char* name : {"q1", "ns"}) {
    objects.queues.emplace_back();
    objects.queues.back().meta.name = name;
  }
  objects.namespaces.emplace_back();
  objects.namespaces.back().meta.name = "ns";
  run.evictions.push_back({3, {"ns/b-1", "ns/b", "ns", "n2", "preempt", "ns/a", ""}});
  JobStatus a{"ns/a", "q1", JobPhase::kRunning, 2, {{"Running", 2}}, {}, "", 0, {}};
  a.conditions.Edit().push_back({"Scheduled", "True", "ready", "all is well"});
  run.last.jobs.push_back(std::move(a));
  QueueStatus q1;
  q1.name = "q1";
  q1.share = 0.5;
  q1.deserved = {{"cpu", 8000}};
  q1.allocated = {{"memory", 1 << 30}};
  run.last.queues.push_back(std::move(q1));
  run.traces["ns/a-0"] = {"ns/a-0", {"n1", "n2"}, {{"n1", 12.5}}};
  run.objects = std::make_shared<const ClusterObjects>(std::move(objects));
  return run;
}

std::size_t Failures(const std::string& expect) {
  const boost::json::value block = boost::json::parse(expect);
  EXPECT_NO_THROW(CheckExpectShape(Field(&block, "expect"))) << expect;
  return CheckExpect(block.as_object(), Outcome()).size();
}

TEST(Expect, WhatHolds) {
  for (const std::string expect : {
           R"({})",
           R"({"bound": {"pods": ["ns/a-0", "ns/a-1", "ns/b-0"], "only": true, "count": 3}})",
           R"({"bound": {"pods": {"ns/a-0": "n1", "ns/a-1": ["n1", "n2"], "ns/b-0": "*"}}})",
           R"({"bound": {"never": ["ns/b-2"], "from": ["ns/a", "ns/b-0"]}})",
           R"({"bound": {"count": {"ns/a": 2, "q1": 2, "n1": 2, "total": 3, "queue:ns": 1}}})",
           R"({"bound": {"count": {"min": 1, "max": 3}, "distinctNodes": true}})",
           R"({"bound": {"count": [1, 3], "wholeGangs": ["ns/a"]}})",
           R"({"evicted": {"pods": {"ns/b-1": "n2"}, "count": {"ns/b": 1, "ns/a": 0}}})",
           R"({"pending": {"pods": ["ns/b-2"], "only": true}, "pipelined": {"count": 0}})",
           R"({"jobs": {"ns/a": {"phase": ["Inqueue", "Running"], "ready": 2, "pending": 0}}})",
           R"({"jobs": {"ns/a": {"conditions": [{"type": "Scheduled", "message": "is well"}]}}})",
           R"({"queues": {"q1": {"deserved": {"cpu": "8", "memory": 0}, "share": "0.5"}}})",
           R"({"queues": {"q1": {"allocated": {"memory": "1Gi"}, "state": "Open"}}})",
           R"({"pods": {"ns/a-0": {"node": "n1", "labels": {"color": "red", "size": null}}}})",
           R"({"scores": {"ns/a-0": {"n1": "12.5"}}, "feasible": {"ns/a-0": ["n2", "n1"]}})",
           R"({"noEvictionsAfter": 3})",
           R"({"anyOf": [{"bound": {"count": 9}}, {"bound": {"count": 3}}]})",
       }) {
    EXPECT_EQ(Failures(expect), 0U) << expect;
  }
}

TEST(Expect, WhatDoesNotHold) {
  for (const std::string expect : {
           R"({"bound": {"pods": ["ns/b-2"]}})",
           R"({"bound": {"pods": {"ns/a-0": "n2"}}})",
           R"({"bound": {"pods": ["ns/a-0"], "only": true}})",
           R"({"bound": {"never": ["ns/a-0"]}})",
           R"({"bound": {"from": ["ns/a"]}})",
           R"({"bound": {"count": {"min": 4}}})",
           R"({"bound": {"count": {"ns": 3}}})",  // the queue has 1, the namespace 3
           R"({"bound": {"wholeGangs": true}})",
           R"({"evicted": {"count": {"ns/a": 1}}})",
           R"({"jobs": {"ns/a": {"phase": "Pending"}}})",
           R"({"jobs": {"ns/ghost": {}}})",
           R"({"jobs": {"ns/a": {"conditions": [{"type": "Scheduled", "status": "False"}]}}})",
           R"({"queues": {"q1": {"deserved": {"cpu": "7999m"}}}})",
           R"({"queues": {"q1": {"share": 0.6}}})",
           R"({"pods": {"ns/a-0": {"labels": {"color": null}}}})",
           R"({"pods": {"ns/ghost": {}}})",
           R"({"scores": {"ns/a-0": {"n1": 12}}})",
           R"({"feasible": {"ns/a-0": ["n1"]}})",
           R"({"noEvictionsAfter": 2})",
           R"({"anyOf": [{"bound": {"count": 9}}, {"bound": {"count": 8}}]})",
       }) {
    EXPECT_EQ(Failures(expect), 1U) << expect;
  }
}

TEST(Expect, AFailureNamesWhatCameOut) {
  const boost::json::value block =
      boost::json::parse(R"({"bound": {"count": 2}, "queues": {"q1": {"deserved": {"cpu": 9}}}})");
  const std::vector<Failure> failures = CheckExpect(block.as_object(), Outcome());
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0].expected, "bound: count 2");
  EXPECT_EQ(failures[0].got, "3: ns/a-0, ns/a-1, ns/b-0");
  EXPECT_EQ(failures[1].expected, "queues.q1.deserved.cpu = 9");
  EXPECT_EQ(failures[1].got, "8");
}

}  // namespace
}  // namespace batholith
