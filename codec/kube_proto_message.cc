#include "codec/kube_proto_message.h"

#include <google/protobuf/descriptor.h>
#include <proto/meta.pb.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "api/check.h"
#include "api/time_text.h"
#include "api/utf8.h"
#include "codec/json/field.h"
#include "codec/kube_kinds.h"
#include "codec/wire.h"

namespace batholith {
namespace {

namespace json = boost::json;
namespace proto = google::protobuf;

enum class Form : std::uint8_t { kText, kInt32, kInt64, kBool, kTime, kQuantity, kMessage };
enum class Shape : std::uint8_t { kOne, kList, kMap };

// REQUIRES: lists and the values of maps are no numbers; nothing that is read has such.
struct KubeField {
  std::string_view name;  // in JSON; empty: not in the schema
  Form form = Form::kText;
  Shape shape = Shape::kOne;
  bool keep_empty = false;               // a pointer in Kubernetes
  bool inlined = false;                  // its fields stand beside it in JSON
  const KubeMessage* message = nullptr;  // of kMessage
};

}  // namespace

// Descriptors, once, in the form in which they are looked up for each field of each object.
struct KubeMessage {
  std::string name;
  std::vector<KubeField> fields;  // by number
  std::size_t count = 0;
};

namespace {

class Schema {
 public:
  Schema() {
    // Found by name: a kind that is read as protobuf needs no line here.
    const proto::DescriptorPool& pool = *kube::Status::descriptor()->file()->pool();
    for (const KubeKind& kind : KubeKinds()) {
      if (!kind.protobuf()) continue;
      const auto* type = pool.FindMessageTypeByName(std::string("batholith.kube.") + kind.kind);
      CHECK(type != nullptr);
      Add(kind.api_version, *type);
    }
    Add("v1", *kube::Status::descriptor());
  }

  const KubeMessage* Find(std::string_view api_version, std::string_view kind) const {
    for (const Kind& k : kinds_) {
      if (k.message->name == kind && k.api_version == api_version) return k.message;
    }
    return nullptr;
  }

 private:
  struct Kind {
    std::string_view api_version;
    const KubeMessage* message;
  };

  void Add(std::string_view api_version, const proto::Descriptor& type) {
    kinds_.push_back({api_version, MessageOf(type)});
  }

  const KubeMessage* MessageOf(const proto::Descriptor& type) {
    std::unique_ptr<KubeMessage>& known = messages_[type.full_name()];
    if (known != nullptr) return known.get();
    known = std::make_unique<KubeMessage>();
    KubeMessage& message = *known;
    message.name = type.name();
    message.count = static_cast<std::size_t>(type.field_count());
    for (int i = 0; i < type.field_count(); ++i) {
      const proto::FieldDescriptor& field = *type.field(i);
      const auto number = static_cast<std::size_t>(field.number());
      if (message.fields.size() <= number) message.fields.resize(number + 1);
      message.fields[number] = FieldOf(field);
    }
    return &message;
  }

  KubeField FieldOf(const proto::FieldDescriptor& field) {
    KubeField out;
    out.name = field.name();
    out.shape = field.is_map() ? Shape::kMap : field.is_repeated() ? Shape::kList : Shape::kOne;
    out.keep_empty = field.has_presence();
    out.inlined = out.name == "volumeSource";
    const proto::FieldDescriptor& value =
        field.is_map() ? *field.message_type()->map_value() : field;
    out.form = FormOf(value);
    if (out.form == Form::kMessage) out.message = MessageOf(*value.message_type());
    return out;
  }

  static Form FormOf(const proto::FieldDescriptor& field) {
    switch (field.cpp_type()) {
      case proto::FieldDescriptor::CPPTYPE_BOOL:
        return Form::kBool;
      case proto::FieldDescriptor::CPPTYPE_INT32:
        return Form::kInt32;
      case proto::FieldDescriptor::CPPTYPE_INT64:
        return Form::kInt64;
      case proto::FieldDescriptor::CPPTYPE_MESSAGE:
        if (field.message_type() == kube::Time::descriptor()) return Form::kTime;
        if (field.message_type() == kube::Quantity::descriptor()) return Form::kQuantity;
        return Form::kMessage;
      default:
        return Form::kText;
    }
  }

  std::vector<Kind> kinds_;
  std::map<std::string, std::unique_ptr<KubeMessage>> messages_;  // by full name
};

bool IsNumber(Form form) {
  return form == Form::kBool || form == Form::kInt32 || form == Form::kInt64;
}

bool IsAscii(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return (c & 0x80) == 0; });
}

void PutText(std::string_view bytes, json::value& out) {
  out.emplace_string().assign(IsAscii(bytes) ? bytes : ReadKubeText(bytes));
}

// A zero time is sent as an empty message and is a null in JSON. A time that no record can hold is
// one far away, as the decoder cuts it off.
void PutTime(std::string_view bytes, json::value& out) {
  if (bytes.empty()) return;
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  WireReader in(bytes);
  for (WireField f; in.Next(f);) {
    if (f.number == 1) seconds = static_cast<std::int64_t>(f.varint);
    if (f.number == 2) nanos = static_cast<std::int32_t>(f.varint);
  }
  TimeNs time = 0;
  const bool fits = !__builtin_mul_overflow(seconds, std::int64_t{1'000'000'000}, &time) &&
                    !__builtin_add_overflow(time, nanos, &time);
  const char* const far = seconds < 0 ? "0001-01-01T00:00:00Z" : "9999-12-31T23:59:59Z";
  out.emplace_string() = fits ? FormatTime(time) : far;
}

void PutQuantity(std::string_view bytes, json::value& out) {
  std::string_view text;
  WireReader in(bytes);
  for (WireField f; in.Next(f);) {
    if (f.number == 1) text = f.bytes;
  }
  PutText(text, out);
}

// `out` is a null, or holds what was sent of the same message before.
void PutValue(const KubeField& field, const WireField& wire, json::value& out) {
  switch (field.form) {
    case Form::kText:
      return PutText(wire.bytes, out);
    case Form::kInt32:
      out = std::int64_t{static_cast<std::int32_t>(wire.varint)};
      return;
    case Form::kInt64:
      out = static_cast<std::int64_t>(wire.varint);
      return;
    case Form::kBool:
      out = wire.varint != 0;
      return;
    case Form::kTime:
      return PutTime(wire.bytes, out);
    case Form::kQuantity:
      return PutQuantity(wire.bytes, out);
    case Form::kMessage:
      return ReadKubeMessage(*field.message, wire.bytes,
                             out.is_object() ? out.get_object() : out.emplace_object());
  }
}

// A number or text that Kubernetes sends although it is not set.
bool IsUnset(const KubeField& field, const WireField& wire) {
  if (field.keep_empty) return field.form == Form::kTime && wire.bytes.empty();
  return IsNumber(field.form) ? wire.varint == 0 : wire.bytes.empty();
}

// A text or time that is not sent in an entry is an empty one.
void PutEntry(const KubeField& field, std::string_view bytes, json::object& out) {
  WireField key;
  WireField value;
  WireReader in(bytes);
  for (WireField f; in.Next(f);) {
    if (f.number == 1) key = f;
    if (f.number == 2) value = f;
  }
  PutValue(field, value, out[IsAscii(key.bytes) ? key.bytes : ReadKubeText(key.bytes)]);
}

void PutField(const KubeField& field, const WireField& wire, json::object& out) {
  if (field.inlined) return ReadKubeMessage(*field.message, wire.bytes, out);
  if (field.shape == Shape::kOne) {
    if (!IsUnset(field, wire)) PutValue(field, wire, out[field.name]);
    return;
  }
  json::value& all = out[field.name];
  if (field.shape == Shape::kMap) {
    PutEntry(field, wire.bytes, all.is_object() ? all.get_object() : all.emplace_object());
    return;
  }
  json::array& list = all.is_array() ? all.get_array() : all.emplace_array();
  PutValue(field, wire, list.emplace_back(nullptr));
}

}  // namespace

const KubeMessage* FindKubeMessage(std::string_view api_version, std::string_view kind) {
  static const Schema schema;
  return schema.Find(api_version, kind);
}

void ReadKubeMessage(const KubeMessage& message, std::string_view bytes, json::object& out) {
  // Room for no more fields than the bytes can hold: many empty messages take none.
  if (out.empty()) out.reserve(std::min<std::size_t>({message.count, 8, bytes.size() / 2}));
  WireReader in(bytes);
  for (WireField wire; in.Next(wire);) {
    if (wire.number >= message.fields.size()) continue;
    const KubeField& field = message.fields[wire.number];
    if (field.name.empty()) continue;
    if (wire.type != (IsNumber(field.form) ? WireType::kVarint : WireType::kBytes))
      throw FieldError(message.name + "." + std::string(field.name), "is sent as another type");
    PutField(field, wire, out);
  }
}

std::string ReadKubeText(std::string_view bytes) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t n = SequenceLength(bytes, at);
    out += n == 0 ? kReplacement : bytes.substr(at, n);
    at += n == 0 ? 1 : n;
  }
  return out;
}

}  // namespace batholith
