#pragma once

#include <boost/json/object.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace batholith {

// On a queue that was closed because its parent was, and is opened with it.
inline constexpr std::string_view kClosedByParent = "volcano.sh/closed-by-parent";
// Who applies the state of queues: the field manager of Volcano's queue controller, and ours.
inline constexpr std::string_view kQueueStateManager = "queue-controller";

// The parts of objects that we write, as the server has them, so that a write is sent only where it
// changes something. Belongs to the client's thread.
struct SeenObject {
  std::string path;  // /api/v1/namespaces/ns/pods/name
  std::string api_version, kind;
  std::string namespace_, name, uid;
  std::string version;              // resourceVersion
  boost::json::object status;       // of a pod: condition PodScheduled and nominatedNodeName only
  boost::json::object annotations;  // those that are ours
  std::string parent;               // of a queue: spec.parent
  bool state_manager_has_allocated = false;  // of a queue: it has applied status.allocated as well
};

class ServerState {
 public:
  // An older version than the known one changes nothing: our own write was quicker than the watch.
  void Record(const std::string& kind, const std::string& key, SeenObject object);
  void Forget(const std::string& kind, const std::string& key, const std::string& uid);
  // Whether an object of this name is there, in any namespace. Cost: O(objects).
  bool Knows(const std::string& kind, const std::string& name) const;
  SeenObject* Find(const std::string& kind, const std::string& key);
  // The keys of all of a kind whose parent is that. Cost: O(objects of the kind).
  std::vector<std::string> Below(const std::string& kind, const std::string& parent) const;

 private:
  std::map<std::pair<std::string, std::string>, SeenObject> seen_;
};

}  // namespace batholith
