#include <boost/json.hpp>

#include "api/quantity.h"
#include "codec/encode_parts.h"
#include "codec/kinds.h"
#include "codec/selector.h"
#include "codec/volume_parts.h"

// What storage drivers say of nodes.
namespace batholith {

namespace json = boost::json;

CsiNodeRecord ReadCsiNode(const Field& object) {
  CsiNodeRecord out;
  out.meta = ReadMeta(object);
  for (const Field& driver : object["spec"]["drivers"].Items()) {
    const Field count = driver["allocatable"]["count"];
    out.drivers.push_back(
        {driver["name"].Text(),
         count.present() ? std::optional(static_cast<std::int32_t>(count.Clamped(0, 0, INT32_MAX)))
                         : std::nullopt});
  }
  return out;
}

json::object Encode(const CsiNodeRecord& node) {
  json::object out = Begin(node);
  json::array drivers;
  for (const CsiNodeDriver& driver : node.drivers) {
    json::object item{{"name", driver.name}};
    if (driver.count) item["allocatable"] = {{"count", *driver.count}};
    drivers.push_back(std::move(item));
  }
  out["spec"] = {{"drivers", std::move(drivers)}};
  return out;
}

CsiDriverRecord ReadCsiDriver(const Field& object) {
  return {ReadMeta(object), object["spec"]["storageCapacity"].Bool(false)};
}

json::object Encode(const CsiDriverRecord& driver) {
  json::object out = Begin(driver);
  out["spec"] = {{"storageCapacity", driver.storage_capacity}};
  return out;
}

CsiStorageCapacityRecord ReadCsiStorageCapacity(const Field& object) {
  CsiStorageCapacityRecord out;
  out.meta = ReadMeta(object);
  out.storage_class = object["storageClassName"].Text();
  out.nodes = ReadLabelSelector(object["nodeTopology"]);
  if (const Field capacity = object["capacity"]; capacity.present())
    out.capacity = ReadBytes(capacity);
  if (const Field maximum = object["maximumVolumeSize"]; maximum.present())
    out.maximum_volume = ReadBytes(maximum);
  return out;
}

json::object Encode(const CsiStorageCapacityRecord& capacity) {
  json::object out = Begin(capacity);
  Put(out, "storageClassName", capacity.storage_class);
  if (capacity.nodes) out["nodeTopology"] = SelectorObject(*capacity.nodes);
  if (capacity.capacity) out["capacity"] = FormatQuantity(*capacity.capacity, "memory");
  if (capacity.maximum_volume)
    out["maximumVolumeSize"] = FormatQuantity(*capacity.maximum_volume, "memory");
  return out;
}

VolumeAttachmentRecord ReadVolumeAttachment(const Field& object) {
  const Field spec = object["spec"];
  const Field source = spec["source"];
  return {ReadMeta(object), spec["attacher"].Text(), spec["nodeName"].Text(),
          source["persistentVolumeName"].Text(),
          source["inlineVolumeSpec"]["csi"]["volumeHandle"].Text()};
}

json::object Encode(const VolumeAttachmentRecord& attachment) {
  json::object out = Begin(attachment);
  json::object source;
  Put(source, "persistentVolumeName", attachment.volume);
  if (!attachment.handle.empty())
    source["inlineVolumeSpec"] = {{"csi", {{"volumeHandle", attachment.handle}}}};
  out["spec"] = {{"attacher", attachment.attacher},
                 {"nodeName", attachment.node},
                 {"source", std::move(source)}};
  return out;
}

}  // namespace batholith
