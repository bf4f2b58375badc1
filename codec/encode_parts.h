#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/encode.h"
#include "codec/kube_kinds.h"

// What the encoders share.
namespace batholith {

inline constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
inline constexpr const char* kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

// Sets a field, unless the value is an empty list, object or text.
void Put(boost::json::object& object, std::string_view field, boost::json::value value);
void Put(boost::json::object& object, std::string_view field, const std::string& text);

// apiVersion, kind, metadata, and what could not be read of the object.
boost::json::object Begin(std::string_view api_version, std::string_view kind,
                          const ObjectMeta& meta);
// Of a record whose kind has one name: as codec/kube_kinds.h has it.
template <typename Record>
boost::json::object Begin(const Record& record) {
  const KubeKind& kind = DumpedKind(KindOf<Record>());
  return Begin(kind.api_version, kind.kind, record.meta);
}
// What no field of the manifest says; made where it is not there yet.
boost::json::object& DerivedPart(boost::json::object& manifest);
// Of what this build does not do: need → the words that say what asks for it.
boost::json::object NeedsObject(const PlacementNeeds& needs);
PlacementNeeds ReadNeeds(const Field& needs);
boost::json::object Quantities(const ResourceList& list);
boost::json::object TextMap(const Labels& labels);
boost::json::array TextList(const std::vector<std::string>& texts);
boost::json::array RequirementList(std::span<const Requirement> requirements);
// All as matchExpressions, so that their order stays; but for a label without a name.
boost::json::object SelectorObject(const LabelSelector& selector);
boost::json::object NodeTermObject(const NodeSelectorTerm& term);
const char* TaintEffectName(TaintEffect effect);

}  // namespace batholith
