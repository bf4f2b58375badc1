#include "client/write/queue_state.h"

#include <string>
#include <utility>

#include "client/http/json_request.h"
#include "codec/json/field.h"

namespace batholith {

namespace json = boost::json;

Patch QueueStatePatch(const SeenObject& queue, std::string_view state) {
  json::object status{{"state", state}};
  const Field allocated = Field::Glance(queue.status)["allocated"];
  // The schema wants it wherever there is a status; and what a manager applied before and leaves
  // out now goes away, unless somebody else owns it as well.
  if (!allocated.present()) {
    status["allocated"] = json::object();
  } else if (queue.state_manager_has_allocated) {
    status["allocated"] = *allocated.value();
  }
  Patch patch{
      queue.path + "/status?fieldManager=" + std::string(kQueueStateManager) + "&force=true",
      kApplyPatch,
      {{"apiVersion", queue.api_version},
       {"kind", queue.kind},
       {"metadata", json::object{{"name", queue.name}, {"uid", queue.uid}}},
       {"status", std::move(status)}}};
  return patch;
}

}  // namespace batholith
