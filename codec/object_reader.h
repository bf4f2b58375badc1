#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "api/cluster_objects.h"
#include "api/result.h"
#include "codec/field.h"
#include "codec/pod.h"

namespace batholith {

template <typename Record>
constexpr bool IsNamespaced() {
  return !std::is_same_v<Record, NodeRecord> && !std::is_same_v<Record, NamespaceRecord> &&
         !std::is_same_v<Record, PriorityClassRecord> && !std::is_same_v<Record, QueueRecord>;
}

// Whether ReadRecord makes a record of the kind.
bool IsRead(const std::string& group, const std::string& kind);

// The record of an object as it is written, nothing derived; nothing where nobody reads the kind.
// Errors: FieldError.
std::optional<ObjectRecord> ReadRecord(const Field& object, const std::string& group,
                                       const std::string& kind, ConstraintTable& constraints,
                                       std::vector<std::string>& warnings);

// Reads the objects that an API server stores, where its admission has filled in priorities and
// defaults. Whatever it stores is read: see Flaws. A pod of ours without a group comes with one of
// its own; of a pod's annotations those that no session reads are left out. One owner, one thread.
class ObjectReader {
 public:
  ObjectReader(std::vector<std::string> scheduler_names, std::string default_queue)
      : scheduler_names_(std::move(scheduler_names)), default_queue_(std::move(default_queue)) {}

  struct Read {
    std::vector<ObjectRecord> records;  // the object's first
    std::vector<std::string> warnings;
    std::string flaw;  // kind, name, field and reason where it is not read in full; else empty
  };
  // Errors: what is no object, has no name, or is of a kind that nobody reads. Cost: O(object).
  Result<Read> ReadObject(const boost::json::value& object);

 private:
  bool IsOurs(const PodRecord& pod) const;

  std::vector<std::string> scheduler_names_;
  std::string default_queue_;
  ConstraintTable constraints_;
};

}  // namespace batholith
