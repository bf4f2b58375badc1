// What `batholith job` says of pod groups that are not Volcano's.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

#include "cmd/commands.h"
#include "test/cmd/fake_cluster.h"

namespace batholith {
namespace {

std::string KubernetesGroup(const std::string& version, const std::string& placed) {
  return R"({"apiVersion":"scheduling.k8s.io/)" + version +
         R"(","kind":"PodGroup","metadata":{"namespace":"a","name":"g","labels":{"scheduling.volcano.sh/queue-name":"b"}},
         "spec":{"schedulingPolicy":{"gang":{"minCount":3}}},"status":{"conditions":[{"type":")" +
         (version == "v1alpha2" ? "PodGroupScheduled" : "PodGroupInitiallyScheduled") +
         R"(","status":")" + placed +
         R"(","reason":"Unschedulable","message":"gang short by 2"}]}})";
}

std::string GroupsPath(const std::string& version, const std::string& namespace_ = "") {
  return "/apis/scheduling.k8s.io/" + version +
         (namespace_.empty() ? "" : "/namespaces/" + namespace_) + "/podgroups";
}

// A server tells an object in each version that it has.
TEST(ForeignGroups, groups_of_kubernetes_are_listed_once_in_the_newest_version) {
  for (const char* oldest : {"v1beta1", "v1alpha3", "v1alpha2"}) {
    std::map<std::string, std::string> bodies;
    for (const char* version : {"v1alpha2", "v1alpha3", "v1beta1"}) {
      bodies[GroupsPath(version)] = ListOfItems(KubernetesGroup(version, "True"));
      if (std::string_view(version) == oldest) break;
    }
    bodies["/apis/scheduling.x-k8s.io/v1alpha1/podgroups"] = ListOfItems(
        R"({"metadata":{"namespace":"a","name":"c"},"spec":{"minMember":4},"status":{"phase":"Scheduling","running":1}})");
    const FakeCluster cluster(bodies);
    EXPECT_EQ(
        cluster.Run(JobCommand, {"list", "-A", "-o", "wide"}).out,
        "NAMESPACE   NAME                    CREATION   PHASE        MIN   RUNNING   "
        "SUCCEEDED   FAILED   QUEUE     PRIORITYCLASS\n"
        "a           c@scheduling.x-k8s.io   -          Scheduling   4     1         0        "
        "   0        default   -\n"
        "a           g@scheduling.k8s.io     -          Scheduled    3     -         -        "
        "   -        b         -\n")
        << oldest;
  }
}

TEST(ForeignGroups, explain_finds_a_group_of_kubernetes_in_the_version_that_is_served) {
  for (const char* version : {"v1alpha2", "v1alpha3", "v1beta1"}) {
    const FakeCluster cluster(
        {{GroupsPath(version, "a") + "/g", KubernetesGroup(version, "False")},
         {GroupsPath(version), ListOfItems(KubernetesGroup(version, "False"))},
         {"/api/v1/namespaces/a/pods",
          ListOfItems(
              R"({"metadata":{"namespace":"a","name":"p"},"spec":{"schedulerName":"volcano","schedulingGroup":{"podGroupName":"g"},
              "containers":[{"name":"m"}]},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":"no room"}]}})")}});
    for (const char* name : {"a/g", "a/g@scheduling.k8s.io"}) {
      const CommandResult result = cluster.Run(JobCommand, {"explain", name});
      EXPECT_EQ(result.status, kDone) << result.err;
      EXPECT_EQ(
          result.out.substr(0, result.out.find("\nQueue")),
          "Job:         a/g\n"
          "Phase:       Pending\n"
          "Pods:        1 Pending\n"
          "Starts with: 3 pods at once\n"
          "\n"
          "Why it waits:\n"
          "  " +
              std::string(std::string_view(version) == "v1alpha2" ? "PodGroupScheduled"
                                                                  : "PodGroupInitiallyScheduled") +
              " (Unschedulable): gang short by 2\n"
              "  1 pod (a/p): no room\n");
    }
    EXPECT_EQ(cluster.Run(JobCommand, {"explain", "a/g@scheduling.x-k8s.io"}).status, kAnswerIsNo);
    EXPECT_EQ(cluster.Run(JobCommand, {"explain", "a/g@nobody.io"}).status, kAnswerIsNo);
  }
}

}  // namespace
}  // namespace batholith
