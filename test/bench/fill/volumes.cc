#include "test/bench/fill/fill.h"

namespace batholith::bench {

// Every pod has a claim of its own, of a class whose volumes are made where the pod goes.
void Volumes(ClusterMaker& maker, const Sizes& sizes) {
  AddGround(maker, sizes, sizes.running);
  ClusterObjects& objects = maker.objects();
  StorageClassRecord& storage = objects.storage_classes.emplace_back();
  storage.meta.name = "late";
  storage.provisioner = "disk.example.com";
  storage.waits_for_pod = true;
  Batch batch = Jobs(maker, sizes, "job", sizes.pods);
  batch.adorn = [&objects](std::size_t, std::size_t, PodRecord& pod) {
    PersistentVolumeClaimRecord& claim = objects.volume_claims.emplace_back();
    claim.meta.name = pod.meta.name + "-data";
    claim.meta.namespace_ = pod.meta.namespace_;
    claim.storage_class = "late";
    claim.request = std::int64_t{10} << 30;
    claim.access_modes = BitOf(AccessMode::kReadWriteOnce);
    pod.volumes = PodVolumes{{{claim.meta.name, false}}, {}};
  };
  maker.AddBatch(batch);
}

}  // namespace batholith::bench
