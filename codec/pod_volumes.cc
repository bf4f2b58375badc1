#include "codec/pod_volumes.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cctype>
#include <string_view>
#include <utility>

#include "codec/claim_templates.h"
#include "codec/encode_parts.h"
#include "codec/json/parse.h"

namespace batholith {
namespace {

namespace json = boost::json;

bool IsManaged(std::string_view kind) {
  return std::ranges::equal(kind, std::string_view("managed"), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

struct DiskSource {
  PodDisk::Kind kind;
  const char* field;
  const char* id;
};
constexpr std::array<DiskSource, 7> kDiskSources{
    {{PodDisk::Kind::kGcePersistentDisk, "gcePersistentDisk", "pdName"},
     {PodDisk::Kind::kAwsElasticBlockStore, "awsElasticBlockStore", "volumeID"},
     {PodDisk::Kind::kIscsi, "iscsi", "iqn"},
     {PodDisk::Kind::kRbd, "rbd", "image"},
     {PodDisk::Kind::kAzureDisk, "azureDisk", "diskURI"},
     {PodDisk::Kind::kCinder, "cinder", "volumeID"},
     {PodDisk::Kind::kPortworx, "portworxVolume", "volumeID"}}};

// Whether the volume is one of the pod's node.
bool ReadLocal(const Field& volume, PodRecord& pod) {
  using Kind = LocalVolume::Kind;
  if (const Field dir = volume["emptyDir"]; dir.present()) {
    const bool memory = dir["medium"].Text() == "Memory";
    pod.local_volumes.push_back({volume["name"].Text(), memory ? Kind::kMemory : Kind::kEmptyDir});
    return true;
  }
  if (!volume["hostPath"].present()) return false;
  pod.local_volumes.push_back({volume["name"].Text(), Kind::kHostPath});
  return true;
}

std::string TemplateText(const Field& claim) {
  if (!claim.present()) return {};
  return TemplateTextOf(ClaimFrom(claim, "", "claim"));
}

}  // namespace

std::optional<PodDisk> ReadDisk(const Field& volume) {
  for (const DiskSource& source : kDiskSources) {
    const Field disk = volume[source.field];
    if (!disk.present()) continue;
    PodDisk out{source.kind, disk[source.id].Text(), {}, {}, disk["readOnly"].Bool(false)};
    if (source.kind == PodDisk::Kind::kRbd) {
      out.pool = disk["pool"].Text();
      if (out.pool.empty()) out.pool = "rbd";  // as an API server fills it in
      out.monitors = disk["monitors"].Texts();
    }
    if (source.kind == PodDisk::Kind::kAzureDisk && disk["kind"].present() &&
        !IsManaged(disk["kind"].Text()))
      return std::nullopt;  // a blob of an account, which no driver attaches
    return out;
  }
  return std::nullopt;
}

void ReadPodVolumes(const Field& spec, PodRecord& pod) {
  for (const Field& volume : spec["volumes"].Items()) {
    if (ReadLocal(volume, pod)) continue;
    if (const Field claim = volume["persistentVolumeClaim"]; claim.present()) {
      pod.volumes.Edit().claims.push_back({claim["claimName"].Text(), false});
    } else if (volume["ephemeral"].present()) {
      pod.volumes.Edit().claims.push_back(
          {volume["name"].Text(), true, TemplateText(volume["ephemeral"]["volumeClaimTemplate"])});
    } else if (std::optional<PodDisk> disk = ReadDisk(volume)) {
      pod.volumes.Edit().disks.push_back(std::move(*disk));
    }
  }
}

json::array PodVolumeList(const PodRecord& pod) {
  json::array out;
  for (const LocalVolume& volume : pod.local_volumes) {
    json::object item{{"name", volume.name}};
    if (volume.kind == LocalVolume::Kind::kHostPath) {
      item["hostPath"] = json::object{{"path", "/"}};
    } else {
      json::object dir;
      if (volume.kind == LocalVolume::Kind::kMemory) dir["medium"] = "Memory";
      item["emptyDir"] = std::move(dir);
    }
    out.push_back(std::move(item));
  }
  for (const PodClaim& claim : pod.volumes->claims) {
    if (claim.ephemeral) {
      json::object ephemeral;
      if (!claim.template_text.empty())
        ephemeral["volumeClaimTemplate"] = ParseJsonValue(claim.template_text).value_or(nullptr);
      out.push_back(json::object{{"name", claim.name}, {"ephemeral", std::move(ephemeral)}});
    } else {
      out.push_back({{"name", "claim" + std::to_string(out.size())},
                     {"persistentVolumeClaim", {{"claimName", claim.name}}}});
    }
  }
  for (const PodDisk& disk : pod.volumes->disks) {
    const DiskSource& source = kDiskSources[static_cast<std::size_t>(disk.kind)];
    json::object from{{source.id, disk.id}};
    if (disk.kind == PodDisk::Kind::kRbd) {
      from["pool"] = disk.pool;
      Put(from, "monitors", TextList(disk.monitors));
    }
    if (disk.read_only) from["readOnly"] = true;
    out.push_back(json::object{{"name", "disk" + std::to_string(out.size())},
                               {source.field, std::move(from)}});
  }
  return out;
}

}  // namespace batholith
