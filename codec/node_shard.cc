#include <boost/json.hpp>

#include "codec/encode_parts.h"
#include "codec/kinds.h"

namespace batholith {

NodeShardRecord ReadNodeShard(const Field& object) {
  const Field status = object["status"];
  return {ReadMeta(object), object["spec"]["nodesDesired"].Texts(), status["nodesInUse"].Texts(),
          status["nodesToAdd"].Texts()};
}

boost::json::object Encode(const NodeShardRecord& shard) {
  boost::json::object out = Begin(shard);
  boost::json::object spec;
  Put(spec, "nodesDesired", TextList(shard.nodes));
  Put(out, "spec", std::move(spec));
  boost::json::object status;
  Put(status, "nodesInUse", TextList(shard.in_use));
  Put(status, "nodesToAdd", TextList(shard.to_add));
  Put(out, "status", std::move(status));
  return out;
}

}  // namespace batholith
