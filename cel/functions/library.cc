#include "cel/functions/library.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/check.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

struct NamedType {
  std::string_view name;
  Type::Kind kind;
};
constexpr std::array<NamedType, 13> kSimpleTypes{
    {{"dyn", Type::Kind::kDyn},
     {"bool", Type::Kind::kBool},
     {"int", Type::Kind::kInt},
     {"uint", Type::Kind::kUint},
     {"double", Type::Kind::kDouble},
     {"string", Type::Kind::kString},
     {"bytes", Type::Kind::kBytes},
     {"null_type", Type::Kind::kNull},
     {"type", Type::Kind::kType},
     {"timestamp", Type::Kind::kTimestamp},
     {"google.protobuf.Timestamp", Type::Kind::kTimestamp},
     {"duration", Type::Kind::kDuration},
     {"google.protobuf.Duration", Type::Kind::kDuration}}};

// Reads the types of the tables.
class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : text_(text) {}

  bool Done() const { return at_ == text_.size(); }
  bool parameters_seen() const { return parameters_seen_; }

  TypeRef Next() {
    while (Take(' ') || Take(',')) continue;
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '(' && text_[at_] != ')' && text_[at_] != ',') ++at_;
    const std::string name(text_.substr(start, at_ - start));
    std::vector<TypeRef> inner;
    if (Take('(')) {
      while (!Take(')')) inner.push_back(Next());
    }
    return Make(name, std::move(inner));
  }

 private:
  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  TypeRef Make(const std::string& name, std::vector<TypeRef> inner) {
    if (name == "list") return ListType(inner.at(0));
    if (name == "map") return MapType(inner.at(0), inner.at(1));
    if (name == "optional") return OptionalType(inner.at(0));
    if (name == "type" && !inner.empty()) return TypeType(inner.at(0));
    if (name.size() == 1) {
      parameters_seen_ = true;
      return ParameterType(name);
    }
    if (name.starts_with("net.")) return OpaqueType(name);
    if (name.starts_with("kubernetes.")) return ObjectType(name);
    const auto simple = std::find_if(kSimpleTypes.begin(), kSimpleTypes.end(),
                                     [&](const NamedType& type) { return type.name == name; });
    CHECK(simple != kSimpleTypes.end());
    return Simple(simple->kind);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool parameters_seen_ = false;
};

struct Library {
  std::vector<Declaration> declarations;
  std::map<std::string_view, std::vector<std::uint16_t>> by_name;

  Library() {
    for (const auto table :
         {Operators(), Conversions(), TextFunctions(), TextSearch(), ListFunctions(), ListOrder(),
          TimeFunctions(), OptionalFunctions(), QuantityFunctions(), VersionFunctions(),
          NetworkFunctions(), UrlFunctions(), FormatFunctions()}) {
      for (const Overload& overload : table) Add(overload);
    }
  }

  void Add(const Overload& overload) {
    Declaration out;
    out.overload = &overload;
    TypeReader arguments(overload.arguments);
    while (!arguments.Done()) out.arguments.push_back(arguments.Next());
    TypeReader result(overload.result);
    out.result = result.Next();
    out.has_parameters = arguments.parameters_seen() || result.parameters_seen();
    by_name[overload.function].push_back(static_cast<std::uint16_t>(declarations.size()));
    declarations.push_back(std::move(out));
  }
};

const Library& TheLibrary() {
  static const Library kLibrary;
  return kLibrary;
}

// Kubernetes' authorization checks, which need an API server to ask.
constexpr std::array<std::string_view, 14> kElsewhere{
    "path",      "serviceAccount", "group",         "resource",     "subresource",
    "namespace", "name",           "check",         "allowed",      "reason",
    "error",     "errored",        "fieldSelector", "labelSelector"};

}  // namespace

const Declaration& DeclarationAt(std::uint16_t index) { return TheLibrary().declarations[index]; }

std::span<const std::uint16_t> OverloadsOf(std::string_view function) {
  const auto found = TheLibrary().by_name.find(function);
  if (found == TheLibrary().by_name.end()) return {};
  return found->second;
}

bool IsKnownElsewhere(std::string_view function) {
  return std::find(kElsewhere.begin(), kElsewhere.end(), function) != kElsewhere.end();
}

TypeRef TypeNamed(std::string_view name) {
  if (name == "dyn" || name == "timestamp" || name == "duration") return nullptr;
  for (const NamedType& type : kSimpleTypes) {
    if (type.name == name) return Simple(type.kind);
  }
  const TypeRef& dyn = Simple(Type::Kind::kDyn);
  if (name == "list") return ListType(dyn);
  if (name == "map") return MapType(dyn, dyn);
  if (name == "optional_type") return OptionalType(dyn);
  if (name == "net.IP" || name == "net.CIDR") return OpaqueType(std::string(name));
  return nullptr;
}

bool Accepts(const Type& type, const Value& value) {
  using Kind = Value::Kind;
  switch (type.kind) {
    case Type::Kind::kDyn:
    case Type::Kind::kAny:
    case Type::Kind::kParameter:
    case Type::Kind::kError:
      return true;
    case Type::Kind::kNull:
      return value.is(Kind::kNull);
    case Type::Kind::kBool:
      return value.is(Kind::kBool);
    case Type::Kind::kInt:
      return value.is(Kind::kInt);
    case Type::Kind::kUint:
      return value.is(Kind::kUint);
    case Type::Kind::kDouble:
      return value.is(Kind::kDouble);
    case Type::Kind::kString:
      return value.is(Kind::kString);
    case Type::Kind::kBytes:
      return value.is(Kind::kBytes);
    case Type::Kind::kType:
      return value.is(Kind::kType);
    case Type::Kind::kTimestamp:
      return value.is(Kind::kTimestamp);
    case Type::Kind::kDuration:
      return value.is(Kind::kDuration);
    case Type::Kind::kList:
      return value.is(Kind::kList) &&
             (value.list().size() == 0 || Accepts(*type.parameters[0], value.list().At(0)));
    case Type::Kind::kMap:
      break;
    case Type::Kind::kOpaque:
    case Type::Kind::kObject:
      return TypeName(type) == TypeName(*ValueType(value));
  }
  if (!value.is(Kind::kMap)) return false;
  const std::vector<Value> keys = value.map().Keys();
  if (keys.empty()) return true;
  const auto first = value.map().Find(keys[0]);
  return Accepts(*type.parameters[0], keys[0]) && first && Accepts(*type.parameters[1], *first);
}

}  // namespace batholith::cel
