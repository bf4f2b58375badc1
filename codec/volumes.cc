#include <boost/json.hpp>
#include <tuple>

#include "api/csi_migration.h"
#include "api/quantity.h"
#include "codec/encode_parts.h"
#include "codec/kinds.h"
#include "codec/pod_volumes.h"
#include "codec/selector.h"
#include "codec/volume_parts.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr Choices<AccessMode, 4> kAccessModes{
    {{"ReadWriteOnce", AccessMode::kReadWriteOnce},
     {"ReadOnlyMany", AccessMode::kReadOnlyMany},
     {"ReadWriteMany", AccessMode::kReadWriteMany},
     {"ReadWriteOncePod", AccessMode::kReadWriteOncePod}}};
constexpr Choices<VolumeMode, 2> kVolumeModes{
    {{"Filesystem", VolumeMode::kFilesystem}, {"Block", VolumeMode::kBlock}}};
constexpr Choices<VolumePhase, 5> kVolumePhases{{{"Pending", VolumePhase::kPending},
                                                 {"Available", VolumePhase::kAvailable},
                                                 {"Bound", VolumePhase::kBound},
                                                 {"Released", VolumePhase::kReleased},
                                                 {"Failed", VolumePhase::kFailed}}};
constexpr Choices<ClaimPhase, 3> kClaimPhases{{{"Pending", ClaimPhase::kPending},
                                               {"Bound", ClaimPhase::kBound},
                                               {"Lost", ClaimPhase::kLost}}};

AccessModes ReadAccessModes(const Field& modes) {
  AccessModes out = 0;
  for (const Field& mode : modes.Items()) {
    if (const std::optional<AccessMode> known = mode.OneOf(kAccessModes)) out |= BitOf(*known);
  }
  return out;
}

json::array AccessModeList(AccessModes modes) {
  json::array out;
  for (const Choice<AccessMode>& mode : kAccessModes) {
    if ((modes & BitOf(mode.value)) != 0) out.emplace_back(mode.text);
  }
  return out;
}

template <typename T, std::size_t n>
std::string_view NameOf(T value, const Choices<T, n>& choices) {
  for (const Choice<T>& choice : choices) {
    if (choice.value == value) return choice.text;
  }
  return "";
}

std::optional<std::string> ClassIn(const ObjectMeta& meta, const Field& spec) {
  const auto it = meta.annotations->find(kOldStorageClass);
  if (it != meta.annotations->end()) return it->second;
  const Field name = spec["storageClassName"];
  return name.present() ? std::optional(name.Text()) : std::nullopt;
}

std::vector<NodeSelectorTerm> ReadTerms(const Field& required) {
  std::vector<NodeSelectorTerm> out;
  for (const Field& term : required["nodeSelectorTerms"].Items()) out.push_back(ReadNodeTerm(term));
  return out;
}

void PutVersion(json::object& manifest, const std::string& version) {
  Put(manifest["metadata"].as_object(), "resourceVersion", version);
}

}  // namespace

std::int64_t ReadBytes(const Field& amount) {
  if (!amount.present()) return 0;
  const std::size_t flaws = amount.flaw_count();
  const std::string text = amount.TextOrNumber();
  if (amount.flaw_count() != flaws) return 0;
  const Result<std::int64_t> bytes = ParseQuantityCutOff(text, 1);
  if (!bytes) {
    amount.Flaw(bytes.error().message);
    return 0;
  }
  if (*bytes < 0) amount.Flaw("must not be negative");
  return std::max<std::int64_t>(*bytes, 0);
}

PersistentVolumeRecord ReadPersistentVolume(const Field& object) {
  PersistentVolumeRecord out;
  out.meta = ReadMeta(object);
  out.resource_version = object["metadata"]["resourceVersion"].Text();
  const Field spec = object["spec"];
  out.storage_class = ClassIn(out.meta, spec).value_or("");
  out.attributes_class = spec["volumeAttributesClassName"].Text();
  out.capacity = ReadBytes(spec["capacity"]["storage"]);
  out.access_modes = ReadAccessModes(spec["accessModes"]);
  out.mode = spec["volumeMode"].OneOf(kVolumeModes, VolumeMode::kFilesystem);
  out.phase = object["status"]["phase"].OneOf(kVolumePhases, VolumePhase::kPending);
  if (const Field claim = spec["claimRef"]; claim.present())
    out.claim = {claim["namespace"].Text(), claim["name"].Text(), claim["uid"].Text()};
  if (const Field required = spec["nodeAffinity"]["required"]; required.present())
    out.node_affinity = ReadTerms(required);
  out.csi_driver = spec["csi"]["driver"].Text();
  out.csi_handle = spec["csi"]["volumeHandle"].Text();
  if (const std::optional<PodDisk> disk = ReadDisk(spec); disk && out.csi_driver.empty()) {
    if (std::optional<CsiVolume> migrated = CsiVolumeOf(*disk, out.meta.labels))
      std::tie(out.csi_driver, out.csi_handle) = std::tie(migrated->driver, migrated->handle);
  }
  return out;
}

json::object Encode(const PersistentVolumeRecord& volume) {
  json::object out = Begin(volume);
  PutVersion(out, volume.resource_version);
  json::object spec{{"capacity", {{"storage", FormatQuantity(volume.capacity, "memory")}}},
                    {"volumeMode", NameOf(volume.mode, kVolumeModes)}};
  Put(spec, "storageClassName", volume.storage_class);
  Put(spec, "volumeAttributesClassName", volume.attributes_class);
  Put(spec, "accessModes", AccessModeList(volume.access_modes));
  if (volume.claim) {
    json::object claim{{"namespace", volume.claim->namespace_}, {"name", volume.claim->name}};
    Put(claim, "uid", volume.claim->uid);
    spec["claimRef"] = std::move(claim);
  }
  if (volume.node_affinity) {
    json::array terms;
    for (const NodeSelectorTerm& term : *volume.node_affinity)
      terms.push_back(NodeTermObject(term));
    spec["nodeAffinity"] = {{"required", {{"nodeSelectorTerms", std::move(terms)}}}};
  }
  json::object csi;
  Put(csi, "driver", volume.csi_driver);
  Put(csi, "volumeHandle", volume.csi_handle);
  Put(spec, "csi", std::move(csi));
  out["spec"] = std::move(spec);
  out["status"] = {{"phase", NameOf(volume.phase, kVolumePhases)}};
  return out;
}

PersistentVolumeClaimRecord ReadPersistentVolumeClaim(const Field& object) {
  PersistentVolumeClaimRecord out;
  out.meta = ReadMeta(object);
  out.resource_version = object["metadata"]["resourceVersion"].Text();
  const Field spec = object["spec"];
  out.storage_class = ClassIn(out.meta, spec);
  out.attributes_class = spec["volumeAttributesClassName"].Text();
  out.volume = spec["volumeName"].Text();
  out.request = ReadBytes(spec["resources"]["requests"]["storage"]);
  out.access_modes = ReadAccessModes(spec["accessModes"]);
  out.mode = spec["volumeMode"].OneOf(kVolumeModes, VolumeMode::kFilesystem);
  out.phase = object["status"]["phase"].OneOf(kClaimPhases, ClaimPhase::kPending);
  out.selector = ReadLabelSelector(spec["selector"]);
  return out;
}

json::object Encode(const PersistentVolumeClaimRecord& claim) {
  json::object out = Begin(claim);
  PutVersion(out, claim.resource_version);
  json::object spec{
      {"resources", {{"requests", {{"storage", FormatQuantity(claim.request, "memory")}}}}},
      {"volumeMode", NameOf(claim.mode, kVolumeModes)}};
  if (claim.storage_class) spec["storageClassName"] = *claim.storage_class;
  Put(spec, "volumeAttributesClassName", claim.attributes_class);
  Put(spec, "volumeName", claim.volume);
  Put(spec, "accessModes", AccessModeList(claim.access_modes));
  if (claim.selector) spec["selector"] = SelectorObject(*claim.selector);
  out["spec"] = std::move(spec);
  out["status"] = {{"phase", NameOf(claim.phase, kClaimPhases)}};
  return out;
}

}  // namespace batholith
