#include "client/write/status_parts.h"

#include <string>
#include <utility>

namespace batholith {

namespace json = boost::json;

Field FindCondition(const json::object& status, std::string_view type) {
  for (const Field& c : Field::Glance(status)["conditions"].Items()) {
    if (c["type"].Text() == type) return c;
  }
  return {nullptr, ""};
}

bool SaysTheSame(const Field& seen, const JobCondition& wanted) {
  return seen.present() && seen["status"].Text() == wanted.status &&
         seen["reason"].Text() == wanted.reason && seen["message"].Text() == wanted.message;
}

std::optional<Patch> StatusPatch(const SeenObject& seen, json::object status, std::string_view sub,
                                 const char* type) {
  if (status.empty()) return std::nullopt;
  Patch patch{seen.path + std::string(sub), type, {{"status", std::move(status)}}};
  patch.body["metadata"] = json::object{{"uid", seen.uid}};
  return patch;
}

std::int64_t CountOf(const JobStatus& status, const char* task_status) {
  const auto it = status.tasks.find(task_status);
  return it == status.tasks.end() ? 0 : it->second;
}

}  // namespace batholith
