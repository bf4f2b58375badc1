#include "sim/scenario/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>

#include "sim/scenario/check_scenario.h"
#include "sim/scenario/manifests.h"

namespace batholith {
namespace {

// The message of a scenario that is none.
std::string Refusal(const std::string& spec) {
  const auto parsed = ParseScenarios("kind: Scenario\nspec:\n" + spec, "s.yaml");
  return parsed ? "accepted" : parsed.error().message;
}

Scenario Parsed(const std::string& spec) {
  auto parsed = ParseScenarios("kind: Scenario\nmetadata: {name: s}\nspec:\n" + spec, "s.yaml");
  EXPECT_TRUE(parsed) << parsed.error().message;
  return parsed ? std::move(parsed->front()) : Scenario();
}

std::string Problems(const std::string& spec) {
  std::string out;
  for (const Failure& f : CheckScenario(Parsed(spec)).failures) {
    out += f.expected + " / " + f.got + "\n";
  }
  return out;
}

TEST(Scenario, AMisspeltFieldIsToldItsNeighbour) {
  EXPECT_EQ(Refusal("  cicles: 1\n"),
            "s.yaml: document 1: spec: unknown field \"cicles\"; did you mean \"cycles\"?");
  EXPECT_NE(Refusal("  nodes: [{name: n, lables: {}}]\n").find("did you mean \"labels\"?"),
            std::string::npos);
  EXPECT_NE(Refusal("  flags: {default-que: q}\n").find("did you mean \"default-queue\"?"),
            std::string::npos);
}

TEST(Scenario, AWrongShapeIsRefusedWithItsPlace) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"  cycles: often\n", "spec.cycles"},
      {"  victims: eaten\n", "spec.victims"},
      {"  now: yesterday\n", "spec.now"},
      {"  period: long\n", "spec.period"},
      {"  nodes: {name: n}\n", "spec.nodes: must be a list, not an object"},
      {"  jobs: [{name: j, tasks: -1}]\n", "spec.jobs[0].tasks"},
      {"  jobs: [{name: j, tasks: 1, running: {n: 2}}]\n", "spec.jobs[0].running"},
      {"  jobs: [{tasks: 1}]\n", "spec.jobs[0]: a name is needed"},
      {"  events: [{add: []}]\n", "spec.events[0]: a cycle is needed"},
      {"  replicate: {Pod/default/p: 2}\n", "no object Pod/default/p"},
      {"  files: [no-such-file.yaml]\n", "no-such-file.yaml"},
  };
  for (const auto& [spec, message] : cases) {
    EXPECT_NE(Refusal(spec).find(message), std::string::npos) << spec << Refusal(spec);
  }
}

TEST(Scenario, AWrongShapeOfAnExpectationIsRefused) {
  for (const std::string expect :
       {"bound: 3", "bound: {pods: 3}", "bound: {from: 3}", "bound: {only: maybe}",
        "bound: {count: many}", "bound: {count: {min: few}}", "bound: {wholeGangs: {a: 1}}",
        "jobs: {a: {phse: Running}}", "jobs: {a: {conditions: [3]}}", "queues: {q: {deserved: 3}}",
        "pods: {p: {labels: [a]}}", "scores: {p: 3}", "feasible: {p: {n: 1}}", "anyOf: {}",
        "anyOf: []", "anyOf: [{bund: {}}]", "noEvictionsAfter: two", "error: {a: b}"}) {
    EXPECT_NE(Refusal("  expect: {" + expect + "}\n").find("spec.expect"), std::string::npos)
        << expect << ": " << Refusal("  expect: {" + expect + "}\n");
  }
}

TEST(Scenario, AFileWithoutAScenarioIsNone) {
  EXPECT_FALSE(ParseScenarios("", "s.yaml"));
  EXPECT_FALSE(ParseScenarios("kind: Pod\n", "s.yaml"));
  EXPECT_FALSE(ParseScenarios("- 1\n", "s.yaml"));
  EXPECT_FALSE(LoadScenarios("no-such-folder/s.yaml"));
}

TEST(Scenario, ShortFormsBecomeObjects) {
  const Scenario s = Parsed(
      "  nodes: [{name: n1, cpu: 0.5}]\n"
      "  jobs: [{name: j, queue: q, minMember: 1, tasks: 2, cpu: 1, running: {n1: 1}}]\n");
  std::vector<std::string> references;
  for (const Manifest& m : s.objects) references.push_back(ReferenceOf(m.value));
  EXPECT_EQ(references,
            (std::vector<std::string>{"Node/n1", "PodGroup/default/j", "Pod/default/j-0",
                                      "Pod/default/j-1", "Queue/q", "Namespace/default"}));
  const auto at = [&](std::size_t i, const char* pointer) {
    return boost::json::serialize(s.objects[i].value.at_pointer(pointer));
  };
  EXPECT_EQ(at(0, "/status/allocatable"), R"({"cpu":"0.5","pods":"110"})");
  EXPECT_EQ(at(1, "/status/phase"), "\"Running\"");  // 1 of the 1 needed runs
  EXPECT_EQ(at(2, "/spec/nodeName"), "\"n1\"");
  EXPECT_EQ(at(3, "/status/phase"), "\"Pending\"");
}

TEST(Scenario, ExpandedItMeansTheSame) {
  const Scenario s = Parsed(
      "  conf: {actions: allocate, tiers: [{plugins: [{name: gang}, {name: predicates}]}]}\n"
      "  nodes: [{name: n1, cpu: 1}]\n"
      "  jobs: [{name: j, minMember: 1, tasks: 2, cpu: 1}]\n"
      "  expect: {bound: {pods: {default/j-0: n1}, only: true}}\n");
  auto again = ParseScenarios(boost::json::serialize(ExpandedDocument(s)), "again.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(CheckScenario(s).passed());
  EXPECT_TRUE(CheckScenario(again->front()).passed());
}

TEST(Scenario, AnExpectedErrorThatDoesNotComeIsAFailure) {
  EXPECT_EQ(Problems("  expect: {error: wheel}\n"), "an error that says \"wheel\" / no error\n");
}

TEST(Scenario, ARefusedObjectIsLeftOutAndTold) {
  const Scenario s = Parsed(
      "  objects: [{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: "
      "2c}}}]\n");
  const Verdict verdict = CheckScenario(s);
  EXPECT_TRUE(verdict.passed());
  ASSERT_EQ(verdict.refused.size(), 1U);
  EXPECT_NE(verdict.refused[0].find("2c"), std::string::npos);
}

// j-0 fills the node in session 1; the node grows before session 2. Without `status` an update
// keeps what the node had.
// Whoever stored them had no webhook, so the run says which of them counts.
TEST(Scenario, AShadowedQuotaIsToldOnce) {
  const Verdict verdict = CheckScenario(Parsed(R"(
  conf:
    actions: "allocate"
    tiers: [{plugins: [{name: elasticquota}]}]
  cycles: 3
  quotas:
  - {name: flat, namespace: a, min: {cpu: 4}}
  - {name: own, namespace: a, group: nos.nebuly.com, min: {cpu: 4}}
)"));
  EXPECT_EQ(std::ranges::count(verdict.warnings,
                               "ElasticQuota a/flat (scheduling.x-k8s.io) is shadowed in namespace "
                               "a by ElasticQuota a/own (nos.nebuly.com)"),
            1);
}

TEST(Scenario, AnUpdateWithAStatusBringsIt) {
  const auto spec = [](const std::string& node, int bound) {
    return "  conf: {actions: allocate, tiers: [{plugins: [{name: gang}, {name: predicates}]}]}\n"
           "  cycles: 2\n"
           "  nodes: [{name: n1, cpu: 1}]\n"
           "  jobs: [{name: j, minMember: 1, tasks: 2, cpu: 1}]\n"
           "  events: [{cycle: 2, update: [{apiVersion: v1, kind: Node, metadata: {name: n1}" +
           node + "}]}]\n  expect: {bound: {count: " + std::to_string(bound) + "}}\n";
  };
  EXPECT_EQ(Problems(spec(", status: {allocatable: {cpu: 2, pods: 110}}", 2)), "");
  EXPECT_EQ(Problems(spec("", 1)), "");
}

TEST(Scenario, AnEventThatCannotHappenIsAFailure) {
  EXPECT_EQ(Problems("  events: [{cycle: 1, remove: [Pod/default/ghost]}]\n"),
            "the events happen / event of session 1: remove Pod/default/ghost: no such object\n");
}

}  // namespace
}  // namespace batholith
