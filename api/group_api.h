#pragma once

#include <cstdint>
#include <string_view>

namespace batholith {

// Whose PodGroup a group of pods is. Groups of one namespace and name are different groups where
// they are of different APIs.
enum class GroupApi : std::uint8_t {
  kVolcano,
  kKubernetes,    // scheduling.k8s.io
  kCoscheduling,  // scheduling.x-k8s.io, of the coscheduling plugin
  kKoordinator,   // scheduling.sigs.k8s.io, and gangs that pods alone name by annotations
};

// What follows the name of such a group in its key; no object's name has an @.
constexpr std::string_view SuffixOf(GroupApi api) {
  switch (api) {
    case GroupApi::kVolcano:
      return "";
    case GroupApi::kKubernetes:
      return "@scheduling.k8s.io";
    case GroupApi::kCoscheduling:
      return "@scheduling.x-k8s.io";
    case GroupApi::kKoordinator:
      return "@scheduling.sigs.k8s.io";
  }
  return "";
}

// By the group of the API that serves its objects.
constexpr GroupApi GroupApiOf(std::string_view api_group) {
  for (const GroupApi api :
       {GroupApi::kKubernetes, GroupApi::kCoscheduling, GroupApi::kKoordinator}) {
    if (SuffixOf(api).substr(1) == api_group) return api;
  }
  return GroupApi::kVolcano;
}

}  // namespace batholith
