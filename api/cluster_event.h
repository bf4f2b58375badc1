#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/autoscale_report.h"
#include "api/cluster_objects.h"

// What a source of objects tells the cache, one value for each change.
namespace batholith {

// The object as it is now, whole.
struct ObjectPut {
  ObjectRecord record;
};

// The object is no more. `kind` is the place of its record in ObjectRecord; `key` is
// namespace/name, of quotas ElasticQuotaRecord::Identity.
struct ObjectGone {
  std::size_t kind = 0;
  std::string key;
  std::string uid;  // empty: whichever it is
};

template <typename Record>
ObjectGone GoneOf(std::string key, std::string uid = {}) {
  return {KindOf<Record>(), std::move(key), std::move(uid)};
}

// What became of an effect that was sent. What was done is told by the object's own change too;
// what was refused by nothing but this.
struct EffectOutcome {
  enum class Effect : std::uint8_t { kBind, kEvict };
  Effect effect = Effect::kBind;
  std::string pod, uid;
  bool done = false;
  std::string why;  // of a refusal
};

using ClusterEvent = std::variant<ObjectPut, ObjectGone, EffectOutcome, ScaleFailure>;

}  // namespace batholith
