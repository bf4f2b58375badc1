#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <vector>

namespace batholith {

// An object that every cluster must have.
struct BuiltIn {
  std::string kind, name;
  std::string served_as;  // KubeKind::name of its kind
  std::string path;       // of the collection that it is made in
  boost::json::object body;
};

// The queues root and default, and Koordinator's quotas root, system and default in a namespace.
// Source: what Volcano's scheduler and Koordinator's quota controller make at their start.
std::vector<BuiltIn> BuiltIns(const std::string& default_queue, const std::string& quota_namespace);

}  // namespace batholith
