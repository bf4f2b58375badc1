#include "codec/encode_parts.h"

#include <boost/json.hpp>

#include "api/quantity.h"
#include "api/time_text.h"

namespace batholith {
namespace {

namespace json = boost::json;

const char* OperatorName(Requirement::Op op) {
  using Op = Requirement::Op;
  switch (op) {
    case Op::kIn:
      return "In";
    case Op::kNotIn:
      return "NotIn";
    case Op::kExists:
      return "Exists";
    case Op::kDoesNotExist:
      return "DoesNotExist";
    case Op::kGt:
      return "Gt";
    case Op::kLt:
      return "Lt";
  }
  return "";
}

}  // namespace

void Put(json::object& object, std::string_view field, json::value value) {
  const bool empty = (value.is_array() && value.get_array().empty()) ||
                     (value.is_object() && value.get_object().empty());
  if (!empty) object[field] = std::move(value);
}

void Put(json::object& object, std::string_view field, const std::string& text) {
  if (!text.empty()) object[field] = text;
}

json::object Begin(std::string_view api_version, std::string_view kind, const ObjectMeta& meta) {
  json::object out{{"name", meta.name}};
  Put(out, "namespace", meta.namespace_);
  Put(out, "uid", meta.uid);
  if (meta.creation != 0) out["creationTimestamp"] = FormatTime(meta.creation);
  // Only pods know since when they are being deleted, and say so themselves.
  if (meta.deleting) out["deletionTimestamp"] = FormatTime(meta.creation);
  Put(out, "labels", TextMap(meta.labels));
  Put(out, "annotations", TextMap(meta.annotations));
  json::object owner;
  Put(owner, "kind", meta.owner->kind);
  Put(owner, "name", meta.owner->name);
  Put(owner, "uid", meta.owner->uid);
  if (!owner.empty()) {
    owner["controller"] = true;
    out["ownerReferences"] = json::array{std::move(owner)};
  }
  json::object manifest{{"apiVersion", api_version}, {"kind", kind}, {"metadata", std::move(out)}};
  if (!meta.flaw.empty()) DerivedPart(manifest)["flaw"] = meta.flaw;
  return manifest;
}

json::object& DerivedPart(json::object& manifest) {
  json::value& part = manifest["batholith"];
  return part.is_object() ? part.get_object() : part.emplace_object();
}

json::object NeedsObject(const PlacementNeeds& needs) {
  json::object out;
  for (const auto& [need, what] : needs)
    out[kWordsOf<PlacementNeed>[static_cast<std::size_t>(need)]] = what;
  return out;
}

PlacementNeeds ReadNeeds(const Field& needs) {
  PlacementNeeds out;
  for (const auto& [name, what] : needs.Entries()) {
    if (const auto need = FromWord<PlacementNeed>(name)) out[*need] = what.Text();
  }
  return out;
}

json::object Quantities(const ResourceList& list) {
  json::object out;
  for (const auto& [name, amount] : list) out[name] = FormatQuantity(amount, name);
  return out;
}

json::object TextMap(const Labels& labels) {
  json::object out;
  for (const auto& [key, value] : labels) out[key] = value;
  return out;
}

json::array TextList(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::array RequirementList(std::span<const Requirement> requirements) {
  json::array out;
  for (const Requirement& r : requirements) {
    json::object item{{"key", r.key}, {"operator", OperatorName(r.op)}};
    Put(item, "values", TextList(r.values));
    out.push_back(std::move(item));
  }
  return out;
}

json::object SelectorObject(const LabelSelector& selector) {
  json::object out;
  std::span<const Requirement> expressions = selector.requirements;
  // A label without a name, which nothing has, is legal among the matchLabels of custom resources
  // only.
  if (!expressions.empty() && expressions.front().key.empty()) {
    out["matchLabels"] = json::object{{"", expressions.front().values.front()}};
    expressions = expressions.subspan(1);
  }
  Put(out, "matchExpressions", RequirementList(expressions));
  return out;
}

json::object NodeTermObject(const NodeSelectorTerm& term) {
  json::object out;
  Put(out, "matchExpressions", RequirementList(term.expressions));
  Put(out, "matchFields", RequirementList(term.fields));
  return out;
}

const char* TaintEffectName(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kNoSchedule:
      return "NoSchedule";
    case TaintEffect::kPreferNoSchedule:
      return "PreferNoSchedule";
    case TaintEffect::kNoExecute:
      return "NoExecute";
  }
  return "";
}

}  // namespace batholith
