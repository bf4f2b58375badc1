#include "cel/type.h"

#include <array>
#include <utility>

namespace batholith::cel {
namespace {

constexpr std::string_view kOptionalName = "optional_type";

TypeRef Make(Type::Kind kind, std::string name, std::vector<TypeRef> parameters) {
  return std::make_shared<const Type>(Type{kind, std::move(name), std::move(parameters)});
}

}  // namespace

const TypeRef& Simple(Type::Kind kind) {
  static const auto kTypes = [] {
    std::array<TypeRef, static_cast<std::size_t>(Type::Kind::kObject) + 1> out;
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = Make(static_cast<Type::Kind>(k), "", {});
    return out;
  }();
  return kTypes[static_cast<std::size_t>(kind)];
}

TypeRef ListType(TypeRef item) { return Make(Type::Kind::kList, "", {std::move(item)}); }

TypeRef MapType(TypeRef key, TypeRef value) {
  return Make(Type::Kind::kMap, "", {std::move(key), std::move(value)});
}

TypeRef TypeType(TypeRef of) { return Make(Type::Kind::kType, "", {std::move(of)}); }

TypeRef OptionalType(TypeRef of) {
  return Make(Type::Kind::kOpaque, std::string(kOptionalName), {std::move(of)});
}

TypeRef ParameterType(std::string name) {
  return Make(Type::Kind::kParameter, std::move(name), {});
}

TypeRef OpaqueType(std::string name) { return Make(Type::Kind::kOpaque, std::move(name), {}); }

TypeRef ObjectType(std::string name) { return Make(Type::Kind::kObject, std::move(name), {}); }

std::string_view TypeName(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kError:
      return "error";
    case Type::Kind::kDyn:
      return "dyn";
    case Type::Kind::kAny:
      return "any";
    case Type::Kind::kNull:
      return "null_type";
    case Type::Kind::kBool:
      return "bool";
    case Type::Kind::kInt:
      return "int";
    case Type::Kind::kUint:
      return "uint";
    case Type::Kind::kDouble:
      return "double";
    case Type::Kind::kString:
      return "string";
    case Type::Kind::kBytes:
      return "bytes";
    case Type::Kind::kList:
      return "list";
    case Type::Kind::kMap:
      return "map";
    case Type::Kind::kType:
      return "type";
    case Type::Kind::kTimestamp:
      return "google.protobuf.Timestamp";
    case Type::Kind::kDuration:
      return "google.protobuf.Duration";
    case Type::Kind::kParameter:
    case Type::Kind::kOpaque:
    case Type::Kind::kObject:
      return type.name;
  }
  return "";
}

std::string TypeText(const Type& type) {
  constexpr std::size_t kLongest = 200;
  std::string out(TypeName(type));
  if (type.parameters.empty()) return out;
  out += '(';
  for (std::size_t p = 0; p < type.parameters.size(); ++p) {
    if (p != 0) out += ", ";
    out += TypeText(*type.parameters[p]);
    if (out.size() > kLongest) return out.substr(0, kLongest) + "…";
  }
  return out + ')';
}

bool IsOptional(const Type& type) {
  return type.kind == Type::Kind::kOpaque && type.name == kOptionalName;
}

}  // namespace batholith::cel
