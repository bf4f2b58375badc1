#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/json/field.h"

// What a strict reader knows of the kinds of an API beside what it reads.
namespace batholith {

// The fields of the object that its kind does not have, at most ten, each as "path: unknown field
// …" with a "did you mean". Of a kind whose fields are not known: none. Cost: O(object).
std::vector<std::string> UnknownFields(const Field& object, std::string_view group,
                                       std::string_view kind);

// A kind of Kubernetes' own that has no part in scheduling: a ConfigMap, a Service.
bool HasNoPart(std::string_view group, std::string_view kind);

// "kind Podd of group apps is not known; did you mean …?"
std::string UnknownKind(std::string_view group, std::string_view kind);

}  // namespace batholith
