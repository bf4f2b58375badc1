#include "codec/kinds.h"

namespace batholith {

TaintEffect ReadTaintEffect(const Field& field) {
  const std::string text = field.Text();
  if (text == "NoSchedule") return TaintEffect::kNoSchedule;
  if (text == "PreferNoSchedule") return TaintEffect::kPreferNoSchedule;
  if (text == "NoExecute") return TaintEffect::kNoExecute;
  field.FailChoice(text, "NoSchedule, PreferNoSchedule, NoExecute");
}

NodeRecord ReadNode(const Field& object) {
  NodeRecord node;
  node.meta = ReadMeta(object);
  node.unschedulable = object["spec"]["unschedulable"].Bool(false);
  for (const Field& t : object["spec"]["taints"].Items())
    node.taints.push_back({t["key"].Text(), t["value"].Text(), ReadTaintEffect(t["effect"])});
  const Field status = object["status"];
  node.allocatable = status["allocatable"].present() ? status["allocatable"].Resources()
                                                     : status["capacity"].Resources();
  for (const Field& c : status["conditions"].Items()) {
    if (c["type"].Text() == "Ready") node.ready = c["status"].Text() == "True";
  }
  for (const Field& image : status["images"].Items()) {
    node.images.push_back({image["names"].Texts(), image["sizeBytes"].Int(0, 0, INT64_MAX)});
  }
  return node;
}

}  // namespace batholith
