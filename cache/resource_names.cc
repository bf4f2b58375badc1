#include "cache/resource_names.h"

namespace batholith {

bool IsQuotaKey(std::string_view name) {
  return name.starts_with("count/") || name.starts_with("requests.") || name.starts_with("limits.");
}

bool IsDeviceClass(std::string_view name) {
  return name.starts_with("deviceclass/") || name.contains(".deviceclass/");
}

bool CountsInMinimum(std::string_view name) {
  for (const std::string_view native : {"cpu", "memory", "pods", "ephemeral-storage"}) {
    if (name == native) return true;
  }
  if (name.starts_with("hugepages-") || name.starts_with("attachable-volumes-")) return true;
  return name.contains('/') && !IsQuotaKey(name) && !IsDeviceClass(name);
}

}  // namespace batholith
