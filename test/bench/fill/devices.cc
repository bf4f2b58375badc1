#include <string>

#include "test/bench/fill/fill.h"

namespace batholith::bench {

void ShapeDevices(Sizes& sizes) {
  if (sizes.claims > 0) sizes.pods = sizes.claims;
}

// Every pod has a claim of its own for one device of its node.
void Devices(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.running);
  ClusterObjects& objects = maker.objects();
  DeviceClassRecord& gpu = objects.device_classes.emplace_back();
  gpu.meta.name = "gpu";
  gpu.selectors = {"device.driver == \"gpu.example.com\""};
  for (const NodeRecord& node : objects.nodes) {
    ResourceSliceRecord& slice = objects.resource_slices.emplace_back();
    slice.meta.name = node.meta.name + "-gpu";
    slice.driver = "gpu.example.com";
    slice.pool = slice.nodes.node = node.meta.name;
    slice.generation = slice.slices_in_pool = 1;
    for (std::size_t d = 0; d < sizes.devices; ++d) {
      Device& device = slice.devices.emplace_back();
      device.name = "gpu" + std::to_string(d);
      device.attributes["numa"] = static_cast<std::int64_t>(d % 2);
      device.capacity["memory"] = {kOneUnit * (std::int64_t{80} << 30), {}};
    }
  }
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  batch.adorn = [&objects](std::size_t, std::size_t, PodRecord& pod) {
    ResourceClaimRecord& claim = objects.device_claims.emplace_back();
    claim.meta.name = pod.meta.name + "-gpu";
    claim.meta.namespace_ = pod.meta.namespace_;
    DeviceAsk ask;
    ask.device_class = "gpu";
    ask.selectors = {"device.attributes[\"gpu.example.com\"].numa < 2"};
    claim.spec.requests = {{"gpu", {ask}, false}};
    pod.device_claims = PodDeviceClaims{{"gpu", claim.meta.name, "", std::nullopt}};
  };
  maker.AddBatch(batch);
}

}  // namespace batholith::bench
