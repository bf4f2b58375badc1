#include <gtest/gtest.h>

#include "test/codec/decode_env.h"

namespace batholith {
namespace {

constexpr const char* kOldObjects = R"(
apiVersion: resource.k8s.io/v1beta1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.acme.example
  pool: {name: n1, generation: 2, resourceSliceCount: 1}
  nodeName: n1
  devices:
  - {name: g0, basic: {attributes: {numa: {int: 1}, fw: {version: 1.2.3}}, capacity: {memory: {value: 80Gi}}}}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: c, namespace: ns}
spec:
  devices:
    requests:
    - {name: r, deviceClassName: gpu, allocationMode: All}
    constraints:
    - {matchAttribute: gpu.acme.example/numa}
)";

constexpr const char* kNewObjects = R"(
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.acme.example
  pool: {name: n1, generation: 2, resourceSliceCount: 1}
  nodeName: n1
  devices:
  - {name: g0, attributes: {numa: {int: 1}, fw: {version: 1.2.3}}, capacity: {memory: {value: 80Gi}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: ns}
spec:
  devices:
    requests:
    - {name: r, exactly: {deviceClassName: gpu, allocationMode: All}}
    constraints:
    - {matchAttribute: gpu.acme.example/numa}
)";

TEST(DeviceKinds, all_versions_of_the_api_say_the_same) {
  const Loaded old = Decode(kOldObjects);
  const Loaded now = Decode(kNewObjects);
  ASSERT_EQ(old.refused, std::vector<std::string>());
  ASSERT_EQ(now.refused, std::vector<std::string>());
  ASSERT_EQ(now.objects.resource_slices.size(), 1U);
  ASSERT_EQ(now.objects.device_claims.size(), 1U);
  ResourceSliceRecord old_slice = old.objects.resource_slices.front();
  const ResourceSliceRecord& slice = now.objects.resource_slices.front();
  EXPECT_EQ(old_slice.devices, slice.devices);
  EXPECT_EQ(slice.generation, 2);
  const Device& device = slice.devices.front();
  EXPECT_EQ(device.attributes.at("numa"), DeviceAttribute(std::int64_t{1}));
  EXPECT_EQ(device.attributes.at("fw"), DeviceAttribute(DeviceVersion{"1.2.3"}));
  EXPECT_EQ(device.capacity.at("memory").value, kOneUnit * 80 * 1024 * 1024 * 1024);
  EXPECT_EQ(old.objects.device_claims.front().spec, now.objects.device_claims.front().spec);
  const DeviceAsk& ask = now.objects.device_claims.front().spec.requests.front().asks.front();
  EXPECT_TRUE(ask.all);
  EXPECT_EQ(ask.device_class, "gpu");
}

TEST(DeviceKinds, a_pod_s_claims_know_what_was_made_for_them) {
  const Loaded loaded = Decode(R"(
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: ns}
spec:
  schedulerName: volcano
  containers: [{name: c, image: x}]
  resourceClaims:
  - {name: own, resourceClaimName: mine}
  - {name: made, resourceClaimTemplateName: t}
  - {name: none, resourceClaimTemplateName: t}
status:
  phase: Pending
  resourceClaimStatuses: [{name: made, resourceClaimName: p-made-x1}, {name: none}]
)");
  ASSERT_EQ(loaded.refused, std::vector<std::string>());
  const PodDeviceClaims claims = loaded.objects.pods.front().device_claims;
  ASSERT_EQ(claims.size(), 3U);
  EXPECT_EQ(claims[0], (PodDeviceClaim{"own", "mine", "", std::nullopt}));
  EXPECT_EQ(claims[1].made, "p-made-x1");
  EXPECT_EQ(claims[2].made, "") << "none was needed";
}

TEST(DeviceKinds, a_request_that_asks_for_nothing_is_refused_with_its_field) {
  const Loaded loaded = Decode(
      "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: c, namespace: ns}, "
      "spec: {devices: {requests: [{name: r}]}}}\n");
  ASSERT_EQ(loaded.refused.size(), 1U);
  EXPECT_NE(loaded.refused[0].find("ResourceClaim ns/c: spec.devices.requests[0]: must have"),
            std::string::npos)
      << loaded.refused[0];
}

}  // namespace
}  // namespace batholith
