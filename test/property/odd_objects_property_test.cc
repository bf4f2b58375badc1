// Whatever a server may store, by its own schema, is read, and sessions decide with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cache/live_cluster.h"
#include "cmd/session_dump.h"
#include "codec/dump.h"
#include "codec/kube_proto.h"
#include "codec/object_reader.h"
#include "framework/cycle.h"
#include "test/codec/same_objects.h"
#include "test/property/kube_wire.h"
#include "test/property/odd_objects.h"
#include "test/property/property_env.h"
#include "test/source_dir.h"

namespace batholith::property {
namespace {

namespace json = boost::json;

const OddObjects& Schemas() {
  static const OddObjects schemas(SourceDir());
  return schemas;
}

// No server sends fields that are null, or texts that are empty, of a built-in kind.
void Prune(json::value& value) {
  if (json::array* list = value.if_array()) {
    for (json::value& item : *list) Prune(item);
    list->erase(std::remove_if(list->begin(), list->end(),
                               [](const json::value& item) { return item.is_null(); }),
                list->end());
    return;
  }
  json::object* object = value.if_object();
  if (object == nullptr) return;
  std::vector<std::string> empty;
  for (auto& [name, field] : *object) {
    Prune(field);
    if (field.is_null() || (field.is_string() && field.get_string().empty()))
      empty.emplace_back(name);
  }
  for (const std::string& name : empty) object->erase(name);
}

TEST(OddObjectsProperty, each_kind_of_the_schemas_is_read_whatever_its_fields_say) {
  std::size_t flaws = 0;
  ForEachSeed([&](std::uint64_t seed) {
    ObjectReader reader({"volcano"}, "default");
    for (const std::string& kind : Schemas().Kinds()) {
      const json::object object =
          Schemas().Make(kind, seed, {.odd_fields = 1 + static_cast<int>(seed % 8)});
      const auto read = reader.ReadObject(object);
      ASSERT_TRUE(read) << read.error().message << "\n" << json::serialize(object);
      flaws += read->flaw.empty() ? 0 : 1;
    }
  });
  // Right types, so most have none; but words that nobody knows are among them.
  if (Rounds() >= 100) {
    EXPECT_GT(flaws, static_cast<std::size_t>(Rounds()) / 10);
    EXPECT_LT(flaws, static_cast<std::size_t>(Rounds()) * Schemas().Kinds().size() / 4);
  }
}

TEST(OddObjectsProperty, protobuf_and_json_of_a_built_in_kind_say_the_same) {
  const std::vector<std::string> kinds{"v1 Pod",
                                       "v1 Node",
                                       "v1 Namespace",
                                       "v1 ResourceQuota",
                                       "policy/v1 PodDisruptionBudget",
                                       "scheduling.k8s.io/v1 PriorityClass"};
  ForEachSeed([&](std::uint64_t seed) {
    ObjectReader reader({"volcano"}, "default");
    for (const std::string& kind : kinds) {
      json::value object = Schemas().Make(kind, seed, {.odd_fields = 4, .nulls = false});
      Prune(object);
      const auto of_json = reader.ReadObject(object);
      const auto decoded = DecodeKubeObject(KubeEnvelope(object.as_object()));
      ASSERT_TRUE(decoded) << decoded.error().message << "\n" << json::serialize(object);
      const auto of_protobuf = reader.ReadObject(*decoded);
      ASSERT_TRUE(of_json && of_protobuf);
      ASSERT_TRUE(of_json->records == of_protobuf->records) << json::serialize(object);
    }
  });
}

// A cluster of four nodes with two odd objects of each kind.
LiveCluster OddCluster(std::uint64_t seed) {
  LiveCluster cluster(SnapshotOptions{});
  ObjectReader reader({"volcano"}, "default");
  const auto put = [&](const json::value& object) {
    auto read = reader.ReadObject(object);
    ASSERT_TRUE(read) << read.error().message;
    for (ObjectRecord& record : read->records) cluster.Apply(ObjectPut{std::move(record)});
  };
  for (int i = 0; i < 4; ++i) {
    put(json::object{
        {"apiVersion", "v1"},
        {"kind", "Node"},
        {"metadata", {{"name", "node-" + std::to_string(i)}, {"uid", "n" + std::to_string(i)}}},
        {"status", {{"allocatable", {{"cpu", "8"}, {"memory", "16Gi"}, {"pods", "20"}}}}}});
  }
  for (const std::string& kind : Schemas().Kinds()) {
    put(Schemas().Make(kind, 2 * seed, {.odd_fields = 2}));
    put(Schemas().Make(kind, 2 * seed + 1, {.odd_fields = 6}));
  }
  return cluster;
}

// Binds of what could not be read, and onto nodes that are closed.
std::vector<std::string> WrongBinds(const Snapshot& snapshot, const CycleResult& result) {
  std::set<std::string> held;
  for (const TaskFacts& task : snapshot.tasks) {
    if (task.sample) continue;
    const bool group = !task.job.is_none() && !snapshot.job(task.job).record->meta.flaw.empty();
    if (group || !task.record->meta.flaw.empty()) held.insert(task.record->meta.Key());
  }
  std::set<std::string> closed;
  for (const NodeFacts& node : snapshot.nodes) {
    if (node.closed || !node.record->meta.flaw.empty()) closed.insert(node.record->meta.name);
  }
  std::vector<std::string> wrong;
  for (const Bind& bind : result.binds) {
    if (held.contains(bind.pod) || closed.contains(bind.node))
      wrong.push_back(bind.pod + " to " + bind.node);
  }
  return wrong;
}

TEST(OddObjectsProperty, sessions_decide_with_odd_objects_and_hold_what_they_cannot_read) {
  std::size_t binds = 0;
  ForEachSeed([&](std::uint64_t seed) {
    LiveCluster cluster = OddCluster(seed);
    const auto snapshot = cluster.Take(1'767'225'600'000'000'000);
    const CycleResult result = RunCycle(*snapshot, PipelineOf(ConfKindOf(seed)));
    ASSERT_EQ(WrongBinds(*snapshot, result), std::vector<std::string>());
    binds += result.binds.size();
    // And what was decided on can be written down and read back.
    std::stringstream text;
    DumpTo(text, "", {})(1, *snapshot, result);
    DumpReader reader(text, "dump");
    const auto read = reader.Next();
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(FirstDifference(cluster.objects(), *(*read)->objects), "");
  });
  if (Rounds() >= 100) {
    EXPECT_GT(binds, static_cast<std::size_t>(Rounds()) / 4);
  }
}

}  // namespace
}  // namespace batholith::property
