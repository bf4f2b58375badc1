#include "test/property/kube_wire.h"

#include <google/protobuf/descriptor.h>
#include <proto/core.pb.h>
#include <proto/policy.pb.h>

#include <boost/json.hpp>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "api/time_text.h"
#include "codec/json/field.h"
#include "codec/wire.h"

namespace batholith::property {
namespace {

namespace json = boost::json;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

void PutVarint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7fU) | 0x80U);
  out += static_cast<char>(value);
}

void PutTag(int number, WireType type, std::string& out) {
  PutVarint((static_cast<std::uint64_t>(number) << 3U) | static_cast<std::uint64_t>(type), out);
}

void PutBytes(int number, std::string_view bytes, std::string& out) {
  PutTag(number, WireType::kBytes, out);
  PutVarint(bytes.size(), out);
  out += bytes;
}

void PutNumber(int number, std::int64_t value, std::string& out) {
  PutTag(number, WireType::kVarint, out);
  PutVarint(static_cast<std::uint64_t>(value), out);
}

// Seconds are rounded down, so that nanoseconds are never negative.
std::string TimeBytes(const json::value& text) {
  std::string out;
  if (text.is_null()) return out;
  // 400 years always have as many days, so a year near ours says the rest.
  constexpr std::int64_t kDaysOf400Years = 146'097;
  constexpr std::int64_t kSecondsOfDay = 86'400;
  std::string near(text.as_string());
  const int year = std::stoi(near.substr(0, 4));
  const int rest = year % 400;
  const int near_year = rest + (rest < 150 ? 2000 : 1600);
  near.replace(0, 4, std::to_string(near_year));
  const TimeNs time = ParseTime(near).value();
  const TimeNs nanos = ((time % 1'000'000'000) + 1'000'000'000) % 1'000'000'000;
  const std::int64_t periods = (year - near_year) / 400;
  PutNumber(1, (time - nanos) / 1'000'000'000 + periods * kDaysOf400Years * kSecondsOfDay, out);
  PutNumber(2, nanos, out);
  return out;
}

std::string MessageBytes(const Descriptor& type, const json::value& value);

void PutValue(const FieldDescriptor& field, const json::value& value, std::string& out) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return PutNumber(field.number(), value.as_bool() ? 1 : 0, out);
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
      return PutNumber(field.number(), value.as_int64(), out);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return PutBytes(field.number(), MessageBytes(*field.message_type(), value), out);
    default:
      return PutBytes(field.number(), std::string(value.as_string()), out);
  }
}

void PutEmpty(const FieldDescriptor& field, std::string& out) {
  if (field.has_presence()) return;
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING)
    PutBytes(field.number(), "", out);
  else
    PutNumber(field.number(), 0, out);
}

void PutField(const FieldDescriptor& field, const json::value* value, std::string& out) {
  if (field.is_map()) {
    if (value == nullptr) return;
    for (const auto& entry : value->as_object()) {
      std::string bytes;
      PutBytes(1, entry.key(), bytes);
      PutValue(*field.message_type()->map_value(), entry.value(), bytes);
      PutBytes(field.number(), bytes, out);
    }
  } else if (field.is_repeated()) {
    if (value == nullptr) return;
    for (const json::value& item : value->as_array()) PutValue(field, item, out);
  } else if (value == nullptr) {
    PutEmpty(field, out);
  } else {
    PutValue(field, *value, out);
  }
}

std::string MessageBytes(const Descriptor& type, const json::value& value) {
  if (&type == kube::Time::descriptor()) return TimeBytes(value);
  std::string out;
  if (&type == kube::Quantity::descriptor()) {
    PutBytes(1, std::string(value.as_string()), out);
    return out;
  }
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    const bool inlined = field.name() == "volumeSource";
    PutField(field, inlined ? &value : value.as_object().if_contains(field.name()), out);
  }
  return out;
}

const Descriptor& TypeOf(std::string_view kind) {
  for (const Descriptor* type :
       {kube::Pod::descriptor(), kube::Node::descriptor(), kube::Namespace::descriptor(),
        kube::ResourceQuota::descriptor(), kube::PriorityClass::descriptor(),
        kube::PodDisruptionBudget::descriptor()}) {
    if (type->name() == kind) return *type;
  }
  throw std::logic_error("no message for " + std::string(kind));
}

}  // namespace

std::string KubeEnvelope(const json::object& manifest) {
  std::string type_meta;
  PutBytes(1, std::string(manifest.at("apiVersion").as_string()), type_meta);
  const std::string kind(manifest.at("kind").as_string());
  PutBytes(2, kind, type_meta);
  std::string out("k8s\0", 4);
  PutBytes(1, type_meta, out);
  PutBytes(2, MessageBytes(TypeOf(kind), manifest), out);
  PutBytes(3, "", out);
  PutBytes(4, "", out);
  return out;
}

}  // namespace batholith::property
