#include "api/csi_migration.h"

#include <gtest/gtest.h>

namespace batholith {
namespace {

using Kind = PodDisk::Kind;

struct Case {
  Kind kind;
  std::string id;
  std::string zones;   // label of the PersistentVolume; empty: none
  std::string driver;  // empty: it counts nowhere
  std::string handle;
};

// What csi-translation-lib 0.36 makes of them.
const std::vector<Case> kCases{
    {Kind::kAwsElasticBlockStore, "vol-1", "", "ebs.csi.aws.com", "vol-1"},
    {Kind::kAwsElasticBlockStore, "aws://us-east-1a/vol-1", "us-east-1a", "ebs.csi.aws.com",
     "vol-1"},
    {Kind::kAwsElasticBlockStore, "aws:///vol-1/", "", "ebs.csi.aws.com", "vol-1"},
    {Kind::kAwsElasticBlockStore, "aws://us-east-1a/disk-1", "", "", ""},
    {Kind::kAwsElasticBlockStore, "aws://zone/a/vol-1", "", "", ""},
    {Kind::kAwsElasticBlockStore, "aws://vol-1", "", "", ""},
    {Kind::kGcePersistentDisk, "pd", "", "pd.csi.storage.gke.io",
     "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/pd"},
    {Kind::kGcePersistentDisk, "pd", "us-west1-b", "pd.csi.storage.gke.io",
     "projects/UNSPECIFIED/zones/us-west1-b/disks/pd"},
    {Kind::kGcePersistentDisk, "pd", "us-west1-b__us-west1-c", "pd.csi.storage.gke.io",
     "projects/UNSPECIFIED/regions/us-west1/disks/pd"},
    {Kind::kGcePersistentDisk, "pd", "us-west1-b__us-east1-c", "", ""},
    {Kind::kGcePersistentDisk, "pd", "here__there", "", ""},
    {Kind::kAzureDisk, "/sub/d", "", "disk.csi.azure.com", "/sub/d"},
    {Kind::kCinder, "c-1", "", "cinder.csi.openstack.org", "c-1"},
    {Kind::kPortworx, "p-1", "", "pxd.portworx.com", "p-1"},
    {Kind::kPortworx, "", "", "", ""},
    {Kind::kIscsi, "iqn.x", "", "", ""},
    {Kind::kRbd, "image", "", "", ""},
};

TEST(CsiMigration, disks_of_old_kinds_are_volumes_of_drivers) {
  for (const Case& c : kCases) {
    for (const char* key :
         {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"}) {
      SCOPED_TRACE(c.id + " " + c.zones);
      Labels labels;
      if (!c.zones.empty()) labels[key] = c.zones;
      const auto volume = CsiVolumeOf({c.kind, c.id, {}, {}, false}, labels);
      ASSERT_EQ(volume.has_value(), !c.driver.empty());
      if (volume) {
        EXPECT_EQ(*volume, (CsiVolume{c.driver, c.handle}));
      }
    }
  }
}

TEST(CsiMigration, provisioners_of_old_kinds_are_drivers) {
  EXPECT_EQ(CsiDriverOf("kubernetes.io/aws-ebs"), "ebs.csi.aws.com");
  EXPECT_EQ(CsiDriverOf("kubernetes.io/gce-pd"), "pd.csi.storage.gke.io");
  EXPECT_EQ(CsiDriverOf("disk.example.com"), "disk.example.com");
  // Files and volumes of vSphere are attached by their drivers, and kube-scheduler does not count
  // them.
  EXPECT_EQ(CsiDriverOf("kubernetes.io/azure-file"), "kubernetes.io/azure-file");
}

}  // namespace
}  // namespace batholith
