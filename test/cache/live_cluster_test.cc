#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "test/cache/live_env.h"

namespace batholith {
namespace {

CycleResult Evicting(const std::string& pod) {
  CycleResult result;
  result.evictions.push_back({pod, "ns/g", "default", "n1", "preempt", "ns/h", "no room"});
  return result;
}

EffectOutcome Outcome(EffectOutcome::Effect effect, bool done, const std::string& uid = "u") {
  return {effect, kPod, uid, done, done ? "" : "no"};
}
constexpr auto kBind = EffectOutcome::Effect::kBind;
constexpr auto kEvict = EffectOutcome::Effect::kEvict;

// ---- keys

template <std::size_t kind>
void PutOrDrop(std::mt19937_64& random, LiveCluster& cluster,
               std::map<std::string, std::string>& model) {
  using Record = std::variant_alternative_t<kind, ObjectRecord>;
  Record record;
  record.meta.name = fmt::format("o{}", random() % 12);
  record.meta.uid = fmt::format("u{}", random() % 3);
  if (random() % 2 == 0) {
    cluster.Apply(ObjectPut{record});
    model[KeyOf(record)] = record.meta.uid;
    return;
  }
  const std::string uid = random() % 4 == 0 ? "" : record.meta.uid;
  cluster.Apply(GoneOf<Record>(KeyOf(record), uid));
  const auto it = model.find(KeyOf(record));
  if (it != model.end() && (uid.empty() || it->second == uid)) model.erase(it);
}

template <std::size_t kind>
void ExpectSame(const LiveCluster& cluster, const std::map<std::string, std::string>& model) {
  using Record = std::variant_alternative_t<kind, ObjectRecord>;
  std::map<std::string, std::string> has;
  const auto& all = AllOf<Record>(cluster.objects());
  for (const Record& record : all) has[KeyOf(record)] = record.meta.uid;
  EXPECT_EQ(has.size(), all.size()) << "kind " << kind << ": a key appears twice";
  EXPECT_EQ(has, model) << "kind " << kind;
}

template <std::size_t... kinds>
void CompareWithMaps(std::uint64_t seed, std::index_sequence<kinds...>) {
  std::mt19937_64 random(seed);
  const SnapshotOptions options;
  LiveCluster cluster(options);
  std::array<std::map<std::string, std::string>, sizeof...(kinds)> models;
  for (int step = 0; step < 400; ++step) {
    const std::size_t kind = random() % sizeof...(kinds);
    ((kind == kinds ? PutOrDrop<kinds>(random, cluster, models[kinds]) : void()), ...);
    ((kind == kinds ? ExpectSame<kinds>(cluster, models[kinds]) : void()), ...);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(LiveCluster, random_puts_and_gones_of_every_kind_keep_the_keys_right) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    CompareWithMaps(seed, std::make_index_sequence<std::variant_size_v<ObjectRecord>>());
    if (HasFailure()) return;
  }
}

TEST(LiveCluster, quotas_of_two_groups_have_one_name_and_are_two) {
  LiveCluster cluster{SnapshotOptions{}};
  ElasticQuotaRecord a;
  a.meta.namespace_ = "ns";
  a.meta.name = "q";
  a.group = "scheduling.x-k8s.io";
  ElasticQuotaRecord b = a;
  b.group = "nos.nebuly.com";
  cluster.Apply(ObjectPut{a});
  cluster.Apply(ObjectPut{b});
  ASSERT_EQ(cluster.objects().elastic_quotas.size(), 2U);
  cluster.Apply(GoneOf<ElasticQuotaRecord>(a.Identity()));
  ASSERT_EQ(cluster.objects().elastic_quotas.size(), 1U);
  EXPECT_EQ(cluster.objects().elastic_quotas[0].group, "nos.nebuly.com");
}

TEST(LiveCluster, labels_are_ordered_with_the_uid_of_the_pod_that_was_judged) {
  OnePod one;
  CycleResult result;
  result.labels = {{kPod, "nos.nebuly.com/capacity", "in-quota"}, {"ns/other", "a", "b"}};
  const SessionOrders orders = one.cluster.Assume(std::move(result), kNow);
  ASSERT_EQ(orders.labels.size(), 1U) << "the other pod is not there";
  EXPECT_EQ(orders.labels[0].label.value, "in-quota");
  EXPECT_EQ(orders.labels[0].uid, "u");
}

// ---- binds

TEST(LiveCluster, an_assumed_bind_is_laid_over_older_events_until_one_has_a_node) {
  OnePod one;
  const SessionOrders orders = one.cluster.Assume(Binding(kPod, "n1"), kNow);
  ASSERT_EQ(orders.binds.size(), 1U);
  EXPECT_EQ(orders.binds[0].uid, "u");
  EXPECT_EQ(one.pod().node_name, "n1");
  EXPECT_EQ(one.pod().scheduled_at, kNow);

  PodRecord older = Pod("p", "u");
  older.nominated_node = "n2";
  one.Put(older);
  EXPECT_EQ(one.pod().node_name, "n1");
  EXPECT_EQ(one.pod().nominated_node, "") << "it has a node";
  one.cluster.Apply(Outcome(kBind, true));
  one.Put(older);
  EXPECT_EQ(one.pod().node_name, "n1") << "done, and its own event is on the way";

  one.Put(Pod("p", "u", "n3"));
  EXPECT_EQ(one.pod().node_name, "n3") << "the event is right";
  one.Put(Pod("p", "u"));
  EXPECT_EQ(one.pod().node_name, "") << "nothing is laid over any more";
}

TEST(LiveCluster, a_refused_bind_is_undone_and_only_by_its_own_refusal) {
  OnePod one;
  one.cluster.Assume(Binding(kPod, "n1"), kNow);
  one.cluster.Apply(Outcome(kBind, false, "another"));
  EXPECT_EQ(one.pod().node_name, "n1") << "of another pod";
  one.cluster.Apply(Outcome(kEvict, false));
  EXPECT_EQ(one.pod().node_name, "n1") << "of another effect";
  one.cluster.Apply(Outcome(kBind, false));
  EXPECT_EQ(one.pod(), Pod("p", "u")) << "as it was";
  EXPECT_EQ(one.cluster.unanswered().count, 0U);
}

TEST(LiveCluster, a_refusal_after_the_event_changes_nothing) {
  OnePod one;
  one.cluster.Assume(Binding(kPod, "n1"), kNow);
  one.Put(Pod("p", "u", "n2"));
  one.cluster.Apply(Outcome(kBind, false));
  EXPECT_EQ(one.pod().node_name, "n2");
}

TEST(LiveCluster, what_is_assumed_goes_with_the_pod_and_is_nothing_to_its_successor) {
  OnePod one;
  one.cluster.Assume(Binding(kPod, "n1"), kNow);
  one.cluster.Apply(GoneOf<PodRecord>(kPod, "u"));
  one.Put(Pod("p", "u"));
  EXPECT_EQ(one.pod().node_name, "") << "it went with the pod";

  one.cluster.Assume(Binding(kPod, "n1"), kNow);
  one.Put(Pod("p", "u2"));
  EXPECT_EQ(one.pod().node_name, "") << "another pod of the name";
  one.cluster.Apply(GoneOf<PodRecord>(kPod, "u"));
  ASSERT_NE(FindPod(one.cluster), nullptr) << "the first one's end comes late";
  one.cluster.Apply(Outcome(kBind, false));
  EXPECT_EQ(one.pod().meta.uid, "u2");
  EXPECT_EQ(one.cluster.unanswered().count, 0U);
}

TEST(LiveCluster, decisions_on_pods_that_are_not_there_are_not_sent) {
  OnePod one;
  CycleResult result = Binding("ns/other", "n1");
  result.evictions = Evicting("ns/third").evictions;
  const SessionOrders orders = one.cluster.Assume(std::move(result), kNow);
  EXPECT_TRUE(orders.binds.empty() && orders.evictions.empty());
  EXPECT_EQ(one.cluster.unanswered().count, 0U);
}

// ---- evictions

TEST(LiveCluster, an_assumed_eviction_is_laid_over_older_events_until_one_is_deleting) {
  OnePod one("n1");
  const SessionOrders orders = one.cluster.Assume(Evicting(kPod), kNow);
  ASSERT_EQ(orders.evictions.size(), 1U);
  EXPECT_EQ(orders.evictions[0].uid, "u");
  EXPECT_TRUE(one.pod().meta.deleting);
  EXPECT_EQ(one.pod().deletion, kNow + 30 * kSecond);
  one.Put(Pod("p", "u", "n1"));
  EXPECT_TRUE(one.pod().meta.deleting) << "an older event";
  one.cluster.Apply(Outcome(kEvict, true));
  one.Put(Pod("p", "u", "n1"));
  EXPECT_TRUE(one.pod().meta.deleting) << "done, and its own event is on the way";
  PodRecord told = Pod("p", "u", "n1");
  told.meta.deleting = true;
  told.deletion = kNow + kSecond;
  one.Put(told);
  EXPECT_EQ(one.pod(), told);
  one.Put(Pod("p", "u2", "n1"));
  EXPECT_FALSE(one.pod().meta.deleting) << "another pod of the name";
}

TEST(LiveCluster, a_refused_eviction_is_undone) {
  OnePod one("n1");
  one.cluster.Assume(Evicting(kPod), kNow);
  one.cluster.Apply(Outcome(kBind, false));
  EXPECT_TRUE(one.pod().meta.deleting) << "of another effect";
  one.cluster.Apply(Outcome(kEvict, false));
  EXPECT_EQ(one.pod(), Pod("p", "u", "n1"));
}

TEST(LiveCluster, a_bind_that_nobody_answered_outlives_the_eviction_of_its_pod) {
  OnePod one;
  one.cluster.Assume(Binding(kPod, "n1"), kNow);
  one.cluster.Assume(Evicting(kPod), kNow + kSecond);
  EXPECT_EQ(one.cluster.unanswered().count, 2U);
  EXPECT_EQ(one.cluster.unanswered().since, kNow);
  one.Put(Pod("p", "u"));
  EXPECT_EQ(one.pod().node_name, "n1");
  EXPECT_TRUE(one.pod().meta.deleting) << "it takes up room on its node until it is gone";
  one.cluster.Apply(Outcome(kEvict, false));
  EXPECT_FALSE(one.pod().meta.deleting);
  EXPECT_EQ(one.pod().node_name, "n1");
  one.cluster.Apply(Outcome(kBind, false));
  EXPECT_EQ(one.pod(), Pod("p", "u"));
}

TEST(LiveCluster, unanswered_counts_until_the_answer_or_the_event) {
  LiveCluster cluster{SnapshotOptions{}};
  for (const char* name : {"p", "q", "r"}) cluster.Apply(ObjectPut{Pod(name, "u")});
  EXPECT_EQ(cluster.unanswered().count, 0U);
  EXPECT_EQ(cluster.unanswered().since, 0);
  cluster.Assume(Binding("ns/p", "n1"), kNow + 1);
  cluster.Assume(Binding("ns/q", "n1"), kNow + 2);
  cluster.Assume(Binding("ns/r", "n1"), kNow + 3);
  EXPECT_EQ(cluster.unanswered().count, 3U);
  EXPECT_EQ(cluster.unanswered().since, kNow + 1);
  cluster.Apply(Outcome(kBind, true));
  EXPECT_EQ(cluster.unanswered().count, 2U);
  EXPECT_EQ(cluster.unanswered().since, kNow + 2);
  cluster.Apply(ObjectPut{Pod("q", "u", "n1")});
  EXPECT_EQ(cluster.unanswered().since, kNow + 3);
  cluster.Apply(GoneOf<PodRecord>("ns/r", "u"));
  EXPECT_EQ(cluster.unanswered().count, 0U);
}

// ---- nodes that go

NodeRecord NodeNamed(const std::string& name, bool cordoned) {
  NodeRecord node;
  node.meta.name = name;
  node.unschedulable = cordoned;
  return node;
}

CycleResult TakingOut(std::initializer_list<const char*> nodes) {
  CycleResult result;
  for (const char* node : nodes) result.autoscale.memory.removals[node].at = 1;
  return result;
}

std::string Cordoned(const LiveCluster& cluster) {
  std::string out;
  for (const NodeRecord& node : cluster.objects().nodes) {
    if (node.unschedulable) out += node.meta.name + " ";
  }
  return out;
}

TEST(LiveCluster, a_node_that_was_to_go_takes_no_pods_until_that_failed) {
  LiveCluster cluster(SnapshotOptions{});
  cluster.Apply(ObjectPut{NodeNamed("a", false)});
  cluster.Apply(ObjectPut{NodeNamed("b", true)});
  cluster.Apply(ObjectPut{NodeNamed("c", false)});
  cluster.Assume(TakingOut({"a", "b"}), 1);
  EXPECT_EQ(Cordoned(cluster), "a b ");
  cluster.Apply(ObjectPut{NodeNamed("a", false)});  // a heartbeat from before Cluster API heard it
  cluster.Assume(TakingOut({"a", "b"}), 2);
  EXPECT_EQ(Cordoned(cluster), "a b ");
  cluster.Assume(TakingOut({}), 3);
  EXPECT_EQ(Cordoned(cluster), "b ");  // as the cluster has it
}

TEST(LiveCluster, a_node_of_the_name_of_one_that_went_takes_pods) {
  LiveCluster cluster(SnapshotOptions{});
  cluster.Apply(ObjectPut{NodeNamed("a", false)});
  cluster.Assume(TakingOut({"a"}), 1);
  cluster.Apply(GoneOf<NodeRecord>("a"));
  cluster.Assume(TakingOut({}), 2);
  cluster.Apply(ObjectPut{NodeNamed("a", false)});
  EXPECT_EQ(Cordoned(cluster), "");
}

// ---- versions

TEST(LiveCluster, has_another_version_only_when_an_object_is_another) {
  OnePod one;
  NodeRecord node;
  node.meta.name = "n1";
  node.allocatable = {{"cpu", 8000}};
  one.cluster.Apply(ObjectPut{node});
  ASSERT_TRUE(one.cluster.Take(kNow));
  std::uint64_t version = one.cluster.version();
  const auto moved_on = [&] { return std::exchange(version, one.cluster.version()) != version; };

  one.cluster.Apply(ObjectPut{node});
  EXPECT_FALSE(moved_on()) << "a sign of life of the node";
  node.allocatable["cpu"] = 4000;
  one.cluster.Apply(ObjectPut{node});
  EXPECT_TRUE(moved_on()) << "it has less to offer";
  one.cluster.Assume({}, kNow);
  EXPECT_FALSE(moved_on()) << "a session that decided nothing";
  one.cluster.Assume(Binding(kPod, "n1"), kNow);
  EXPECT_TRUE(moved_on()) << "the pod has a node";
  one.cluster.Apply(Outcome(kBind, true));
  EXPECT_FALSE(moved_on()) << "done, as was assumed";
  one.cluster.Assume(Evicting(kPod), kNow);
  EXPECT_TRUE(moved_on()) << "it is leaving";
  one.cluster.Apply(Outcome(kEvict, false));
  EXPECT_TRUE(moved_on()) << "it stays after all";
  one.cluster.Apply(GoneOf<PodRecord>(kPod, "another"));
  EXPECT_FALSE(moved_on()) << "one of that name was gone before";
  one.cluster.Apply(GoneOf<PodRecord>(kPod, "u"));
  EXPECT_TRUE(moved_on());
}

}  // namespace
}  // namespace batholith
