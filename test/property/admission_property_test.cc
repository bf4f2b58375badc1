// What action enqueue lets in: namespaces of a queue end with their shares however the backlog
// looks, and a group that has a right to its room is never refused for the room of the cluster.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "scheduler/compile_conf.h"
#include "sim/run/run_sessions.h"
#include "test/property/draws.h"
#include "test/property/property_env.h"

namespace batholith::property {
namespace {

constexpr const char* kGroup =
    R"({{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{{"name":"{0}",)"
    R"("namespace":"{1}"}},"spec":{{"minMember":1,"queue":"{2}","minResources":{{"cpu":"{3}"}}}},)"
    R"("status":{{"phase":"{4}"}}}})"
    "\n";
constexpr const char* kPod =
    R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{0}-0","namespace":"{1}",)"
    R"("annotations":{{"scheduling.k8s.io/group-name":"{0}"}}}},"spec":{{"schedulerName":"volcano",)"
    R"("nodeName":"{2}","containers":[{{"name":"c","image":"x","resources":{{"requests":{{)"
    R"("cpu":"{3}"}}}}}}]}},"status":{{"phase":"{4}"}}}})"
    "\n";
constexpr const char* kNode =
    R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"n{}"}},"status":{{"allocatable":{{)"
    R"("cpu":"{}","memory":"64Gi","pods":"500"}}}}}})"
    "\n";

std::shared_ptr<const Pipeline> Shipped(const std::string& actions, const std::string& factor,
                                        const std::string& more) {
  const Result<CompiledConf> conf = CompileConf(
      "actions: \"" + actions +
          "\"\ntiers:\n- plugins: [{name: priority}, {name: gang, enablePreemptable: false}, "
          "{name: "
          "conformance}]\n- plugins: [{name: overcommit, arguments: {overcommit-factor: " +
          factor +
          "}}, {name: drf, enablePreemptable: false}, {name: predicates}, {name: "
          "proportion}, " +
          more + "{name: nodeorder}, {name: binpack}]\n",
      "random");
  EXPECT_TRUE(conf) << conf.error().message;
  return conf->pipeline;
}

// One queue, one priority, one size, and each namespace asks for more than there is.
TEST(AdmissionProperty, namespaces_end_within_one_job_of_their_weights) {
  ForEachSeed([](std::uint64_t seed) {
    Draws draws(seed);
    const int spaces = draws.Int(2, 4);
    const int size = draws.Int(1, 3);
    const int room = size * draws.Int(4, 24);
    std::string text = fmt::format(kNode, 0, room);
    std::vector<int> weights;
    std::vector<int> left;
    for (int s = 0; s < spaces; ++s) {
      weights.push_back(draws.Int(1, 5));
      text += fmt::format(
          R"({{"apiVersion":"v1","kind":"ResourceQuota","metadata":{{"name":"w","namespace":"s{}"}},)"
          R"("spec":{{"hard":{{"volcano.sh/namespace.weight":"{}"}}}}}})"
          "\n",
          s, weights.back());
      left.push_back(room / size + draws.Int(0, 20));
    }
    // A backlog in any order: the jobs of a namespace in a row, or mixed.
    for (int job = 0; std::accumulate(left.begin(), left.end(), 0) > 0; ++job) {
      const auto s = static_cast<std::size_t>(draws.Int(0, spaces - 1));
      for (int run = draws.Int(1, 12); run > 0 && left[s] > 0; --run, --left[s], ++job) {
        const std::string name = fmt::format("j{}", job);
        text += fmt::format(kGroup, name, fmt::format("s{}", s), "default", size, "Pending");
        text += fmt::format(kPod, name, fmt::format("s{}", s), "", size, "Pending");
      }
    }
    const char* factors[] = {"1.0", "1.2", "2.0"};
    RunOptions options;
    options.until_idle = true;
    const RunOutcome run =
        RunSessions(ObjectsOf(text),
                    Shipped("enqueue, allocate, backfill", factors[draws.Int(0, 2)], ""), options);
    std::map<std::string, int> bound;
    for (const PodRecord& pod : run.objects->pods) {
      if (!pod.node_name.empty()) ++bound[pod.meta.namespace_];
    }
    // Nobody could give a job to another and still not be behind: within one job of the weights.
    for (int s = 0; s < spaces; ++s) {
      for (int other = 0; other < spaces; ++other) {
        const int own = bound[fmt::format("s{}", s)];
        const int theirs = bound[fmt::format("s{}", other)];
        EXPECT_LE((theirs - 1) * weights[static_cast<std::size_t>(s)],
                  own * weights[static_cast<std::size_t>(other)])
            << "s" << s << " has " << own << " by weight " << weights[static_cast<std::size_t>(s)]
            << ", s" << other << " has " << theirs << " by weight "
            << weights[static_cast<std::size_t>(other)];
      }
    }
  });
}

// A full cluster: each queue is guaranteed something, and each namespace has a quota with a min.
struct FullCluster {
  std::string text;
  std::vector<int> guarantee;       // by queue
  std::vector<int> min;             // by namespace
  std::map<std::string, int> held;  // by queue and by namespace
};

FullCluster DrawFullCluster(Draws& draws) {
  FullCluster out;
  const int room = draws.Int(8, 24);
  out.text = fmt::format(kNode, 0, room);
  for (int i = 0; i < 3; ++i) {
    out.guarantee.push_back(draws.Int(0, room / 4));
    out.min.push_back(draws.Int(0, room / 3));
    out.text += fmt::format(
        R"({{"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"Queue","metadata":{{"name":"q{0}"}},)"
        R"("spec":{{"weight":{2},"guarantee":{{"resource":{{"cpu":"{1}"}}}}}}}})"
        "\n",
        i, out.guarantee.back(), draws.Int(1, 3));
    out.text += fmt::format(
        R"({{"apiVersion":"scheduling.x-k8s.io/v1alpha1","kind":"ElasticQuota","metadata":{{)"
        R"("name":"e","namespace":"s{0}"}},"spec":{{"min":{{"cpu":"{1}"}},"max":{{"cpu":"{2}"}}}}}})"
        "\n",
        i, out.min.back(), 10 * room);
  }
  for (int used = 0, job = 0; used < room; ++job) {
    const int cpu = std::min(draws.Int(1, 3), room - used);
    const std::string name = fmt::format("r{}", job);
    const std::string queue = fmt::format("q{}", draws.Int(0, 2));
    const std::string space = fmt::format("s{}", draws.Int(0, 2));
    out.text += fmt::format(kGroup, name, space, queue, cpu, "Running");
    out.text += fmt::format(kPod, name, space, "n0", cpu, "Running");
    out.held[queue] += cpu;
    out.held[space] += cpu;
    used += cpu;
  }
  for (int job = draws.Int(1, 6); job > 0; --job) {
    const std::string name = fmt::format("w{}", job);
    const std::string space = fmt::format("s{}", draws.Int(0, 2));
    const int cpu = draws.Int(1, 4);
    out.text +=
        fmt::format(kGroup, name, space, fmt::format("q{}", draws.Int(0, 2)), cpu, "Pending");
    out.text += fmt::format(kPod, name, space, "", cpu, "Pending");
  }
  return out;
}

// The cluster is full. Each queue is guaranteed something, and each namespace has a quota with a
// min: whoever is refused asks for more than is left of all that he has a right to.
TEST(AdmissionProperty, what_is_guaranteed_is_never_refused) {
  int guaranteed = 0;
  ForEachSeed([&](std::uint64_t seed) {
    Draws draws(seed);
    FullCluster cluster = DrawFullCluster(draws);
    auto& [text, guarantee, min, held] = cluster;
    RunOptions options;
    const RunOutcome run = RunSessions(
        ObjectsOf(text), Shipped("enqueue, reclaim", "1.0", "{name: elasticquota}, "), options);
    const auto cpu_of = [](const PodGroupRecord& group) {
      return static_cast<int>(group.min_resources->at("cpu") / 1000);
    };
    for (const PodGroupRecord& group : run.objects->pod_groups) {
      if (group.phase != JobPhase::kInqueue) continue;
      held[group.queue] += cpu_of(group);
      held[group.meta.namespace_] += cpu_of(group);
      ++guaranteed;
    }
    std::map<std::string, std::int64_t> deserved;
    for (const QueueStatus& queue : run.last.queues)
      deserved[queue.name] = queue.deserved.contains("cpu") ? queue.deserved.at("cpu") / 1000 : 0;
    for (const PodGroupRecord& group : run.objects->pod_groups) {
      if (group.phase != JobPhase::kPending) continue;
      const auto q = static_cast<std::size_t>(group.queue[1] - '0');
      const auto s = static_cast<std::size_t>(group.meta.namespace_[1] - '0');
      const int cpu = cpu_of(group);
      EXPECT_GT(held[group.queue] + cpu, guarantee[q]) << group.meta.Key() << ", guarantee\n"
                                                       << text;
      EXPECT_GT(held[group.queue] + cpu, deserved[group.queue]) << group.meta.Key() << "\n" << text;
      EXPECT_GT(held[group.meta.namespace_] + cpu, min[s]) << group.meta.Key() << ", min\n" << text;
    }
  });
  // A generator that guarantees nothing would prove nothing.
  if (Rounds() >= 500) {
    EXPECT_GT(guaranteed, 100);
  }
}

}  // namespace
}  // namespace batholith::property
