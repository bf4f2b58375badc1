#include <boost/json.hpp>

#include "codec/encode_parts.h"
#include "codec/kinds.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr Choices<bool, 2> kBindingModes{{{"Immediate", false}, {"WaitForFirstConsumer", true}}};

std::vector<Requirement> ReadTopology(const Field& topology) {
  std::vector<Requirement> out;
  for (const Field& item : topology["matchLabelExpressions"].Items()) {
    Requirement r{item["key"].Text(), Requirement::Op::kIn, item["values"].Texts()};
    if (r.key.empty()) item["key"].Flaw("is missing");
    if (r.values.empty()) item["values"].Flaw("must name a value");
    out.push_back(std::move(r));
  }
  return out;
}

}  // namespace

StorageClassRecord ReadStorageClass(const Field& object) {
  StorageClassRecord out;
  out.meta = ReadMeta(object);
  out.provisioner = object["provisioner"].Text();
  const Field mode = object["volumeBindingMode"];
  if (mode.present()) out.waits_for_pod = mode.OneOf(kBindingModes).value_or(false);
  for (const Field& topology : object["allowedTopologies"].Items())
    out.allowed_topologies.push_back(ReadTopology(topology));
  return out;
}

json::object Encode(const StorageClassRecord& storage_class) {
  json::object out = Begin(storage_class);
  Put(out, "provisioner", storage_class.provisioner);
  out["volumeBindingMode"] = storage_class.waits_for_pod ? "WaitForFirstConsumer" : "Immediate";
  json::array topologies;
  for (const std::vector<Requirement>& topology : storage_class.allowed_topologies) {
    json::array expressions;
    for (const Requirement& r : topology)
      expressions.push_back({{"key", r.key}, {"values", TextList(r.values)}});
    topologies.push_back(json::object{{"matchLabelExpressions", std::move(expressions)}});
  }
  Put(out, "allowedTopologies", std::move(topologies));
  return out;
}

}  // namespace batholith
