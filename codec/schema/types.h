#pragma once

#include <string_view>

// Which fields the types of an API have, as text. A line that begins with blanks goes on with the
// one before.
//   kind GROUP/KIND TYPE     objects of the kind are of this type
//   other GROUP: KIND KIND   kinds that have no part in scheduling; "-" is the core group
//   TYPE: FIELD FIELD>TYPE   its fields; of an object, or a list of them, with their type
//   TYPE: FIELD>>TYPE        a mapping whose values are of the type
namespace batholith {

extern const std::string_view kKubernetesTypes;
extern const std::string_view kStorageTypes;
extern const std::string_view kDeviceTypes;
extern const std::string_view kCustomTypes;

}  // namespace batholith
