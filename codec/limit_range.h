#pragma once

#include <boost/json/value.hpp>
#include <map>
#include <string>
#include <vector>

#include "api/objects.h"
#include "codec/json/field.h"

namespace batholith {

// What a pod that was never stored says of resources: all that decides what it asks for.
boost::json::value ResourcesOf(const Field& pod_spec);

// The LimitRanges of an input. An API server writes what they give into a pod when it is created.
class LimitRanges {
 public:
  // Behind those of its namespace; instead of the one of its name, where there is one. Throws a
  // FieldError.
  void Add(const ObjectMeta& meta, const Field& object);

  // Gives a pod of the namespace the defaults of its containers, each only where the container
  // names neither a request nor a limit of that resource. `resources`: ResourcesOf its spec.
  void GiveTo(PodRecord& pod, const std::string& namespace_,
              const boost::json::value& resources) const;

 private:
  struct Range {
    std::string name;
    std::vector<std::map<std::string, std::string>> defaults;  // of each item, by resource
  };
  std::map<std::string, std::vector<Range>> ranges_;  // by namespace
};

}  // namespace batholith
