#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <vector>

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

struct PodAmounts {
  struct Init {
    ResourceList request;
    bool sidecar = false;
  };
  std::vector<ResourceList> containers;
  std::vector<Init> init_containers;
  ResourceList pod_limits;
  ResourceList pod_requests;
  ResourceList overhead;
};

PodAmounts ReadAmounts(const Field& spec, const Field& status) {
  const Allocated allocated = ReadAllocated(status);
  PodAmounts out;
  for (const Field& c : spec["containers"].Items())
    out.containers.push_back(ContainerRequest(c, allocated));
  for (const Field& c : spec["initContainers"].Items())
    out.init_containers.push_back({ContainerRequest(c, allocated), IsSidecar(c)});
  const Field level = spec["resources"];
  out.pod_limits = level["limits"].Resources();
  out.pod_requests = level["requests"].Resources();
  out.overhead = spec["overhead"].Resources();
  return out;
}

// Sums are cut off at 64 bits: no node has more.
ResourceList Sum(const PodAmounts& amounts) {
  ResourceList running;
  for (const ResourceList& request : amounts.containers) AddTo(running, request);
  ResourceList sidecars;
  ResourceList starting;
  for (const PodAmounts::Init& init : amounts.init_containers) {
    if (init.sidecar) {
      AddTo(sidecars, init.request);
      MaxInto(starting, sidecars);
    } else {
      ResourceList request = init.request;
      AddTo(request, sidecars);
      MaxInto(starting, request);
    }
  }
  AddTo(running, sidecars);
  MaxInto(running, starting);
  // A limit of the pod stands for a missing request only where no container asks for any.
  for (const auto& [name, limit] : amounts.pod_limits) running.try_emplace(name, limit);
  for (const auto& [name, amount] : amounts.pod_requests) running[name] = amount;
  AddTo(running, amounts.overhead);
  running.erase("pods");
  return running;
}

bool LeavesUnnamed(const PodAmounts& amounts) {
  const auto unnamed = [](const ResourceList& request) {
    return !request.contains("cpu") || !request.contains("memory");
  };
  return std::ranges::any_of(amounts.containers, unnamed) ||
         std::ranges::any_of(amounts.init_containers, unnamed, &PodAmounts::Init::request);
}

PodAmounts WithDefaults(PodAmounts amounts) {
  static constexpr std::int64_t kCpu = 100;                         // millicores
  static constexpr std::int64_t kMemory = std::int64_t{200} << 20;  // bytes
  const auto name = [](ResourceList& request) {
    request.try_emplace("cpu", kCpu);
    request.try_emplace("memory", kMemory);
  };
  for (ResourceList& request : amounts.containers) name(request);
  for (PodAmounts::Init& init : amounts.init_containers) name(init.request);
  return amounts;
}

std::int64_t Amount(const ResourceList& list, const char* name) {
  const auto it = list.find(name);
  return it == list.end() ? 0 : it->second;
}

}  // namespace

bool IsSidecar(const Field& init_container) {
  const Field policy = init_container["restartPolicy"];
  if (!policy.is_text()) return false;
  const std::string text = policy.Text();
  return !text.empty() && text != "OnFailure" && text != "Never";
}

PodRequest EffectiveRequest(const Field& spec, const Field& status) {
  const PodAmounts amounts = ReadAmounts(spec, status);
  PodRequest out{Sum(amounts), 0, 0};
  if (!LeavesUnnamed(amounts)) return out;
  const ResourceList named = Sum(WithDefaults(amounts));
  // Never less than nothing: what the pod level names or limits stands for its containers.
  const auto beyond = [&](const char* name) {
    return std::max<std::int64_t>(Amount(named, name) - Amount(out.request, name), 0);
  };
  out.unnamed_cpu = beyond("cpu");
  out.unnamed_memory = beyond("memory");
  return out;
}

}  // namespace batholith
