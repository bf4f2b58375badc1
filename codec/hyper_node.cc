#include <boost/json.hpp>

#include "codec/encode_parts.h"
#include "codec/kinds.h"
#include "codec/selector.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr Choices<bool, 2> kMemberTypes{{{"Node", true}, {"HyperNode", false}}};

HyperNodeMember ReadMember(const Field& field) {
  HyperNodeMember out;
  out.is_node = field["type"].OneOf(kMemberTypes).value_or(true);
  const Field selector = field["selector"];
  const Field exact = selector["exactMatch"];
  const Field regex = selector["regexMatch"];
  const Field labels = selector["labelMatch"];
  if (exact.present() + regex.present() + labels.present() != 1)
    selector.Flaw("must have one of exactMatch, regexMatch, labelMatch");
  out.name = exact["name"].Text();
  out.pattern = regex["pattern"].Text();
  if (exact.present() && out.name.empty()) exact["name"].Flaw("is missing");
  if (regex.present() && out.pattern.empty()) regex["pattern"].Flaw("is missing");
  out.labels = ReadLabelSelector(labels);
  if (labels.present() && !out.is_node) labels.Flaw("selects nodes only");
  return out;
}

}  // namespace

HyperNodeRecord ReadHyperNode(const Field& object) {
  HyperNodeRecord out;
  out.meta = ReadMeta(object);
  const Field spec = object["spec"];
  out.tier = static_cast<std::int32_t>(spec["tier"].Int(0, 0, INT32_MAX));
  out.tier_name = spec["tierName"].Text();
  for (const Field& member : spec["members"].Items()) out.members.push_back(ReadMember(member));
  out.node_count = object["status"]["nodeCount"].Clamped(0, 0, INT64_MAX);
  return out;
}

json::object Encode(const HyperNodeRecord& hyper_node) {
  json::object out = Begin(hyper_node);
  json::object spec{{"tier", hyper_node.tier}};
  Put(spec, "tierName", hyper_node.tier_name);
  json::array members;
  for (const HyperNodeMember& m : hyper_node.members) {
    json::object selector;
    if (!m.name.empty()) selector["exactMatch"] = json::object{{"name", m.name}};
    if (!m.pattern.empty()) selector["regexMatch"] = json::object{{"pattern", m.pattern}};
    if (m.labels) selector["labelMatch"] = SelectorObject(*m.labels);
    members.push_back(json::object{{"type", m.is_node ? "Node" : "HyperNode"},
                                   {"selector", std::move(selector)}});
  }
  Put(spec, "members", std::move(members));
  out["spec"] = std::move(spec);
  if (hyper_node.node_count != 0)
    out["status"] = json::object{{"nodeCount", hyper_node.node_count}};
  return out;
}

}  // namespace batholith
