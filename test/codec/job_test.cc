#include "codec/job.h"

#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

constexpr std::string_view kTrain = R"(
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: train, namespace: ns, uid: u1}
spec:
  minAvailable: 3
  queue: q
  priorityClassName: high
  tasks:
  - name: ps
    replicas: 1
    template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
  - name: worker
    replicas: 4
    minAvailable: 2
    partitionPolicy: {totalPartitions: 2, partitionSize: 2, minPartitions: 1}
    template: {spec: {priorityClassName: high, containers: [{name: c, resources: {requests: {cpu: 10}}}]}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 9}
)";

TEST(Job, a_volcano_job_becomes_a_group_and_pods) {
  const Loaded loaded = Decode(kTrain);
  ASSERT_EQ(loaded.objects.pod_groups.size(), 1U) << JoinedLines(loaded.refused);
  const PodGroupRecord& group = loaded.objects.pod_groups[0];
  EXPECT_EQ(group.meta.Key(), "ns/train-u1");
  EXPECT_EQ(group.min_member, 3);
  EXPECT_EQ(group.queue, "q");
  EXPECT_EQ(group.priority_class, "high");
  EXPECT_EQ(group.phase, JobPhase::kPending);
  EXPECT_EQ(group.min_task_member, (std::map<std::string, std::int32_t>{{"ps", 1}, {"worker", 2}}));
  // Workers go first, two of them at 10; then the one ps at 1.
  EXPECT_EQ(group.min_resources, (ResourceList{{"cpu", 21000}}));
  ASSERT_EQ(group.sub_group_policies.size(), 1U);
  EXPECT_EQ(group.sub_group_policies[0].name, "worker");
  EXPECT_EQ(group.sub_group_policies[0].sub_group_size, 2);
  EXPECT_EQ(group.sub_group_policies[0].min_sub_groups, 1);
  ASSERT_EQ(loaded.objects.pods.size(), 5U);
  const PodRecord& last = loaded.objects.pods[4];
  EXPECT_EQ(last.meta.Key(), "ns/train-worker-3");
  EXPECT_EQ(last.scheduler_name, "volcano");
  EXPECT_EQ(last.group, "train-u1");
  EXPECT_EQ(last.task_role, "worker");
  EXPECT_EQ(last.priority, 9);
  EXPECT_EQ(last.meta.owner->uid, "u1");
  EXPECT_EQ(last.meta.annotations.at("scheduling.k8s.io/group-name"), "train-u1");
  EXPECT_EQ(last.meta.annotations.at("volcano.sh/task-spec"), "worker");
  EXPECT_EQ(last.meta.labels.at("volcano.sh/partition-id"), "1");
}

TEST(Job, pods_of_the_input_are_not_made_again) {
  const Loaded loaded = Decode(std::string(kTrain) + R"(
---
{apiVersion: v1, kind: Pod, metadata: {name: train-ps-0, namespace: ns,
  annotations: {volcano.sh/job-name: train, scheduling.k8s.io/group-name: train-u1}}, spec: {schedulerName: volcano}}
)");
  EXPECT_EQ(loaded.objects.pods.size(), 1U) << JoinedLines(loaded.refused);
  ASSERT_EQ(loaded.objects.pod_groups.size(), 1U);
  EXPECT_EQ(loaded.objects.pod_groups[0].meta.name, "train-u1");
}

TEST(Job, a_group_of_the_input_gets_the_pods) {
  const Loaded loaded = Decode(std::string(kTrain) + R"(
---
{apiVersion: scheduling.volcano.sh/v1beta1, kind: PodGroup, metadata: {name: train-u1, namespace: ns}, spec: {minMember: 1}}
)");
  EXPECT_EQ(loaded.objects.pods.size(), 5U) << JoinedLines(loaded.refused);
  ASSERT_EQ(loaded.objects.pod_groups.size(), 1U);
  EXPECT_EQ(loaded.objects.pod_groups[0].min_member, 1);
}

TEST(Job, an_ended_job_becomes_nothing) {
  for (const std::string_view rest :
       {"status: {state: {phase: Completed}}", "status: {state: {phase: Aborted}}"}) {
    std::string text(kTrain);
    text.insert(text.find("---"), std::string(rest) + "\n");
    const Loaded loaded = Decode(text);
    EXPECT_TRUE(loaded.objects.pods.empty() && loaded.objects.pod_groups.empty()) << rest;
    EXPECT_TRUE(loaded.refused.empty()) << JoinedLines(loaded.refused);
  }
}

std::string BatchJob(std::string_view spec, std::string_view pod_spec = "schedulerName: volcano") {
  return "{apiVersion: batch/v1, kind: Job, metadata: {name: b, namespace: ns, annotations: "
         "{scheduling.volcano.sh/group-min-member: '2', scheduling.volcano.sh/queue-name: q}}, "
         "spec: {" +
         std::string(spec) + "template: {spec: {" + std::string(pod_spec) +
         ", containers: [{name: c, resources: {requests: {cpu: 1}}}]}}}}";
}

TEST(Job, a_batch_job_runs_what_its_parallelism_allows) {
  struct Row {
    std::string_view spec;
    std::size_t pods;
  };
  for (const Row& row : std::vector<Row>{{"", 1},
                                         {"parallelism: 3, ", 3},
                                         {"parallelism: 3, completions: 2, ", 2},
                                         {"parallelism: 0, ", 0}}) {
    const Loaded loaded = Decode(BatchJob(row.spec));
    EXPECT_EQ(loaded.objects.pods.size(), row.pods) << row.spec << JoinedLines(loaded.refused);
    ASSERT_EQ(loaded.objects.pod_groups.size(), 1U);
    EXPECT_EQ(loaded.objects.pod_groups[0].min_member, 2);
    EXPECT_EQ(loaded.objects.pod_groups[0].queue, "q");
    EXPECT_EQ(loaded.objects.pod_groups[0].min_resources, (ResourceList{{"cpu", 2000}}));
  }
  const Loaded pods = Decode(BatchJob("parallelism: 2, "));
  EXPECT_EQ(pods.objects.pods.at(1).meta.Key(), "ns/b-1");
  EXPECT_TRUE(Decode(BatchJob("suspend: true, ")).objects.pods.empty());
  EXPECT_TRUE(Decode(BatchJob("", "schedulerName: other")).objects.pod_groups.empty());
}

TEST(Job, a_batch_job_is_a_workload_too) {
  const Loaded loaded =
      Decode(BatchJob("parallelism: 3, completions: 9, selector: {matchLabels: {app: b}}, "));
  EXPECT_EQ(loaded.objects.pods.size(), 3U) << JoinedLines(loaded.refused);
  ASSERT_EQ(loaded.objects.scalables.size(), 1U);
  const ScalableRecord& job = loaded.objects.scalables[0];
  EXPECT_EQ(job.Identity(), "Job.batch/ns/b");
  EXPECT_EQ(job.replicas, 3);
  EXPECT_EQ(job.selector, (LabelSelector{{{"app", Requirement::Op::kIn, {"b"}}}}));
  ASSERT_TRUE(job.pod.has_value());
  EXPECT_EQ(job.pod->meta.Key(), "ns/b");
  EXPECT_EQ(job.pod->request, (ResourceList{{"cpu", 1000}}));
  // Whoever runs it, and whether it runs now.
  EXPECT_EQ(Decode(BatchJob("suspend: true, ")).objects.scalables.size(), 1U);
  EXPECT_EQ(Decode(BatchJob("", "schedulerName: other")).objects.scalables.size(), 1U);
  EXPECT_EQ(Decode(BatchJob("")).objects.scalables.at(0).replicas, 1);
  EXPECT_TRUE(Decode(kTrain).objects.scalables.empty());
}

TEST(Job, a_batch_job_is_refused_as_a_whole) {
  const Loaded loaded = Decode(BatchJob("parallelism: -1, "));
  EXPECT_NE(JoinedLines(loaded.refused).find("Job ns/b: spec.parallelism: -1"), std::string::npos);
  EXPECT_TRUE(loaded.objects.scalables.empty() && loaded.objects.pods.empty());
}

TEST(Job, an_indexed_job_gets_pods_for_the_indexes_that_are_not_completed) {
  struct Row {
    std::string completed;
    std::string pods;  // or what the message says
  };
  for (const Row& row : std::vector<Row>{{"", "ns/b-0 ns/b-1 ns/b-2 "},
                                         {"0", "ns/b-1 ns/b-2 ns/b-3 "},
                                         {"0-1,4", "ns/b-2 ns/b-3 ns/b-5 "},
                                         {"1,3", "ns/b-0 ns/b-2 ns/b-4 "},
                                         {"0-4", "ns/b-5 "},
                                         {"0-2000000000", ""},
                                         {"a", "\"a\" is not a list of indexes"},
                                         {"0-", "is not a list of indexes"},
                                         {"0,", "is not a list of indexes"},
                                         {"0;2", "is not a list of indexes"},
                                         {"3-1", "is not a list of indexes"},
                                         {"-1", "is not a list of indexes"},
                                         {"3,1", "indexes must ascend"}}) {
    const Loaded loaded = Decode(
        "{apiVersion: batch/v1, kind: Job, metadata: {name: b, namespace: ns}, spec: "
        "{parallelism: 3, completions: 6, completionMode: Indexed, template: {spec: "
        "{schedulerName: volcano}}}, status: {completedIndexes: '" +
        row.completed + "'}}");
    std::string pods;
    for (const PodRecord& pod : loaded.objects.pods) pods += pod.meta.Key() + " ";
    const std::string got = loaded.refused.empty() ? pods : loaded.refused[0];
    EXPECT_NE(got.find(row.pods), std::string::npos) << row.completed << ": " << got;
    EXPECT_EQ(got.empty(), row.pods.empty()) << got;
  }
}

TEST(Job, pods_of_a_batch_job_have_the_labels_of_its_controller) {
  const Loaded loaded = Decode(BatchJob("completionMode: Indexed, completions: 1, "));
  ASSERT_EQ(loaded.objects.pods.size(), 1U) << JoinedLines(loaded.refused);
  EXPECT_EQ(loaded.objects.pods[0].meta.labels,
            (Labels{{"job-name", "b"},
                    {"batch.kubernetes.io/job-name", "b"},
                    {"batch.kubernetes.io/job-completion-index", "0"}}));
}

TEST(Job, what_is_not_followed_is_told) {
  const Loaded loaded = Decode(
      "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: "
      "{priorityClassName: none, tasks: [{name: a, template: {spec: {}}}, {name: b, dependsOn: "
      "{name: [a]}, template: {spec: {}}}]}}");
  EXPECT_EQ(JoinedLines(loaded.refused), "");
  EXPECT_EQ(JoinedLines(loaded.warnings),
            "Job default/j: spec.tasks[1].dependsOn: is not waited for: the pods of all tasks are "
            "made at once\n"
            "PodGroup default/j: spec.priorityClassName: no priority class none: counts as no "
            "class\n");
}

TEST(Job, a_bad_job_is_refused_whole) {
  struct Row {
    std::string_view tasks;
    std::string_view expected;
  };
  for (const Row& row : std::vector<Row>{
           {"[{name: a, template: {spec: {}}}, {name: b, template: text}]",
            "Job default/j: spec.tasks[1].template: must be an object"},
           {"[{name: a}]", "spec.tasks[0].template: is missing"},
           {"[{name: a, template: {spec: {}}}, {name: a, template: {spec: {}}}]",
            "spec.tasks[1].name: a appears twice"},
           {"[{name: a, replicas: -1, template: {spec: {}}}]", "spec.tasks[0].replicas: -1 is out"},
           {"[{name: a, replicas: 2000000000, template: {spec: {}}}]",
            "spec.tasks[0].replicas: 2000000000 pods, with 0 that were made before"},
           {"[{name: a, template: {spec: {}}}, {name: b, template: {spec: {containers: [{name: c, "
            "resources: {requests: {cpu: 2c}}}]}}}]",
            "spec.tasks[1].template.spec.containers[0].resources.requests.cpu: \"2c\""}}) {
    const Loaded loaded = Decode(
        "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, "
        "spec: {tasks: " +
        std::string(row.tasks) + "}}");
    EXPECT_TRUE(loaded.objects.pods.empty() && loaded.objects.pod_groups.empty()) << row.tasks;
    EXPECT_NE(JoinedLines(loaded.refused).find(row.expected), std::string::npos)
        << row.expected << "\n"
        << JoinedLines(loaded.refused);
  }
}

}  // namespace
}  // namespace batholith
