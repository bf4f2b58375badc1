#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/device_amount.h"
#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/values.h"
#include "cel/syntax/number.h"

namespace batholith::cel {
namespace {

constexpr Wide kUnit = kOneUnit;

struct Suffix {
  int exponent = 0;
  bool binary = false;
};

// REQUIRES: a suffix of a quantity.
Suffix ReadSuffix(std::string_view text) {
  if (text.empty()) return {};
  constexpr std::string_view kDecimal = "numkMGTPE";
  constexpr std::array<int, 9> kExponents{-9, -6, -3, 3, 6, 9, 12, 15, 18};
  if (text.size() == 1) return {kExponents[kDecimal.find(text[0])], false};
  if (text[1] == 'i')
    return {(static_cast<int>(std::string_view("KMGTPE").find(text[0])) + 1) * 10, true};
  // Out of all range where it has more digits than fit.
  const auto exponent = ReadInt(text.substr(text[1] == '+' ? 2 : 1)).value_or(0);
  return {static_cast<int>(std::clamp<std::int64_t>(exponent, -1000, 1000)), false};
}

// Whether Kubernetes keeps a quantity as an integer: it depends on how it is written. "1000m" is
// none, nor is "1.5Gi". REQUIRES: a quantity.
bool IsIntegral(std::string_view text, Wide nanos) {
  constexpr int kDigits = 18;  // that certainly fit into 64 bits
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  const std::size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
  const int number = std::max(static_cast<int>(whole), whole == text.size() && whole == 0 ? 0 : 1);
  text.remove_prefix(whole);
  int fraction = 0;
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    fraction = static_cast<int>(end) - 1;
    text.remove_prefix(end);
  }
  const Suffix suffix = ReadSuffix(text);
  if (suffix.binary) {
    if (fraction != 0 || 15 - number - suffix.exponent * 3 / 10 - 1 < 0) return false;
  } else if (kDigits - number - fraction < 0 || suffix.exponent - fraction < 0) {
    return false;
  }
  const Wide units = nanos / kUnit;
  // The largest number stands for all that are beyond it.
  return units > INT64_MIN && units < INT64_MAX;
}

Value NotAQuantity(const Value& text) {
  return Value::Fail(Failure::kNotAQuantity, "not a quantity: " + Shown(text));
}

// Where there is a sign, a point or a suffix without any digit, Kubernetes reads 0.
std::string WithDigits(std::string_view text) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  std::string out(text);
  const bool digit = sign < text.size() && text[sign] >= '0' && text[sign] <= '9';
  if (!digit && !text.empty()) out.insert(sign, 1, '0');
  return out;
}

Value ToQuantity(Arguments a, Work&) {
  const std::string text = WithDigits(a[0].text());
  const auto amount = ParseDeviceAmount(text);
  if (!amount) return NotAQuantity(a[0]);
  return Value::Quantity(*amount, {IsIntegral(text, *amount), false});
}

Value IsQuantity(Arguments a, Work&) {
  return Value::Bool(ParseDeviceAmount(WithDigits(a[0].text())).has_value());
}

Value SignOf(Arguments a, Work&) {
  const Wide amount = a[0].quantity();
  return Value::Int(amount < 0 ? -1 : amount > 0 ? 1 : 0);
}

int QuantityOrder(Arguments a) {
  if (a[0].quantity() == a[1].quantity()) return 0;
  return a[0].quantity() < a[1].quantity() ? -1 : 1;
}

Value IsGreaterQuantity(Arguments a, Work&) { return Value::Bool(QuantityOrder(a) > 0); }
Value IsLessQuantity(Arguments a, Work&) { return Value::Bool(QuantityOrder(a) < 0); }
Value CompareQuantity(Arguments a, Work&) { return Value::Int(QuantityOrder(a)); }

Value AsFloat(Arguments a, Work&) {
  const Wide amount = a[0].quantity();
  if (amount % kUnit == 0) return Value::Double(static_cast<double>(amount / kUnit));
  // Thousandths where that is enough, so that no digit is lost in the division.
  constexpr Wide kThousandth = kUnit / 1000;
  if (amount % kThousandth == 0)
    return Value::Double(static_cast<double>(amount / kThousandth) * 1e-3);
  return Value::Double(static_cast<double>(amount) * 1e-9);
}

Value IsInteger(Arguments a, Work&) { return Value::Bool(a[0].integral()); }

Value AsInteger(Arguments a, Work&) {
  if (!a[0].integral()) return Value::Fail(Failure::kConversion, "cannot convert value to integer");
  return Value::Int(static_cast<std::int64_t>(a[0].quantity() / kUnit));
}

// The sum of an amount and one more, which is negative in a difference.
Value QuantitySum(const Value& a, Wide more, bool more_is_integral) {
  constexpr Wide kMost = Wide{1} << 120;
  if (a.quantity() > kMost || a.quantity() < -kMost)
    return Value::Fail(Failure::kOverflow, "quantity overflow");
  const Wide sum = a.quantity() + more;
  bool integral = a.integral() && more_is_integral;
  if (more == 0) integral = a.integral();
  if (a.quantity() == 0) integral = more_is_integral;
  const Wide units = sum / kUnit;
  integral = integral && units >= INT64_MIN && units <= INT64_MAX;
  return Value::Quantity(sum, {integral, true});
}

Value AddQuantity(Arguments a, Work&) {
  return QuantitySum(a[0], a[1].quantity(), a[1].integral());
}
Value SubQuantity(Arguments a, Work&) {
  return QuantitySum(a[0], -a[1].quantity(), a[1].integral());
}
Value AddInt(Arguments a, Work&) { return QuantitySum(a[0], Wide{a[1].as_int()} * kUnit, true); }
Value SubInt(Arguments a, Work&) { return QuantitySum(a[0], -Wide{a[1].as_int()} * kUnit, true); }

constexpr std::string_view kQuantity = "kubernetes.Quantity";
constexpr std::string_view kTwoQuantities = "kubernetes.Quantity, kubernetes.Quantity";
constexpr std::string_view kWithInt = "kubernetes.Quantity, int";
constexpr CallCost kQuantityText{costs::Text, true};
constexpr CallCost kQuantityOne{nullptr, true};

constexpr std::array kQuantities{
    Overload{"quantity", "string", kQuantity, ToQuantity, kQuantityText},
    Overload{"isQuantity", "string", "bool", IsQuantity, kQuantityText},
    Overload{"sign", kQuantity, "int", SignOf, kQuantityOne},
    Overload{"isGreaterThan", kTwoQuantities, "bool", IsGreaterQuantity, kQuantityOne, true},
    Overload{"isLessThan", kTwoQuantities, "bool", IsLessQuantity, kQuantityOne, true},
    Overload{"compareTo", kTwoQuantities, "int", CompareQuantity, kQuantityOne, true},
    Overload{"asApproximateFloat", kQuantity, "double", AsFloat, kQuantityOne, true},
    Overload{"asInteger", kQuantity, "int", AsInteger, kQuantityOne, true},
    Overload{"isInteger", kQuantity, "bool", IsInteger, kQuantityOne, true},
    Overload{"add", kTwoQuantities, kQuantity, AddQuantity, kQuantityOne, true},
    Overload{"add", kWithInt, kQuantity, AddInt, kQuantityOne, true},
    Overload{"sub", kTwoQuantities, kQuantity, SubQuantity, kQuantityOne, true},
    Overload{"sub", kWithInt, kQuantity, SubInt, kQuantityOne, true},
};

}  // namespace

std::span<const Overload> QuantityFunctions() { return kQuantities; }

}  // namespace batholith::cel
