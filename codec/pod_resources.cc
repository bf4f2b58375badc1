#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "api/resource_schema.h"
#include "codec/pod.h"

namespace batholith {
namespace {

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
  const Field policy = init_container["restartPolicy"];
  if (!policy.is_text()) return false;
  const std::string text = policy.Text();
  return !text.empty() && text != "OnFailure" && text != "Never";
}

// Sums are cut off at 64 bits: no node has more.
ResourceList EffectiveRequest(const Field& spec, const Field& status) {
  const Allocated allocated = ReadAllocated(status);
  ResourceList running;
  for (const Field& c : spec["containers"].Items()) AddTo(running, ContainerRequest(c, allocated));
  ResourceList sidecars;
  ResourceList starting;
  for (const Field& c : spec["initContainers"].Items()) {
    ResourceList request = ContainerRequest(c, allocated);
    if (IsSidecar(c)) {
      AddTo(sidecars, request);
      MaxInto(starting, sidecars);
    } else {
      AddTo(request, sidecars);
      MaxInto(starting, request);
    }
  }
  AddTo(running, sidecars);
  MaxInto(running, starting);
  const Field level = spec["resources"];
  // A limit of the pod stands for a missing request only where no container asks for any.
  for (const auto& [name, limit] : level["limits"].Resources()) running.try_emplace(name, limit);
  for (const auto& [name, amount] : level["requests"].Resources()) running[name] = amount;
  AddTo(running, spec["overhead"].Resources());
  running.erase("pods");
  return running;
}

}  // namespace batholith
