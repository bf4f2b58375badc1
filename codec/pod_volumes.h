#pragma once

#include <boost/json/array.hpp>

#include "api/objects.h"
#include "codec/json/field.h"

namespace batholith {

// spec.volumes: those that live on the node, claims and disks.
void ReadPodVolumes(const Field& spec, PodRecord& pod);
boost::json::array PodVolumeList(const PodRecord& pod);

}  // namespace batholith
