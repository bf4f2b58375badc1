// All kinds of a cluster on a scripted server: what comes out of the inbox.
#include "client/watch/kube_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <optional>

#include "test/client/watch_env.h"

namespace batholith {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

using Lines = std::vector<std::string>;

const std::string kPods = "/api/v1/pods";
const std::string kQueues = "/apis/scheduling.volcano.sh/v1beta1/queues";
const std::string kOurs = R"("schedulerName":"volcano")";
const std::string kTheirs = R"("schedulerName":"default-scheduler")";

std::string Object(const std::string& api, const std::string& kind, const std::string& name,
                   int version, const std::string& rest = "") {
  const std::size_t slash = name.find('/');
  const std::string meta = slash == std::string::npos
                               ? fmt::format(R"("name":"{}")", name)
                               : fmt::format(R"("namespace":"{}","name":"{}")",
                                             name.substr(0, slash), name.substr(slash + 1));
  return fmt::format(
      R"({{"apiVersion":"{}","kind":"{}","metadata":{{{},"uid":"u{}","resourceVersion":"{}"}}{}}})",
      api, kind, meta, name.substr(slash + 1), version, rest.empty() ? "" : "," + rest);
}
std::string Pod(const std::string& name, int version, const std::string& spec,
                const std::string& status = "") {
  return Object("v1", "Pod", "ns/" + name, version,
                "\"spec\":{" + spec + "},\"status\":{" + status + "}");
}
std::string On(const std::string& node) { return ",\"nodeName\":\"" + node + "\""; }

std::string Line(const ClusterEvent& event) {
  static const char* const kKinds[] = {
      "Node",         "Pod",           "PodGroup",      "Queue",
      "Namespace",    "ResourceQuota", "PriorityClass", "PodDisruptionBudget",
      "ElasticQuota", "QuotaProfile",  "NodeGroup",     "Machine",
      "Buffer",       "PodTemplate",   "Scalable",      "StorageClass",
      "Volume",       "Claim",         "CsiNode",       "CsiDriver",
      "Capacity",     "Attachment"};
  if (const auto* gone = std::get_if<ObjectGone>(&event))
    return fmt::format("gone {} {} {}", kKinds[gone->kind], gone->key, gone->uid);
  const ObjectRecord& record = std::get<ObjectPut>(event).record;
  std::string line = fmt::format("put {} {}", kKinds[record.index()],
                                 std::visit([](const auto& r) { return KeyOf(r); }, record));
  if (const auto* pod = std::get_if<PodRecord>(&record)) line += " on:" + pod->node_name;
  return line;
}

// A cluster: lists by path, and what the watch of pods tells once the gate `more` is open. Other
// kinds are empty where they are required, and not served else.
class Cluster {
 public:
  struct Kind {
    int status = 200;
    Lines items;
  };

  using Kinds = std::map<std::string, Kind>;

  explicit Cluster(Kinds kinds, Lines pod_events = {})
      : kinds_(std::move(kinds)),
        pod_events_(std::move(pod_events)),
        server_([this](const ScriptedRequest& r) { return Handle(r); }),
        client_(std::make_unique<HttpClient>(AccessTo(server_.url()), HttpOptions())),
        source_(*client_, inbox_, state_, Options()) {
    source_.Start();
  }
  ~Cluster() { client_.reset(); }

  // What comes until all kinds are told.
  Lines UntilSynced() {
    return Take([&](const Lines&) { return source_.IsSynced(); });
  }
  // What comes once the pods' events are told, up to the line; where it comes more than once, up to
  // so many lines.
  void More() { server_.Open("more"); }
  Lines More(const std::string& last, std::size_t count = 1) {
    More();
    return Take([&](const Lines& lines) { return lines.size() >= count && lines.back() == last; });
  }
  void Want(KindUse use) { source_.Want(use); }
  // What comes up to the line.
  Lines Until(const std::string& last) {
    return Take([&](const Lines& lines) { return !lines.empty() && lines.back() == last; });
  }
  Lines Watched() const {
    Lines out;
    for (const KindHealth& health : source_.Health()) out.push_back(health.kind);
    return out;
  }
  void WaitFor(const std::string& kind, WatchState state) {
    Take([&](const Lines&) { return Health(kind).state == state; });
  }
  KindHealth Health(const std::string& kind) const {
    for (const KindHealth& health : source_.Health()) {
      if (health.kind == kind) return health;
    }
    return {};
  }
  // Tells it an answer's object and waits until that is done.
  void Hear(const std::string& object) {
    OnClient([&] { source_.Heard(boost::json::parse(object)); });
  }
  bool Knows(const std::string& kind, const std::string& key) {
    bool knows = false;
    OnClient([&] { knows = state_.Find(kind, key) != nullptr; });
    return knows;
  }
  bool Synced() const { return source_.IsSynced(); }
  bool IsServed(const std::string& kind) const { return source_.IsServed(kind); }
  Lines warnings() const { return warnings_.lines(); }
  const Record& notes() const { return notes_; }

 private:
  Actions Handle(const ScriptedRequest& r) {
    if (IsWatch(r)) {
      Actions actions{Head(200)};
      if (r.path() == kPods) {
        actions.push_back(::batholith::WaitFor("more"));
        for (const std::string& event : pod_events_) actions.push_back(Chunk(event));
      }
      actions.push_back(::batholith::WaitFor("end"));
      return actions;
    }
    const auto it = kinds_.find(r.path());
    if (it != kinds_.end()) {
      if (it->second.status == 200) return Answer(200, ListText(5, it->second.items));
      return Answer(it->second.status, R"({"kind":"Status","message":"no rule"})");
    }
    for (const KubeKind& kind : KubeKinds()) {
      if (kind.use == KindUse::kRequired && kind.list_path() == r.path())
        return Answer(200, ListText(5, {}));
    }
    return Answer(404, R"({"kind":"Status","message":"not found"})");
  }
  KubeSourceOptions Options() {
    KubeSourceOptions options;
    options.watch = QuickOptions();
    options.watch.protobuf = false;
    options.watch.look_again = std::chrono::seconds(60);
    options.warn = [this](const std::string& message) { warnings_.Add(message); };
    options.note = [this](const std::string& message) { notes_.Add(message); };
    return options;
  }
  Lines Take(const std::function<bool(const Lines&)>& is_enough) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    Lines lines;
    bool enough = false;
    while (!enough && std::chrono::steady_clock::now() < deadline) {
      enough = is_enough(lines);
      // What is enough was told before; a last look takes what came with it.
      for (const ClusterEvent& event :
           inbox_.TakeUntil(enough ? std::chrono::steady_clock::time_point() : deadline))
        lines.push_back(Line(event));
    }
    EXPECT_TRUE(enough);
    return lines;
  }
  void OnClient(const std::function<void()>& work) {
    Record done;
    client_->Post([&] {
      work();
      done.Add("done");
    });
    EXPECT_TRUE(done.WaitForLine("done"));
  }

  const Kinds kinds_;
  const Lines pod_events_;
  Record warnings_;
  Record notes_;
  EventInbox inbox_;
  ServerState state_;
  ScriptedServer server_;
  std::unique_ptr<HttpClient> client_;
  KubeSource source_;
};

TEST(KubeSource, lists_become_events) {
  Cluster cluster({{"/api/v1/nodes", {200, {Object("v1", "Node", "n1", 1)}}},
                   {kQueues, {200, {Object("scheduling.volcano.sh/v1beta1", "Queue", "q", 1)}}},
                   {"/apis/scheduling.volcano.sh/v1beta1/podgroups",
                    {200, {Object("scheduling.volcano.sh/v1beta1", "PodGroup", "ns/g", 1)}}},
                   {"/apis/scheduling.x-k8s.io/v1alpha1/elasticquotas",
                    {200, {Object("scheduling.x-k8s.io/v1alpha1", "ElasticQuota", "ns/eq", 1)}}},
                   {kPods, {200, {Pod("a", 1, kOurs), Pod("b", 2, kOurs + On("n1"))}}}});
  EXPECT_THAT(cluster.UntilSynced(),
              UnorderedElementsAre("put Node n1", "put Queue q", "put PodGroup ns/g",
                                   "put ElasticQuota ElasticQuota.scheduling.x-k8s.io/ns/eq",
                                   "put Pod ns/a on:", "put PodGroup ns/podgroup-ua",
                                   "put Pod ns/b on:n1", "put PodGroup ns/podgroup-ub"));
  EXPECT_TRUE(cluster.Knows("Pod", "ns/a"));
  EXPECT_FALSE(cluster.Knows("Pod", "ns/b")) << "sessions say nothing of what has a node";
  EXPECT_TRUE(cluster.Knows("Queue", "q"));
  EXPECT_TRUE(cluster.Knows("PodGroup", "ns/g"));
  EXPECT_TRUE(cluster.Knows("ElasticQuota", "ElasticQuota.scheduling.x-k8s.io/ns/eq"));
}

// BATHOLITH_FULL: as many as the largest cluster that is promised has; test/bench/live/sync.sh
// times it on a real server.
TEST(KubeSource, a_list_of_very_many_pods_is_told_whole) {
  const int count = std::getenv("BATHOLITH_FULL") == nullptr ? 10'000 : 100'000;
  Lines pods;
  for (int i = 0; i < count; ++i)
    pods.push_back(Pod(fmt::format("p{}", i), 1 + i, kTheirs + On("n1"), R"("phase":"Running")"));
  Cluster cluster({{kPods, {200, std::move(pods)}}});
  const Lines told = cluster.UntilSynced();
  ASSERT_EQ(told.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(told.front(), "put Pod ns/p0 on:n1");
  EXPECT_EQ(told.back(), fmt::format("put Pod ns/p{} on:n1", count - 1));
}

TEST(KubeSource, pods_of_others_are_told_while_they_take_up_room) {
  Cluster cluster(
      {{kPods,
        {200,
         {Pod("waits", 1, kTheirs), Pod("runs", 2, kTheirs + On("n1"), R"("phase":"Running")"),
          Pod("over", 3, kTheirs + On("n1"), R"("phase":"Succeeded")"),
          Pod("ours-over", 4, kOurs + On("n1"), R"("phase":"Failed")")}}}},
      {EventText("MODIFIED", Pod("waits", 6, kTheirs + On("n2"))),
       EventText("MODIFIED", Pod("runs", 7, kTheirs + On("n1"), R"("phase":"Failed")"))});
  const Lines lines = cluster.UntilSynced();
  EXPECT_THAT(lines, Contains("put Pod ns/runs on:n1"));
  EXPECT_THAT(lines, Contains("put Pod ns/ours-over on:n1"));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("put Pod ns/waits"))));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("put Pod ns/over"))));
  EXPECT_FALSE(cluster.Knows("Pod", "ns/waits")) << "its status is not ours to write";
  EXPECT_THAT(cluster.More("gone PodGroup ns/podgroup-uruns ns/podgroup-uruns"),
              ElementsAre("put Pod ns/waits on:n2", "gone Pod ns/runs uruns",
                          "gone PodGroup ns/podgroup-uruns ns/podgroup-uruns"));
}

TEST(KubeSource, an_object_with_a_flaw_is_put_told_once_and_counted_while_it_is_there) {
  const std::string bad = kOurs + R"(,"nodeName":7)";
  Cluster cluster({{kPods, {200, {Pod("a", 1, kOurs)}}}},
                  {EventText("MODIFIED", Pod("a", 6, bad)), EventText("MODIFIED", Pod("a", 7, bad)),
                   EventText("MODIFIED", Pod("a", 8, kOurs + On("n1")))});
  cluster.UntilSynced();
  EXPECT_THAT(cluster.More("put PodGroup ns/podgroup-ua", 6),
              ElementsAre("put Pod ns/a on:", "put PodGroup ns/podgroup-ua",
                          "put Pod ns/a on:", "put PodGroup ns/podgroup-ua", "put Pod ns/a on:n1",
                          "put PodGroup ns/podgroup-ua"));
  EXPECT_EQ(cluster.Health("Pod").flawed, 0U) << "it was mended";
  Lines told;
  for (const std::string& line : cluster.warnings()) {
    if (line.contains("Pod ns/a")) told.push_back(line);
  }
  EXPECT_THAT(told,
              ElementsAre("Pod ns/a: spec.nodeName: must be a text, not a number; it is kept on "
                          "the safe side, see docs/live.md"));
}

TEST(KubeSource, a_bare_pod_brings_its_group_and_takes_it_along) {
  Cluster cluster({{kPods, {200, {Pod("a", 1, kOurs)}}}},
                  {EventText("DELETED", Pod("a", 6, kOurs))});
  EXPECT_THAT(cluster.UntilSynced(),
              ElementsAre("put Pod ns/a on:", "put PodGroup ns/podgroup-ua"));
  EXPECT_THAT(cluster.More("gone PodGroup ns/podgroup-ua ns/podgroup-ua"),
              ElementsAre("gone Pod ns/a ua", "gone PodGroup ns/podgroup-ua ns/podgroup-ua"));
  EXPECT_FALSE(cluster.Knows("Pod", "ns/a"));
}

TEST(KubeSource, optional_kinds_that_are_not_served_hold_nothing_up_and_are_told_in_one_line) {
  Cluster cluster(Cluster::Kinds{});
  EXPECT_THAT(cluster.UntilSynced(), IsEmpty());
  const KindHealth health = cluster.Health("Queue.scheduling.volcano.sh");
  EXPECT_EQ(health.state, WatchState::kMissing);
  EXPECT_EQ(health.use, KindUse::kOptional);
  EXPECT_FALSE(cluster.IsServed("Queue.scheduling.volcano.sh"));
  EXPECT_TRUE(cluster.IsServed("Pod"));
  ASSERT_TRUE(cluster.notes().WaitUntil([](const auto& lines) { return !lines.empty(); }));
  EXPECT_THAT(
      cluster.notes().lines(),
      ElementsAre(HasSubstr("PodGroup.scheduling.volcano.sh, PodGroup.scheduling.x-k8s.io")));
  EXPECT_THAT(cluster.warnings(), IsEmpty());
}

TEST(KubeSource, a_kind_that_may_not_be_read_holds_all_up_and_the_rule_is_named) {
  Cluster cluster(Cluster::Kinds{{kQueues, {403, {}}}});
  cluster.WaitFor("Queue.scheduling.volcano.sh", WatchState::kForbidden);
  EXPECT_THAT(cluster.Health("Queue.scheduling.volcano.sh").why,
              HasSubstr("may not list scheduling.volcano.sh/queues"));
  cluster.WaitFor("Pod", WatchState::kSynced);
  EXPECT_FALSE(cluster.Synced());
}

TEST(KubeSource, a_required_kind_that_is_not_served_holds_all_up) {
  Cluster cluster(Cluster::Kinds{{"/api/v1/nodes", {404, {}}}});
  cluster.WaitFor("Node", WatchState::kMissing);
  cluster.WaitFor("Pod", WatchState::kSynced);
  EXPECT_FALSE(cluster.Synced());
}

TEST(KubeSource, a_watch_that_is_too_far_behind_is_noted_and_no_warning) {
  Cluster cluster({{kPods, {200, {Pod("a", 1, kOurs)}}}}, {ErrorText(410, "Expired")});
  cluster.UntilSynced();
  cluster.More();
  EXPECT_TRUE(cluster.notes().WaitForLine("Pod: watch: 410: it broke; all of it is read anew"));
  EXPECT_THAT(cluster.warnings(), Not(Contains(HasSubstr("410"))));
}

// An answer may be quicker than the watch, and slower.
TEST(KubeSource, what_an_answer_brought_is_never_undone_by_what_is_older) {
  Cluster cluster({{kPods, {200, {Pod("a", 4, kOurs), Pod("b", 5, kOurs)}}}},
                  {EventText("MODIFIED", Pod("a", 15, kOurs)),
                   EventText("MODIFIED", Pod("a", 20, kOurs + On("n1"))),
                   EventText("MODIFIED", Pod("b", 21, kOurs + On("n2")))});
  cluster.UntilSynced();
  cluster.Hear(Pod("a", 20, kOurs + On("n1")));
  EXPECT_THAT(cluster.More("put PodGroup ns/podgroup-ub"),
              ElementsAre("put Pod ns/a on:n1", "put PodGroup ns/podgroup-ua", "put Pod ns/b on:n2",
                          "put PodGroup ns/podgroup-ub"));
  cluster.Hear(Pod("b", 5, kOurs));
  cluster.Hear(Pod("c", 30, kOurs));
  cluster.Hear("7");
  cluster.Hear("{}");
  cluster.Hear(Pod("b", 40, kOurs + On("n2")));
  EXPECT_THAT(cluster.More("put PodGroup ns/podgroup-ub"),
              ElementsAre("put Pod ns/b on:n2", "put PodGroup ns/podgroup-ub"))
      << "nothing older, and nothing that the watch does not know";
}

const std::string kCluster = "/apis/cluster.x-k8s.io/";
const std::string kBuffers = "/apis/autoscaling.x-k8s.io/";

TEST(KubeSource, kinds_of_slack_are_asked_for_only_where_something_wants_them) {
  Cluster cluster(Cluster::Kinds{});
  cluster.UntilSynced();
  EXPECT_THAT(cluster.Watched(), Not(Contains(HasSubstr("Machine"))));
  EXPECT_THAT(cluster.Watched(), Not(Contains("Deployment")));
  EXPECT_THAT(cluster.Watched(), Not(Contains(HasSubstr("CapacityBuffer"))));
}

TEST(KubeSource, a_rule_that_is_missing_for_node_groups_does_not_hold_scheduling_up) {
  Cluster cluster(Cluster::Kinds{{kCluster + "v1beta2/machinedeployments", {403, {}}}});
  cluster.Want(KindUse::kNodeGroups);
  cluster.WaitFor("MachineDeployment.cluster.x-k8s.io", WatchState::kForbidden);
  cluster.UntilSynced();
  EXPECT_TRUE(cluster.Synced());
  EXPECT_FALSE(cluster.Health("MachineDeployment.cluster.x-k8s.io").is_good());
}

TEST(KubeSource, the_older_version_of_a_kind_is_watched_where_the_newer_one_is_missing) {
  const std::string machine = Object("cluster.x-k8s.io/v1beta1", "Machine", "ns/m", 1);
  Cluster cluster(Cluster::Kinds{{kCluster + "v1beta1/machines", {200, {machine}}}});
  cluster.Want(KindUse::kNodeGroups);
  cluster.Until("put Machine ns/m");
  cluster.WaitFor("Machine.v1beta1.cluster.x-k8s.io", WatchState::kSynced);
  EXPECT_EQ(cluster.Health("Machine.cluster.x-k8s.io").state, WatchState::kMissing);
}

TEST(KubeSource, the_newer_version_of_a_kind_is_enough) {
  const std::string group = Object("cluster.x-k8s.io/v1beta2", "MachineDeployment", "ns/md", 1);
  Cluster cluster({{kCluster + "v1beta2/machinedeployments", {200, {group}}},
                   {kCluster + "v1beta1/machinedeployments", {200, {group}}}});
  cluster.Want(KindUse::kNodeGroups);
  cluster.Until("put NodeGroup ns/md");
  cluster.WaitFor("MachineDeployment.cluster.x-k8s.io", WatchState::kSynced);
  EXPECT_THAT(cluster.Watched(), Not(Contains("MachineDeployment.v1beta1.cluster.x-k8s.io")));
  EXPECT_TRUE(cluster.Knows("MachineDeployment", "ns/md"));  // its size can be written
}

const std::string kVolumeApi = "/api/v1/persistentvolume";
const std::string kClaiming =
    kOurs + R"(,"volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}])";

TEST(KubeSource, volumes_are_watched_once_a_pod_with_a_claim_waits_and_its_claim_comes_last) {
  Cluster cluster(
      {{kPods, {200, {Pod("a", 1, kClaiming)}}},
       {kVolumeApi + "s", {200, {Object("v1", "PersistentVolume", "pv", 1)}}},
       {kVolumeApi + "claims", {200, {Object("v1", "PersistentVolumeClaim", "ns/data", 1)}}}});
  const Lines lines = cluster.Until("put Claim ns/data");
  EXPECT_THAT(lines, Contains("put Volume pv")) << "what it may be bound to is known by then";
  EXPECT_THAT(cluster.Watched(), Contains("CSINode.storage.k8s.io"));
}

TEST(KubeSource, volumes_of_pods_that_run_are_not_asked_for) {
  Cluster cluster({{kPods, {200, {Pod("a", 1, kClaiming + On("n1"))}}}});
  cluster.UntilSynced();
  EXPECT_THAT(cluster.Watched(), Not(Contains("PersistentVolumeClaim")));
  EXPECT_THAT(cluster.Watched(), Not(Contains("PersistentVolume")));
}

TEST(KubeSource, claims_are_not_told_while_a_rule_for_volumes_is_missing) {
  Cluster cluster({{kPods, {200, {Pod("a", 1, kClaiming)}}}, {kVolumeApi + "s", {403, {}}}});
  cluster.WaitFor("PersistentVolume", WatchState::kForbidden);
  cluster.UntilSynced();
  EXPECT_TRUE(cluster.Synced()) << "pods without claims are not held up";
  EXPECT_THAT(cluster.Watched(), Not(Contains("PersistentVolumeClaim")));
}

TEST(KubeSource, of_workloads_those_kinds_are_watched_that_a_buffer_refers_to) {
  const std::string spec = R"("scalableRef":{"apiGroup":"apps","kind":"Deployment","name":"web"})";
  const std::string buffer = Object("autoscaling.x-k8s.io/v1beta1", "CapacityBuffer", "ns/b", 1,
                                    "\"spec\":{" + spec + ",\"replicas\":1}");
  const std::string web =
      Object("apps/v1", "Deployment", "ns/web", 1,
             R"("spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{}}})");
  Cluster cluster({{kBuffers + "v1beta1/capacitybuffers", {200, {buffer}}},
                   {"/apis/apps/v1/deployments", {200, {web}}}});
  cluster.Want(KindUse::kBuffers);
  cluster.Until("put Scalable Deployment.apps/ns/web");
  EXPECT_THAT(cluster.Watched(), Contains("Deployment"));
  EXPECT_THAT(cluster.Watched(), Not(Contains("StatefulSet")));
  EXPECT_TRUE(cluster.Knows("CapacityBuffer", "ns/b"));
}

}  // namespace
}  // namespace batholith
