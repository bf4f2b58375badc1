#include <array>
#include <string>
#include <vector>

#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

bool IsZero(const Value& value) {
  switch (value.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
      return !value.as_bool();
    case Kind::kInt:
    case Kind::kDuration:
      return value.as_int() == 0;
    case Kind::kUint:
      return value.as_uint() == 0;
    case Kind::kDouble:
      return value.as_double() == 0;
    case Kind::kString:
    case Kind::kBytes:
      return value.text().empty();
    case Kind::kList:
      return value.list().size() == 0;
    case Kind::kMap:
      return value.map().size() == 0;
    case Kind::kTimestamp: {
      constexpr std::int64_t kFirst = -62135596800;  // 0001-01-01T00:00:00Z
      return value.seconds() == kFirst && value.nanos() == 0;
    }
    case Kind::kOptional:
      return value.inner() == nullptr;
    default:
      return false;
  }
}

Value Of(Arguments a, Work&) { return Value::Some(a[0]); }
Value OfNonZero(Arguments a, Work&) { return IsZero(a[0]) ? Value::None() : Value::Some(a[0]); }
Value Nothing(Arguments, Work&) { return Value::None(); }

Value Dereferenced(Arguments a, Work&) {
  if (a[0].inner() == nullptr)
    return Value::Fail(Failure::kNoneDereferenced, "optional.none() dereference");
  return *a[0].inner();
}

Value HasValue(Arguments a, Work&) { return Value::Bool(a[0].inner() != nullptr); }

// The evaluator knows these itself: the second is only looked at if it is needed.
Value Or(Arguments a, Work&) { return a[0]; }

template <bool Last>
Value End(Arguments a, Work&) {
  const List& list = a[0].list();
  if (list.size() == 0) return Value::None();
  return Value::Some(list.At(Last ? list.size() - 1 : 0));
}

Value Unwrap(Arguments a, Work& work) {
  std::vector<Value> out;
  if (!work.Spend(a[0].list().size())) return WorkExhausted();
  for (const Value& item : ItemsOf(a[0].list())) {
    if (!item.is(Kind::kOptional))
      return Value::Fail(Failure::kInvalidArgument, Shown(item) + " is not optional");
    if (item.inner() != nullptr) out.push_back(*item.inner());
  }
  return Value::ListOf(std::move(out));
}

constexpr std::array kOptionals{
    Overload{"optional.of", "V", "optional(V)", Of},
    Overload{"optional.ofNonZeroValue", "V", "optional(V)", OfNonZero},
    Overload{"optional.none", "", "optional(V)", Nothing},
    Overload{"value", "optional(V)", "V", Dereferenced, {}, true},
    Overload{"hasValue", "optional(V)", "bool", HasValue, {}, true},
    Overload{"or", "optional(V), optional(V)", "optional(V)", Or, {}, true},
    Overload{"orValue", "optional(V), V", "V", Or, {}, true},
    Overload{"last", "list(V)", "optional(V)", End<true>, {}, true},
    Overload{"first", "list(V)", "optional(V)", End<false>, {}, true},
    Overload{"optional.unwrap", "list(optional(V))", "list(V)", Unwrap},
    Overload{"unwrapOpt", "list(optional(V))", "list(V)", Unwrap, {}, true},
};

}  // namespace

std::span<const Overload> OptionalFunctions() { return kOptionals; }

}  // namespace batholith::cel
