// Whatever a built-in object says, protobuf and JSON of it give the same record.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "codec/decode.h"
#include "codec/encode.h"
#include "codec/kube_proto.h"
#include "test/codec/same_objects.h"
#include "test/property/kube_wire.h"
#include "test/property/property_env.h"
#include "test/property/random_records.h"

namespace batholith::property {
namespace {

// Calls `visit(record)` for each of the kinds that an API server sends as protobuf.
template <typename Visit>
void ForEachBuiltIn(const ClusterObjects& objects, Visit visit) {
  for (const auto& record : objects.nodes) visit(record);
  for (const auto& record : objects.pods) visit(record);
  for (const auto& record : objects.namespaces) visit(record);
  for (const auto& record : objects.resource_quotas) visit(record);
  for (const auto& record : objects.priority_classes) visit(record);
  for (const auto& record : objects.disruption_budgets) visit(record);
}

TEST(KubeProtoProperty, protobuf_and_json_give_the_same_record) {
  ForEachSeed([](std::uint64_t seed) {
    ManifestDecoder of_json(LoadOptions{});
    ManifestDecoder of_protobuf(LoadOptions{});
    ClusterObjects objects = RandomRecords(seed);
    for (PodRecord& pod : objects.pods) {
      // No API server sends an empty one in JSON.
      if (pod.scheduler_name.empty()) pod.scheduler_name = "default-scheduler";
    }
    ForEachBuiltIn(objects, [&](const auto& record) {
      const boost::json::object manifest = Encode(record);
      of_json.Add(manifest, "object");
      const auto decoded = DecodeKubeObject(KubeEnvelope(manifest));
      ASSERT_TRUE(decoded) << decoded.error().message;
      of_protobuf.Add(*decoded, "object");
    });
    const Loaded a = of_json.Finish();
    const Loaded b = of_protobuf.Finish();
    EXPECT_EQ(a.refused, std::vector<std::string>());
    EXPECT_EQ(b.refused, std::vector<std::string>());
    EXPECT_EQ(FirstDifference(a.objects, b.objects), "");
  });
}

void DecodeIfPossible(const std::string& envelope) {
  const auto object = DecodeKubeObject(envelope);
  if (!object) return;
  ManifestDecoder decoder(LoadOptions{});
  decoder.Add(*object, "object");
  (void)decoder.Finish();
}

TEST(KubeProtoProperty, damaged_protobuf_is_refused_or_read) {
  ForEachSeed([](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    ForEachBuiltIn(RandomRecords(seed), [&](const auto& record) {
      std::string bytes = KubeEnvelope(Encode(record));
      for (std::uint64_t n = random() % 4; n > 0; --n)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      if (random() % 4 == 0) bytes.resize(random() % bytes.size());
      DecodeIfPossible(bytes);
    });
  });
}

}  // namespace
}  // namespace batholith::property
