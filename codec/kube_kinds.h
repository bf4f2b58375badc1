#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/cluster_objects.h"
#include "api/kind_use.h"
#include "codec/json/field.h"
#include "codec/pod.h"

namespace batholith {

// What a reader needs beside the object.
struct ReadContext {
  const std::string& group;  // of the object's apiVersion; empty: core
  const std::string& kind;
  ConstraintTable& constraints;
  std::vector<std::string>& warnings;  // hear of what is read otherwise than it is written
};

// A kind of objects, in one version of its API.
struct KubeKind {
  // The record of an object as it is written, nothing derived. Errors: FieldError.
  using Reader = ObjectRecord (*)(const Field& object, ReadContext& context);

  const char* api_version;
  const char* kind;
  const char* plural;
  bool namespaced;
  KindUse use;
  // The version that is watched where this one's server has it; nullptr: there is no newer one. An
  // object is told in one version, though a server tells it in each.
  const char* newer = nullptr;
  std::size_t record = 0;  // KindOf its record
  Reader read = nullptr;   // nullptr: no record is made of it
  bool dumped = false;     // the version in which the record is written as a manifest
  bool written = false;    // the scheduler writes to its objects

  bool waited_for() const { return IsWaitedFor(use); }
  bool built_in() const;
  bool protobuf() const;           // we know its schema
  std::string_view group() const;  // "" of v1
  std::string resource() const;    // GROUP/PLURAL, as rules of access have it
  std::string list_path() const;   // /apis/GROUP/VERSION/PLURAL
  std::string path(const std::string& namespace_, const std::string& name) const;
  std::string path(const std::string& key) const;  // of namespace/name
  // "Pod", "Queue.scheduling.volcano.sh"; of an older version "Machine.v1beta1.cluster.x-k8s.io".
  std::string name() const;
};

// What people ask of a queue or a job, as Volcano's tools write it; no record.
inline constexpr KubeKind kCommandKind{"bus.volcano.sh/v1alpha1", "Command", "commands", true,
                                       KindUse::kOptional};

// Every kind that is read, in the order in which a cluster is told: what an object names comes
// before it.
const std::vector<KubeKind>& KubeKinds();
// nullptr where nobody reads it.
const KubeKind* FindKubeKind(std::string_view api_version, std::string_view kind);
// In any version of the group.
const KubeKind* FindKindOfGroup(std::string_view group, std::string_view kind);
// The kind as which records of that place in ObjectRecord are written. Workloads and quotas have
// several: the first.
const KubeKind& DumpedKind(std::size_t record);

// Whether objects of the kind lie in namespaces. A NodeGroup may stand for one of another kind.
template <typename Record>
bool IsNamespaced(const KubeKind& kind, const Record& record) {
  if constexpr (std::is_same_v<Record, NodeGroupRecord>) return record.kind != "NodeGroup";
  return kind.namespaced;
}

// Of the pod namespace/name.
std::string PodPath(const std::string& key);

}  // namespace batholith
