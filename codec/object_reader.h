#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "api/result.h"
#include "codec/json/field.h"
#include "codec/pod.h"

namespace batholith {

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
