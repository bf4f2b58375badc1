#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace batholith::cel {

struct Type;
using TypeRef = std::shared_ptr<const Type>;

// What the checker knows of a value before there is one. Types are shared and never change.
struct Type {
  enum class Kind : std::uint8_t {
    kError,
    kDyn,
    kAny,  // as dyn, but nothing to iterate over
    kNull,
    kBool,
    kInt,
    kUint,
    kDouble,
    kString,
    kBytes,
    kList,
    kMap,
    kType,
    kTimestamp,
    kDuration,
    kParameter,
    kOpaque,
    kObject,
  };
  Kind kind = Kind::kDyn;
  std::string name;  // of a parameter, an opaque type or an object
  std::vector<TypeRef> parameters;
};

// A type without parameters, by its kind.
const TypeRef& Simple(Type::Kind kind);
TypeRef ListType(TypeRef item);
TypeRef MapType(TypeRef key, TypeRef value);
TypeRef TypeType(TypeRef of);
TypeRef OptionalType(TypeRef of);
TypeRef ParameterType(std::string name);
TypeRef OpaqueType(std::string name);
TypeRef ObjectType(std::string name);

// The name that `type(value)` has: "int", "list", "kubernetes.Quantity".
std::string_view TypeName(const Type& type);
// For messages: "map(string, list(int))".
std::string TypeText(const Type& type);
bool IsOptional(const Type& type);

}  // namespace batholith::cel
