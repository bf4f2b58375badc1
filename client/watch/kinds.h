#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace batholith {

// What a kind is read for, and whether scheduling waits for it.
enum class KindUse : std::uint8_t {
  kRequired,  // nothing can be decided without it
  kOptional,  // waited for where the cluster has it
  // Watched once something wants it, and never waited for: a cluster without it, or without the
  // rule for it, schedules all the same.
  kBuffers,     // capacity buffers
  kBuffered,    // what a buffer refers to
  kNodeGroups,  // what can be scaled
};

inline bool IsWaitedFor(KindUse use) {
  return use == KindUse::kRequired || use == KindUse::kOptional;
}

// A kind of objects that a scheduler reads.
struct KubeKind {
  const char* api_version;
  const char* kind;
  const char* plural;
  bool namespaced;
  KindUse use;
  // The version that is watched where this one's server has it; nullptr: there is no newer one. An
  // object is told in one version, though a server tells it in each.
  const char* newer = nullptr;

  bool waited_for() const { return IsWaitedFor(use); }
  bool built_in() const;
  bool protobuf() const;          // we know its schema
  std::string group() const;      // "" of v1
  std::string list_path() const;  // /apis/GROUP/VERSION/PLURAL
  std::string path(const std::string& name_space, const std::string& name) const;
  std::string path(const std::string& key) const;  // of namespace/name
  // "Pod", "Queue.scheduling.volcano.sh"; of an older version "Machine.v1beta1.cluster.x-k8s.io".
  std::string name() const;
};

// What people ask of a queue or a job, as Volcano's tools write it; no record.
inline constexpr KubeKind kCommandKind{"bus.volcano.sh/v1alpha1", "Command", "commands", true,
                                       KindUse::kOptional};

const std::vector<KubeKind>& KubeKinds();
// nullptr where nobody reads it.
const KubeKind* FindKubeKind(const std::string& api_version, const std::string& kind);

// Of the pod namespace/name.
std::string PodPath(const std::string& key);

}  // namespace batholith
