#pragma once

#include <string_view>

// Which names in a list of resources mean something that a node can have.
namespace batholith {

// What a ResourceQuota counts and no node offers: count/pods, requests.cpu, limits.memory.
bool IsQuotaKey(std::string_view name);

// A class of devices that claims ask for. Accepted and not counted: nobody holds any while claims
// are not read.
bool IsDeviceClass(std::string_view name);

// Whether a group's minResources ask for it as Volcano counts them: cpu, memory, pods,
// ephemeral-storage, huge pages, volumes that can be attached, and names with a domain.
// Source: NewResource and IsScalarResourceName; a device class is none of them here.
bool CountsInMinimum(std::string_view name);

}  // namespace batholith
