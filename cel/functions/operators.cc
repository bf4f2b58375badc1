#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/time.h"
#include "cel/functions/values.h"
#include "cel/syntax/expression.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

Value Overflow(const char* what) { return Value::Fail(Failure::kOverflow, what); }
Value IntOverflow() { return Overflow("integer overflow"); }
Value UintOverflow() { return Overflow("unsigned integer overflow"); }
Value ByZero() { return Value::Fail(Failure::kDivisionByZero, "division by zero"); }

bool Both(Arguments a, Kind kind) { return a[0].is(kind) && a[1].is(kind); }

Value AddInts(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_add_overflow(a, b, &out) ? IntOverflow() : Value::Int(out);
}

Value AddTexts(Arguments a, Work& work) {
  if (!work.Spend((a[0].text().size() + a[1].text().size()) / 16)) return WorkExhausted();
  std::string out;
  out.reserve(a[0].text().size() + a[1].text().size());
  out.append(a[0].text()).append(a[1].text());
  return a[0].is(Kind::kString) ? Value::String(std::move(out)) : Value::Bytes(std::move(out));
}

Value Add(Arguments a, Work& work) {
  if (Both(a, Kind::kInt)) return AddInts(a[0].as_int(), a[1].as_int());
  if (Both(a, Kind::kUint)) {
    std::uint64_t out = 0;
    return __builtin_add_overflow(a[0].as_uint(), a[1].as_uint(), &out) ? UintOverflow()
                                                                        : Value::Uint(out);
  }
  if (Both(a, Kind::kDouble)) return Value::Double(a[0].as_double() + a[1].as_double());
  if (Both(a, Kind::kString) || Both(a, Kind::kBytes)) return AddTexts(a, work);
  if (Both(a, Kind::kList)) return Concatenated(a[0], a[1], work);
  if (Both(a, Kind::kDuration)) return AddDurations(a[0], a[1].as_int());
  if (a[0].is(Kind::kTimestamp) && a[1].is(Kind::kDuration)) return AddToTimestamp(a[0], a[1]);
  if (a[0].is(Kind::kDuration) && a[1].is(Kind::kTimestamp)) return AddToTimestamp(a[1], a[0]);
  return Value::NoSuchOverload("_+_");
}

Value Subtract(Arguments a, Work&) {
  if (Both(a, Kind::kInt)) {
    std::int64_t out = 0;
    return __builtin_sub_overflow(a[0].as_int(), a[1].as_int(), &out) ? IntOverflow()
                                                                      : Value::Int(out);
  }
  if (Both(a, Kind::kUint)) {
    if (a[0].as_uint() < a[1].as_uint()) return UintOverflow();
    return Value::Uint(a[0].as_uint() - a[1].as_uint());
  }
  if (Both(a, Kind::kDouble)) return Value::Double(a[0].as_double() - a[1].as_double());
  if (Both(a, Kind::kDuration)) return SubtractDurations(a[0].as_int(), a[1].as_int());
  if (Both(a, Kind::kTimestamp)) return BetweenTimestamps(a[0], a[1]);
  if (a[0].is(Kind::kTimestamp) && a[1].is(Kind::kDuration))
    return SubtractFromTimestamp(a[0], a[1]);
  return Value::NoSuchOverload("_-_");
}

Value Multiply(Arguments a, Work&) {
  if (Both(a, Kind::kInt)) {
    std::int64_t out = 0;
    return __builtin_mul_overflow(a[0].as_int(), a[1].as_int(), &out) ? IntOverflow()
                                                                      : Value::Int(out);
  }
  if (Both(a, Kind::kUint)) {
    std::uint64_t out = 0;
    return __builtin_mul_overflow(a[0].as_uint(), a[1].as_uint(), &out) ? UintOverflow()
                                                                        : Value::Uint(out);
  }
  if (Both(a, Kind::kDouble)) return Value::Double(a[0].as_double() * a[1].as_double());
  return Value::NoSuchOverload("_*_");
}

// Whether a / b of ints has no result that fits.
bool OverflowsAsQuotient(std::int64_t a, std::int64_t b) {
  return a == std::numeric_limits<std::int64_t>::min() && b == -1;
}

Value Divide(Arguments a, Work&) {
  if (Both(a, Kind::kInt)) {
    if (a[1].as_int() == 0) return ByZero();
    if (OverflowsAsQuotient(a[0].as_int(), a[1].as_int())) return IntOverflow();
    return Value::Int(a[0].as_int() / a[1].as_int());
  }
  if (Both(a, Kind::kUint)) {
    if (a[1].as_uint() == 0) return ByZero();
    return Value::Uint(a[0].as_uint() / a[1].as_uint());
  }
  if (Both(a, Kind::kDouble)) return Value::Double(a[0].as_double() / a[1].as_double());
  return Value::NoSuchOverload("_/_");
}

Value Modulo(Arguments a, Work&) {
  if (Both(a, Kind::kInt)) {
    if (a[1].as_int() == 0) return Value::Fail(Failure::kDivisionByZero, "modulus by zero");
    if (OverflowsAsQuotient(a[0].as_int(), a[1].as_int())) return IntOverflow();
    return Value::Int(a[0].as_int() % a[1].as_int());
  }
  if (Both(a, Kind::kUint)) {
    if (a[1].as_uint() == 0) return Value::Fail(Failure::kDivisionByZero, "modulus by zero");
    return Value::Uint(a[0].as_uint() % a[1].as_uint());
  }
  return Value::NoSuchOverload("_%_");
}

Value Negate(Arguments a, Work&) {
  if (a[0].is(Kind::kInt)) {
    std::int64_t out = 0;
    return __builtin_sub_overflow(std::int64_t{0}, a[0].as_int(), &out) ? IntOverflow()
                                                                        : Value::Int(out);
  }
  if (a[0].is(Kind::kDouble)) return Value::Double(-a[0].as_double());
  if (a[0].is(Kind::kDuration)) return SubtractDurations(0, a[0].as_int());
  return Value::NoSuchOverload("-_");
}

Value Not(Arguments a, Work&) {
  if (!a[0].is(Kind::kBool)) return Value::NoSuchOverload("!_");
  return Value::Bool(!a[0].as_bool());
}

Value Equal(Arguments a, Work& work) { return Equals(a[0], a[1], work); }

// Values that cannot be compared are different.
Value Unequal(Arguments a, Work& work) { return Value::Bool(!AreEqual(a[0], a[1], work)); }

template <bool (*Holds)(std::int64_t)>
Value Order(Arguments a, Work& work) {
  if (!work.Spend(1 + (a[0].is(Kind::kString) ? a[0].text().size() / 16 : 0)))
    return WorkExhausted();
  const Value order = Compare(a[0], a[1]);
  return order.is_error() ? order : Value::Bool(Holds(order.as_int()));
}
bool IsLess(std::int64_t order) { return order < 0; }
bool IsLessOrEqual(std::int64_t order) { return order <= 0; }
bool IsGreater(std::int64_t order) { return order > 0; }
bool IsGreaterOrEqual(std::int64_t order) { return order >= 0; }

Value In(Arguments a, Work& work) {
  if (a[1].is(Kind::kList)) return Value::Bool(ListContains(a[1].list(), a[0], work));
  if (a[1].is(Kind::kMap)) return Value::Bool(a[1].map().Contains(a[0]));
  return Value::NoSuchOverload("@in");
}

// The evaluator knows these itself.
Value Never(Arguments, Work&) { return Value::NoSuchOverload("operator"); }

constexpr CallCost kShorter{costs::ShorterText};

constexpr Overload Operator(std::string_view name, std::string_view arguments,
                            std::string_view result, Implementation run, CallCost cost = {}) {
  return {name, arguments, result, run, cost, false, false};
}

template <bool (*Holds)(std::int64_t)>
constexpr std::array<Overload, 14> Ordering(std::string_view name) {
  constexpr auto kRun = Order<Holds>;
  return {
      {Operator(name, "bool, bool", "bool", kRun), Operator(name, "int, int", "bool", kRun),
       Operator(name, "int, double", "bool", kRun), Operator(name, "int, uint", "bool", kRun),
       Operator(name, "uint, uint", "bool", kRun), Operator(name, "uint, double", "bool", kRun),
       Operator(name, "uint, int", "bool", kRun), Operator(name, "double, double", "bool", kRun),
       Operator(name, "double, int", "bool", kRun), Operator(name, "double, uint", "bool", kRun),
       Operator(name, "string, string", "bool", kRun, kShorter),
       Operator(name, "bytes, bytes", "bool", kRun, kShorter),
       Operator(name, "timestamp, timestamp", "bool", kRun),
       Operator(name, "duration, duration", "bool", kRun)}};
}

constexpr std::array kArithmetic{
    Operator("_+_", "bytes, bytes", "bytes", Add, {costs::BothTexts}),
    Operator("_+_", "double, double", "double", Add),
    Operator("_+_", "duration, duration", "duration", Add),
    Operator("_+_", "duration, timestamp", "timestamp", Add),
    Operator("_+_", "timestamp, duration", "timestamp", Add),
    Operator("_+_", "int, int", "int", Add),
    Operator("_+_", "list(A), list(A)", "list(A)", Add),
    Operator("_+_", "string, string", "string", Add, {costs::BothTexts}),
    Operator("_+_", "uint, uint", "uint", Add),
    Operator("_/_", "double, double", "double", Divide),
    Operator("_/_", "int, int", "int", Divide),
    Operator("_/_", "uint, uint", "uint", Divide),
    Operator("_%_", "int, int", "int", Modulo),
    Operator("_%_", "uint, uint", "uint", Modulo),
    Operator("_*_", "double, double", "double", Multiply),
    Operator("_*_", "int, int", "int", Multiply),
    Operator("_*_", "uint, uint", "uint", Multiply),
    Operator("-_", "double", "double", Negate),
    Operator("-_", "int", "int", Negate),
    Operator("_-_", "double, double", "double", Subtract),
    Operator("_-_", "duration, duration", "duration", Subtract),
    Operator("_-_", "int, int", "int", Subtract),
    Operator("_-_", "timestamp, duration", "timestamp", Subtract),
    Operator("_-_", "timestamp, timestamp", "duration", Subtract),
    Operator("_-_", "uint, uint", "uint", Subtract),
};

constexpr std::array kLogic{
    Operator(kConditionalOperator, "bool, A, A", "A", Never),
    Operator(kAndOperator, "bool, bool", "bool", Never),
    Operator(kOrOperator, "bool, bool", "bool", Never),
    Operator(kNotOperator, "bool", "bool", Not),
    Operator(kNotStrictlyFalseOperator, "bool", "bool", Never),
    Operator("_==_", "A, A", "bool", Equal, {costs::ShorterText, true}),
    Operator("_!=_", "A, A", "bool", Unequal, {costs::ShorterText, true}),
    Operator(kInOperator, "A, list(A)", "bool", In, {costs::SecondSize}),
    Operator(kInOperator, "A, map(A, B)", "bool", In),
    Operator(kIndexOperator, "list(A), int", "A", Never),
    Operator(kIndexOperator, "map(A, B), A", "B", Never),
    Operator(kIndexOperator, "optional(list(V)), int", "optional(V)", Never),
    Operator(kIndexOperator, "optional(map(K, V)), K", "optional(V)", Never),
    Operator(kOptionalIndexOperator, "list(V), int", "optional(V)", Never),
    Operator(kOptionalIndexOperator, "optional(list(V)), int", "optional(V)", Never),
    Operator(kOptionalIndexOperator, "map(K, V), K", "optional(V)", Never),
    Operator(kOptionalIndexOperator, "optional(map(K, V)), K", "optional(V)", Never),
};

template <std::size_t... Sizes>
std::vector<Overload> Joined(const std::array<Overload, Sizes>&... tables) {
  std::vector<Overload> out;
  (out.insert(out.end(), tables.begin(), tables.end()), ...);
  return out;
}

}  // namespace

std::span<const Overload> Operators() {
  static const std::vector<Overload> kAll =
      Joined(kArithmetic, kLogic, Ordering<IsLess>("_<_"), Ordering<IsLessOrEqual>("_<=_"),
             Ordering<IsGreater>("_>_"), Ordering<IsGreaterOrEqual>("_>=_"));
  return kAll;
}

}  // namespace batholith::cel
