#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/utf8.h"
#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/network.h"
#include "cel/functions/numbers.h"
#include "cel/functions/time.h"
#include "cel/functions/values.h"
#include "cel/syntax/number.h"

namespace batholith::cel {
namespace {

Value CannotConvert(const Value& value, std::string_view to) {
  return Value::Fail(Failure::kConversion, "type conversion error from '" +
                                               std::string(ValueTypeName(value)) + "' to '" +
                                               std::string(to) + "'");
}

Value TooLarge(const char* what) { return Value::Fail(Failure::kOverflow, what); }

Value Same(Arguments a, Work&) { return a[0]; }

Value TypeOfValue(Arguments a, Work&) { return Value::TypeOf(ValueType(a[0])); }

Value StringToBool(Arguments a, Work&) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (a[0].text() == yes) return Value::Bool(true);
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (a[0].text() == no) return Value::Bool(false);
  }
  return CannotConvert(a[0], "bool");
}

Value StringToBytes(Arguments a, Work&) { return Value::Bytes(std::string(a[0].text())); }

Value IntToDouble(Arguments a, Work&) { return Value::Double(static_cast<double>(a[0].as_int())); }
Value UintToDouble(Arguments a, Work&) {
  return Value::Double(static_cast<double>(a[0].as_uint()));
}
// Go's numbers may have underscores between digits. Nothing: elsewhere.
std::optional<std::string> WithoutUnderscores(std::string_view text) {
  std::string out;
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  for (std::size_t c = 0; c < text.size(); ++c) {
    if (text[c] != '_') {
      out += text[c];
    } else if (c == 0 || !is_digit(c - 1) || !is_digit(c + 1)) {
      return std::nullopt;
    }
  }
  return out;
}

Value StringToDouble(Arguments a, Work&) {
  const auto plain = WithoutUnderscores(a[0].text());
  if (!plain) return CannotConvert(a[0], "double");
  std::string_view text = *plain;
  const bool signed_text = text.starts_with('+') || text.starts_with('-');
  const bool negative = text.starts_with('-');
  if (signed_text) text.remove_prefix(1);
  if (text.empty() || text.starts_with('-') || text.find('(') != std::string_view::npos)
    return CannotConvert(a[0], "double");
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const auto number = hex ? ReadHexDouble(text) : ReadDouble(text);
  if (!number) return CannotConvert(a[0], "double");
  const bool written = text[0] == 'i' || text[0] == 'I';
  if (std::isinf(*number) && !written) return CannotConvert(a[0], "double");
  return Value::Double(negative ? -*number : *number);
}

Value DoubleToInt(Arguments a, Work&) {
  const double number = a[0].as_double();
  if (!(number > -9223372036854775808.0 && number < 9223372036854775808.0))
    return TooLarge("integer overflow");
  return Value::Int(static_cast<std::int64_t>(number));
}
Value UintToInt(Arguments a, Work&) {
  if (a[0].as_uint() > INT64_MAX) return TooLarge("integer overflow");
  return Value::Int(static_cast<std::int64_t>(a[0].as_uint()));
}
Value StringToInt(Arguments a, Work&) {
  std::string_view text = a[0].text();
  if (text.starts_with("+") && !text.starts_with("+-")) text.remove_prefix(1);
  const auto number = ReadInt(text);
  return number ? Value::Int(*number) : CannotConvert(a[0], "int");
}
Value DurationToInt(Arguments a, Work&) { return Value::Int(a[0].as_int()); }
Value TimestampToInt(Arguments a, Work&) { return Value::Int(a[0].seconds()); }

Value DoubleToUint(Arguments a, Work&) {
  const double number = a[0].as_double();
  if (!(number >= 0 && number < 18446744073709551616.0))
    return TooLarge("unsigned integer overflow");
  return Value::Uint(static_cast<std::uint64_t>(number));
}
Value IntToUint(Arguments a, Work&) {
  if (a[0].as_int() < 0) return TooLarge("unsigned integer overflow");
  return Value::Uint(static_cast<std::uint64_t>(a[0].as_int()));
}
Value StringToUint(Arguments a, Work&) {
  const auto number = ReadUint(a[0].text());
  return number ? Value::Uint(*number) : CannotConvert(a[0], "uint");
}

Value BoolToString(Arguments a, Work&) { return Value::String(a[0].as_bool() ? "true" : "false"); }
Value IntToString(Arguments a, Work&) { return Value::String(std::to_string(a[0].as_int())); }
Value UintToString(Arguments a, Work&) { return Value::String(std::to_string(a[0].as_uint())); }
Value DoubleToString(Arguments a, Work&) { return Value::String(DoubleText(a[0].as_double())); }
Value DurationToString(Arguments a, Work&) { return Value::String(DurationText(a[0].as_int())); }
Value TimestampToString(Arguments a, Work&) { return Value::String(TimestampText(a[0])); }
Value BytesToString(Arguments a, Work&) {
  for (std::size_t at = 0; at < a[0].text().size();) {
    const std::size_t length = SequenceLength(a[0].text(), at);
    if (length == 0)
      return Value::Fail(Failure::kConversion, "bytes that are no UTF-8 cannot become a string");
    at += length;
  }
  return Value::String(std::string(a[0].text()));
}
Value AddressToString(Arguments a, Work&) { return Value::String(AddressText(a[0])); }
Value NetworkToString(Arguments a, Work&) { return Value::String(NetworkText(a[0])); }

Value StringToDuration(Arguments a, Work&) {
  const auto nanos = ReadDuration(a[0].text());
  return nanos ? Value::Duration(*nanos) : CannotConvert(a[0], "google.protobuf.Duration");
}
Value IntToDuration(Arguments a, Work&) { return CannotConvert(a[0], "google.protobuf.Duration"); }
Value StringToTimestamp(Arguments a, Work&) {
  auto out = ReadTimestamp(a[0].text());
  return out ? std::move(*out) : CannotConvert(a[0], "google.protobuf.Timestamp");
}
Value IntToTimestamp(Arguments a, Work&) { return TimestampAt(a[0].as_int()); }

constexpr std::array kConversions{
    Overload{"type", "A", "type(A)", TypeOfValue},
    Overload{"dyn", "A", "dyn", Same},
    Overload{"bool", "bool", "bool", Same},
    Overload{"bool", "string", "bool", StringToBool},
    Overload{"bytes", "bytes", "bytes", Same},
    Overload{"bytes", "string", "bytes", StringToBytes, {costs::Text}},
    Overload{"double", "double", "double", Same},
    Overload{"double", "int", "double", IntToDouble},
    Overload{"double", "string", "double", StringToDouble},
    Overload{"double", "uint", "double", UintToDouble},
    Overload{"duration", "duration", "duration", Same},
    Overload{"duration", "int", "duration", IntToDuration},
    Overload{"duration", "string", "duration", StringToDuration},
    Overload{"int", "int", "int", Same},
    Overload{"int", "double", "int", DoubleToInt},
    Overload{"int", "duration", "int", DurationToInt},
    Overload{"int", "string", "int", StringToInt},
    Overload{"int", "timestamp", "int", TimestampToInt},
    Overload{"int", "uint", "int", UintToInt},
    Overload{"string", "string", "string", Same},
    Overload{"string", "bool", "string", BoolToString},
    Overload{"string", "bytes", "string", BytesToString, {costs::Text}},
    Overload{"string", "double", "string", DoubleToString},
    Overload{"string", "duration", "string", DurationToString},
    Overload{"string", "int", "string", IntToString},
    Overload{"string", "timestamp", "string", TimestampToString},
    Overload{"string", "uint", "string", UintToString},
    Overload{"string", "net.IP", "string", AddressToString},
    Overload{"string", "net.CIDR", "string", NetworkToString},
    Overload{"timestamp", "timestamp", "timestamp", Same},
    Overload{"timestamp", "int", "timestamp", IntToTimestamp},
    Overload{"timestamp", "string", "timestamp", StringToTimestamp},
    Overload{"uint", "uint", "uint", Same},
    Overload{"uint", "double", "uint", DoubleToUint},
    Overload{"uint", "int", "uint", IntToUint},
    Overload{"uint", "string", "uint", StringToUint},
};

}  // namespace

std::string DoubleText(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  std::array<char, 400> buffer{};
  char* const end = buffer.data() + buffer.size();
  const auto scientific = std::to_chars(buffer.data(), end, number, std::chars_format::scientific);
  const std::string out(buffer.data(), scientific.ptr);
  const std::size_t e = out.find('e');
  const std::string_view digits = std::string_view(out).substr(out[e + 1] == '+' ? e + 2 : e + 1);
  const std::int64_t exponent = ReadInt(digits).value_or(0);
  if (exponent < -4 || exponent >= 6) return out;
  const auto fixed = std::to_chars(buffer.data(), end, number, std::chars_format::fixed);
  return {buffer.data(), fixed.ptr};
}

std::span<const Overload> Conversions() { return kConversions; }

}  // namespace batholith::cel
