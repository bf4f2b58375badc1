#pragma once

#include <string>
#include <vector>

namespace batholith {

// A kind of objects that a scheduler reads.
struct KubeKind {
  const char* api_version;
  const char* kind;
  const char* plural;
  bool namespaced;
  bool required;  // nothing can be decided without it; others may be missing in a cluster

  bool built_in() const;
  std::string group() const;      // "" of v1
  std::string list_path() const;  // /apis/GROUP/VERSION/PLURAL
  std::string path(const std::string& name_space, const std::string& name) const;
  std::string name() const;  // "Pod", "Queue.scheduling.volcano.sh"
};

// What people ask of a queue or a job, as Volcano's tools write it; no record.
inline constexpr KubeKind kCommandKind{"bus.volcano.sh/v1alpha1", "Command", "commands", true,
                                       false};

const std::vector<KubeKind>& KubeKinds();
// nullptr where nobody reads it.
const KubeKind* FindKubeKind(const std::string& api_version, const std::string& kind);

// Of the pod namespace/name.
std::string PodPath(const std::string& key);

}  // namespace batholith
