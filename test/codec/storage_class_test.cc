#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

constexpr const char* kClasses = R"(
{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: plain}, provisioner: disk.example.com}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: late, namespace: ignored, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: disk.example.com
volumeBindingMode: WaitForFirstConsumer
allowedTopologies:
- matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [a, b]}, {key: rack, values: [r1]}]
- matchLabelExpressions: [{key: topology.kubernetes.io/zone, values: [c]}]
)";

TEST(StorageClass, what_volumes_of_a_class_need_is_read) {
  const Loaded loaded = Decode(kClasses);
  ASSERT_EQ(loaded.refused, std::vector<std::string>());
  const std::vector<StorageClassRecord>& classes = loaded.objects.storage_classes;
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].provisioner, "disk.example.com");
  EXPECT_FALSE(classes[0].waits_for_pod) << "volumeBindingMode is Immediate where it is absent";
  EXPECT_EQ(classes[0].allowed_topologies.size(), 0U);
  EXPECT_EQ(classes[1].meta.Key(), "late") << "a class has no namespace";
  EXPECT_TRUE(classes[1].waits_for_pod);
  using Op = Requirement::Op;
  const std::vector<std::vector<Requirement>> topologies{
      {{"topology.kubernetes.io/zone", Op::kIn, {"a", "b"}}, {"rack", Op::kIn, {"r1"}}},
      {{"topology.kubernetes.io/zone", Op::kIn, {"c"}}}};
  EXPECT_EQ(classes[1].allowed_topologies, topologies);
}

TEST(StorageClass, a_fault_is_refused_with_its_field) {
  const Loaded loaded = Decode(
      "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: a}, volumeBindingMode: "
      "Soon}\n"
      "---\n"
      "{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: b}, "
      "allowedTopologies: [{matchLabelExpressions: [{key: zone, values: []}]}]}\n");
  ASSERT_EQ(loaded.refused.size(), 2U);
  EXPECT_NE(loaded.refused[0].find("StorageClass a: volumeBindingMode: "), std::string::npos)
      << loaded.refused[0];
  EXPECT_NE(loaded.refused[1].find(
                "StorageClass b: allowedTopologies[0].matchLabelExpressions[0].values: must name a "
                "value"),
            std::string::npos)
      << loaded.refused[1];
}

}  // namespace
}  // namespace batholith
