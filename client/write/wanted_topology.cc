#include "client/write/wanted_topology.h"

#include <algorithm>
#include <boost/json.hpp>
#include <string>
#include <utility>

#include "api/allocated_hyper_node.h"
#include "client/http/json_request.h"
#include "codec/encode_parts.h"
#include "codec/json/field.h"

namespace batholith {

namespace json = boost::json;

void AddHyperNode(const SeenObject& seen, const JobStatus& status, std::optional<Patch>& patch) {
  if (!status.hyper_node) return;
  const std::string known = Field::Glance(seen.annotations)[kAllocatedHyperNode].Text();
  if (known == *status.hyper_node) return;
  if (!patch) patch = Patch{seen.path, kMergePatch, {{"metadata", {{"uid", seen.uid}}}}};
  patch->may_wait = false;
  json::value value;
  if (!status.hyper_node->empty()) value = json::string(*status.hyper_node);
  patch->body["metadata"].as_object()["annotations"] = json::object{{kAllocatedHyperNode, value}};
}

std::optional<Patch> WantedShard(const SeenObject& seen, const ShardStatus& status,
                                 const WriteStamp& stamp) {
  const auto is_there = [&](const char* field, const std::vector<std::string>& wanted) {
    std::vector<std::string> known = Field::Glance(seen.status)[field].Texts();
    std::ranges::sort(known);
    return known == wanted;
  };
  if (is_there("nodesInUse", status.in_use) && is_there("nodesToAdd", status.to_add) &&
      is_there("nodesToRemove", {}))
    return std::nullopt;
  // Nodes that are no longer listed are not used from the next session on.
  Patch patch{seen.path + "/status",
              kMergePatch,
              {{"metadata", {{"uid", seen.uid}}},
               {"status",
                {{"nodesInUse", TextList(status.in_use)},
                 {"nodesToAdd", TextList(status.to_add)},
                 {"nodesToRemove", json::array()},
                 {"lastUpdateTime", stamp.now}}}}};
  return patch;
}

}  // namespace batholith
