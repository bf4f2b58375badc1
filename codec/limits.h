#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <cstdint>

#include "api/objects.h"
#include "codec/json/parse.h"

// What the manifests of one input may cost besides the room of their text: nothing small may become
// something large. Objects that come from an API server are bounded by what that stores.
namespace batholith {

// Text of one object that is read. An API server takes no request above 3 MiB, and etcd stores
// nothing above 1.5 MiB unless it is told to; the rest is for what JSON writes more than protobuf.
inline constexpr std::size_t kMaxObjectBytes = std::size_t{4} << 20U;

// Entries of one mapping of such an object, or of a list of texts: more than a selector that lists
// every host of the largest clusters.
inline constexpr std::size_t kMaxEntries = 20'000;

// Entries of a list of objects (containers, tolerations, tasks of a job, images of a node): a
// session may look at each of them for each pod.
inline constexpr std::size_t kMaxItems = 5'000;

// Of manifests in JSON, while they are read: a value takes some 24 bytes, so a text of nothing but
// brackets would take ten times its length. Written objects have more than ten bytes for each
// value. An object is longer here than for CheckSize, since its values count for more.
constexpr JsonLimits LimitsOfJson(std::size_t text_bytes) {
  return {.values = 800'000 + text_bytes / 10, .object_bytes = 8 * kMaxObjectBytes};
}

// Bytes of a name and of a namespace: no server stores longer ones.
inline constexpr std::size_t kMaxNameBytes = 253;

// Pods that are made of the jobs of one input, or of the short forms of one scenario, unless the
// command line says otherwise: some 2 KB each before any session.
inline constexpr std::int64_t kMaxMadePods = 50'000;

// Claims that the templates of one StatefulSet make, for each pod that may be made at all.
inline constexpr std::int64_t kMaxMadeClaims = 4;

// Pods of one short form and copies of one object in a scenario, and what all of them make: pods,
// their groups, nodes.
inline constexpr std::int64_t kMaxCopies = 20'000;
inline constexpr std::int64_t kMaxMadeObjects = 50'000;

// Nodes that the node groups of one input may have in a simulated cluster.
inline constexpr std::int64_t kMaxMadeNodes = 20'000;

// What their labels and annotations may take on average: a template may have as many as an object.
inline constexpr std::size_t kMadeBytesPerPod = 2'500;

// Text of what one short form, or one `replicate`, of a scenario becomes.
inline constexpr std::size_t kMaxCopiedBytes = std::size_t{32} << 20U;

// Objects that are refused before the rest of an input is not looked at any more.
inline constexpr std::size_t kMaxRefused = 1'000;

// Bytes of all keys and texts, and one for each value. Cost: O(size).
std::size_t TextBytes(const boost::json::value& value);

// Errors: FieldError for a name that is too long, for the list or mapping that has too many
// entries, or for the part that makes the object too long. Cost: O(size).
void CheckSize(const boost::json::value& object);

// What the texts of a made pod take, and the places of its labels and annotations in the record.
std::size_t MadeBytes(const PodRecord& pod);

}  // namespace batholith
