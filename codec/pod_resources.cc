#include <algorithm>
#include <map>

#include "codec/pod.h"

namespace batholith {
namespace {

// Sums of absurd requests are refused, so that no pod asks for less than it writes.
void AddChecked(ResourceList& sum, const ResourceList& more, const Field& where) {
  for (const auto& [name, amount] : more) {
    std::int64_t& v = sum[name];
    if (__builtin_add_overflow(v, amount, &v))
      where.Fail("the sum of " + name + " is out of range");
  }
}

void MaxInto(ResourceList& out, const ResourceList& other) {
  for (const auto& [name, amount] : other) {
    std::int64_t& v = out[name];
    v = std::max(v, amount);
  }
}

using Allocated = std::map<std::string, ResourceList, std::less<>>;  // by container name

Allocated ReadAllocated(const Field& status) {
  Allocated out;
  for (const char* list : {"containerStatuses", "initContainerStatuses"}) {
    for (const Field& c : status[list].Items()) {
      const Field amounts = c["allocatedResources"];
      if (amounts.present()) out.emplace(c["name"].Text(), amounts.Resources());
    }
  }
  return out;
}

ResourceList ContainerRequest(const Field& container, const Allocated& allocated) {
  const Field resources = container["resources"];
  ResourceList request = resources["requests"].Resources();
  for (const auto& [name, limit] : resources["limits"].Resources())
    request.try_emplace(name, limit);
  if (allocated.empty()) return request;
  const auto it = allocated.find(container["name"].Text());
  if (it != allocated.end()) MaxInto(request, it->second);
  return request;
}

}  // namespace

bool IsSidecar(const Field& init_container) {
  static constexpr Choices<bool, 3> kPolicies{
      {{"Always", true}, {"OnFailure", false}, {"Never", false}}};
  return init_container["restartPolicy"].OneOf(kPolicies, false);
}

ResourceList EffectiveRequest(const Field& spec, const Field& status) {
  const Allocated allocated = ReadAllocated(status);
  const Field containers = spec["containers"];
  ResourceList running;
  for (const Field& c : containers.Items())
    AddChecked(running, ContainerRequest(c, allocated), containers);
  ResourceList sidecars;
  ResourceList starting;
  const Field init_containers = spec["initContainers"];
  for (const Field& c : init_containers.Items()) {
    ResourceList request = ContainerRequest(c, allocated);
    if (IsSidecar(c)) {
      AddChecked(sidecars, request, init_containers);
      MaxInto(starting, sidecars);
    } else {
      AddChecked(request, sidecars, init_containers);
      MaxInto(starting, request);
    }
  }
  AddChecked(running, sidecars, containers);
  MaxInto(running, starting);
  const Field level = spec["resources"];
  // A limit of the pod stands for a missing request only where no container asks for any.
  for (const auto& [name, limit] : level["limits"].Resources()) running.try_emplace(name, limit);
  for (const auto& [name, amount] : level["requests"].Resources()) running[name] = amount;
  AddChecked(running, spec["overhead"].Resources(), spec["overhead"]);
  running.erase("pods");
  return running;
}

}  // namespace batholith
