#include "codec/kinds.h"

namespace batholith {

NodeRecord ReadNode(const Field& object) {
  NodeRecord node;
  node.meta = ReadMeta(object);
  node.unschedulable = object["spec"]["unschedulable"].Bool(false);
  for (const Field& t : object["spec"]["taints"].Items()) {
    if (t["key"].Text().empty()) t["key"].Flaw("is missing");
    // An effect that is not known keeps pods away.
    node.taints.push_back({t["key"].Text(), t["value"].Text(),
                           t["effect"].OneOf(kTaintEffects).value_or(TaintEffect::kNoSchedule)});
  }
  const Field status = object["status"];
  node.allocatable = status["allocatable"].present() ? status["allocatable"].Resources()
                                                     : status["capacity"].Resources();
  for (const Field& c : status["conditions"].Items()) {
    if (c["type"].Text() == "Ready") node.ready = c["status"].Text() == "True";
  }
  for (const Field& image : status["images"].Items()) {
    node.images.push_back({image["names"].Texts(), image["sizeBytes"].Clamped(0, 0, INT64_MAX)});
  }
  return node;
}

}  // namespace batholith
