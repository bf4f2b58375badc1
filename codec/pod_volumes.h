#pragma once

#include <boost/json/array.hpp>
#include <optional>

#include "api/objects.h"
#include "codec/json/field.h"

namespace batholith {

// spec.volumes: those that live on the node, claims and disks.
void ReadPodVolumes(const Field& spec, PodRecord& pod);
// The disk of a volume's source, of a pod or of a PersistentVolume; nothing: it has none of those
// that are read.
std::optional<PodDisk> ReadDisk(const Field& volume);
boost::json::array PodVolumeList(const PodRecord& pod);

}  // namespace batholith
