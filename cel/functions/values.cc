#include "cel/functions/values.h"

#include <cmath>
#include <compare>
#include <limits>

#include "api/utf8.h"
#include "cel/functions/version.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

bool IsNumber(Kind kind) {
  return kind == Kind::kInt || kind == Kind::kUint || kind == Kind::kDouble;
}

int Sign(std::partial_ordering order) {
  if (order < 0) return -1;
  return order > 0 ? 1 : 0;
}

std::partial_ordering WithDouble(std::int64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= kTwoTo63) return std::partial_ordering::less;
  if (b < -kTwoTo63) return std::partial_ordering::greater;
  return static_cast<double>(a) <=> b;
}

std::partial_ordering WithDouble(std::uint64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= kTwoTo64) return std::partial_ordering::less;
  if (b < 0) return std::partial_ordering::greater;
  return static_cast<double>(a) <=> b;
}

std::partial_ordering Reversed(std::partial_ordering order) { return 0 <=> order; }

// REQUIRES: numbers.
std::partial_ordering CompareNumbers(const Value& a, const Value& b) {
  if (a.is(Kind::kDouble)) {
    if (b.is(Kind::kDouble)) return a.as_double() <=> b.as_double();
    return Reversed(CompareNumbers(b, a));
  }
  if (b.is(Kind::kDouble)) {
    return a.is(Kind::kInt) ? WithDouble(a.as_int(), b.as_double())
                            : WithDouble(a.as_uint(), b.as_double());
  }
  if (a.kind() == b.kind())
    return a.is(Kind::kInt) ? a.as_int() <=> b.as_int() : a.as_uint() <=> b.as_uint();
  if (a.is(Kind::kInt)) {
    if (a.as_int() < 0) return std::partial_ordering::less;
    return static_cast<std::uint64_t>(a.as_int()) <=> b.as_uint();
  }
  return Reversed(CompareNumbers(b, a));
}

Value EqualLists(const List& a, const List& b, Work& work) {
  if (a.size() != b.size()) return Value::Bool(false);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (Equals(a.At(i), b.At(i), work).is_false()) return Value::Bool(false);
    if (work.exhausted()) break;
  }
  return Value::Bool(true);
}

Value EqualMaps(const Map& a, const Map& b, Work& work) {
  if (a.size() != b.size()) return Value::Bool(false);
  for (const Value& key : a.Keys()) {
    const auto other = b.Find(key);
    if (!other || Equals(*a.Find(key), *other, work).is_false()) return Value::Bool(false);
    if (work.exhausted()) break;
  }
  return Value::Bool(true);
}

Value EqualOptionals(const Value& a, const Value& b, Work& work) {
  if (a.inner() == nullptr || b.inner() == nullptr) return Value::Bool(a.inner() == b.inner());
  return Equals(*a.inner(), *b.inner(), work);
}

// An object of Kubernetes does not say false when it is compared with something else, but fails.
bool FailsWithOthers(Kind kind) {
  return kind == Kind::kQuantity || kind == Kind::kVersion || kind == Kind::kUrl ||
         kind == Kind::kAddress || kind == Kind::kNetwork || kind == Kind::kFormat;
}

// REQUIRES: one kind.
Value EqualOfKind(const Value& a, const Value& b, Work& work) {
  switch (a.kind()) {
    case Kind::kNull:
      return Value::Bool(true);
    case Kind::kBool:
      return Value::Bool(a.as_bool() == b.as_bool());
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kUrl:
      return Value::Bool(a.text() == b.text());
    case Kind::kList:
      return EqualLists(a.list(), b.list(), work);
    case Kind::kMap:
      return EqualMaps(a.map(), b.map(), work);
    case Kind::kType:
      return Value::Bool(TypeName(a.type()) == TypeName(b.type()));
    case Kind::kTimestamp:
      return Value::Bool(a.seconds() == b.seconds() && a.nanos() == b.nanos());
    case Kind::kDuration:
      return Value::Bool(a.as_int() == b.as_int());
    case Kind::kOptional:
      return EqualOptionals(a, b, work);
    case Kind::kQuantity:
      // Kubernetes cannot compare with the result of add or sub on the right side.
      if (b.computed()) return Value::NoSuchOverload("quantity == quantity.add(…)");
      return Value::Bool(a.quantity() == b.quantity());
    case Kind::kVersion:
      return Value::Bool(CompareVersions(a.text(), b.text()) == 0);
    case Kind::kAddress:
      return Value::Bool(a.address() == b.address() && a.is_ipv6() == b.is_ipv6());
    case Kind::kNetwork:
      return Value::Bool(a.address() == b.address() && a.is_ipv6() == b.is_ipv6() &&
                         a.prefix() == b.prefix());
    case Kind::kFormat:
      return Value::Bool(a.format() == b.format());
    case Kind::kError:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
      return Value::Bool(false);
  }
  return Value::Bool(false);
}

}  // namespace

TypeRef ValueType(const Value& value) {
  static const TypeRef kList = ListType(Simple(Type::Kind::kDyn));
  static const TypeRef kMap = MapType(Simple(Type::Kind::kDyn), Simple(Type::Kind::kDyn));
  static const TypeRef kOptional = OptionalType(Simple(Type::Kind::kDyn));
  static const TypeRef kQuantity = ObjectType("kubernetes.Quantity");
  static const TypeRef kVersion = ObjectType("kubernetes.Semver");
  static const TypeRef kUrl = ObjectType("kubernetes.URL");
  static const TypeRef kFormat = ObjectType("kubernetes.NamedFormat");
  static const TypeRef kAddress = OpaqueType("net.IP");
  static const TypeRef kNetwork = OpaqueType("net.CIDR");
  switch (value.kind()) {
    case Kind::kError:
      return Simple(Type::Kind::kError);
    case Kind::kNull:
      return Simple(Type::Kind::kNull);
    case Kind::kBool:
      return Simple(Type::Kind::kBool);
    case Kind::kInt:
      return Simple(Type::Kind::kInt);
    case Kind::kUint:
      return Simple(Type::Kind::kUint);
    case Kind::kDouble:
      return Simple(Type::Kind::kDouble);
    case Kind::kString:
      return Simple(Type::Kind::kString);
    case Kind::kBytes:
      return Simple(Type::Kind::kBytes);
    case Kind::kType:
      return Simple(Type::Kind::kType);
    case Kind::kTimestamp:
      return Simple(Type::Kind::kTimestamp);
    case Kind::kDuration:
      return Simple(Type::Kind::kDuration);
    case Kind::kList:
      return kList;
    case Kind::kMap:
      return kMap;
    case Kind::kOptional:
      return kOptional;
    case Kind::kQuantity:
      return kQuantity;
    case Kind::kVersion:
      return kVersion;
    case Kind::kUrl:
      return kUrl;
    case Kind::kAddress:
      return kAddress;
    case Kind::kNetwork:
      return kNetwork;
    case Kind::kFormat:
      return kFormat;
  }
  return Simple(Type::Kind::kError);
}

std::string_view ValueTypeName(const Value& value) { return TypeName(*ValueType(value)); }

Value Equals(const Value& a, const Value& b, Work& work) {
  if (!work.Spend(1 + (a.is(Kind::kString) ? a.text().size() / 16 : 0))) return Value::Bool(false);
  if (IsNumber(a.kind()) && IsNumber(b.kind()))
    return Value::Bool(CompareNumbers(a, b) == std::partial_ordering::equivalent);
  if (a.kind() == b.kind()) return EqualOfKind(a, b, work);
  if (FailsWithOthers(a.kind()) && !b.is(Kind::kNull))
    return Value::NoSuchOverload(std::string(ValueTypeName(a)) +
                                 " == " + std::string(ValueTypeName(b)));
  return Value::Bool(false);
}

Value Compare(const Value& a, const Value& b) {
  if (IsNumber(a.kind()) && IsNumber(b.kind())) {
    const std::partial_ordering order = CompareNumbers(a, b);
    if (order == std::partial_ordering::unordered)
      return Value::Fail(Failure::kInvalidArgument, "NaN values cannot be ordered");
    return Value::Int(Sign(order));
  }
  if (a.kind() == b.kind()) {
    switch (a.kind()) {
      case Kind::kBool:
        return Value::Int(Sign(static_cast<int>(a.as_bool()) <=> static_cast<int>(b.as_bool())));
      case Kind::kString:
      case Kind::kBytes:
        return Value::Int(Sign(a.text() <=> b.text()));
      case Kind::kDuration:
        return Value::Int(Sign(a.as_int() <=> b.as_int()));
      case Kind::kTimestamp:
        return Value::Int(Sign(a.seconds() != b.seconds() ? a.seconds() <=> b.seconds()
                                                          : a.nanos() <=> b.nanos()));
      default:
        break;
    }
  }
  return Value::NoSuchOverload("comparison of " + std::string(ValueTypeName(a)) + " with " +
                               std::string(ValueTypeName(b)));
}

std::size_t CharacterCount(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const std::size_t length =
        static_cast<unsigned char>(text[at]) < 0x80 ? 1 : SequenceLength(text, at);
    at += length == 0 ? 1 : length;
  }
  return count;
}

std::uint64_t CostSize(const Value& value) {
  switch (value.kind()) {
    case Kind::kString:
      return CharacterCount(value.text());
    case Kind::kBytes:
      return value.text().size();
    case Kind::kList:
      return value.list().size();
    case Kind::kMap:
      return value.map().size();
    case Kind::kAddress:
      return value.is_ipv6() ? 16 : 4;
    case Kind::kNetwork:
      return static_cast<std::uint64_t>(value.prefix() + 7) / 8;
    case Kind::kOptional:
      return value.inner() == nullptr ? 1 : CostSize(*value.inner());
    default:
      return 1;
  }
}

std::string Shown(const Value& value) {
  constexpr std::size_t kMost = 60;
  switch (value.kind()) {
    case Kind::kString:
      return value.text().size() <= kMost ? std::string(value.text())
                                          : std::string(value.text().substr(0, kMost)) + "…";
    case Kind::kBool:
      return value.as_bool() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(value.as_int());
    case Kind::kUint:
      return std::to_string(value.as_uint());
    case Kind::kDouble:
      return std::to_string(value.as_double());
    default:
      return "a value of the type " + std::string(ValueTypeName(value));
  }
}

}  // namespace batholith::cel
