#include "codec/kube_proto.h"

#include <boost/json.hpp>
#include <utility>

#include "codec/json/field.h"
#include "codec/kube_proto_message.h"
#include "codec/wire.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::string_view kMagic("k8s\0", 4);

// runtime.Unknown {typeMeta = 1 {apiVersion = 1, kind = 2}, raw = 2, contentEncoding = 3}; nothing
// is copied.
struct Envelope {
  std::string_view api_version;
  std::string_view kind;
  std::string_view raw;
  bool has_raw = false;
};

void ReadTypeMeta(std::string_view bytes, Envelope& out) {
  WireReader in(bytes);
  for (WireField f; in.Next(f);) {
    if (f.number == 1) out.api_version = f.bytes;
    if (f.number == 2) out.kind = f.bytes;
  }
}

Envelope ReadEnvelope(std::string_view bytes) {
  if (!bytes.starts_with(kMagic))
    throw FieldError("protobuf", "must begin with the bytes k8s and 0");
  Envelope out;
  WireReader in(bytes.substr(kMagic.size()));
  for (WireField f; in.Next(f);) {
    if (f.type != WireType::kBytes) continue;
    if (f.number == 1) ReadTypeMeta(f.bytes, out);
    if (f.number == 2) {
      out.raw = f.bytes;
      out.has_raw = true;
    }
    if (f.number == 3 && !f.bytes.empty())
      throw FieldError("contentEncoding", Printable(f.bytes) + " is not supported");
  }
  if (!out.has_raw) throw FieldError("raw", "is missing");
  return out;
}

const KubeMessage& MessageOf(std::string_view api_version, std::string_view kind) {
  const KubeMessage* message = FindKubeMessage(api_version, kind);
  if (message == nullptr) {
    throw FieldError(
        "kind", "no protobuf is read of kind " + Printable(kind) + " of " + Printable(api_version));
  }
  return *message;
}

json::value ObjectOf(const KubeMessage& message, std::string_view api_version,
                     std::string_view kind, std::string_view raw) {
  json::object out;
  out.reserve(8);
  out.emplace("apiVersion", api_version);
  out.emplace("kind", kind);
  try {
    ReadKubeMessage(message, raw, out);
  } catch (const FieldError& e) {
    throw FieldError(std::string(kind), e.what());
  }
  return out;
}

json::value ReadObject(std::string_view bytes) {
  const Envelope e = ReadEnvelope(bytes);
  return ObjectOf(MessageOf(e.api_version, e.kind), e.api_version, e.kind, e.raw);
}

// meta/v1 ListMeta {resourceVersion = 2, continue = 3}.
void ReadListMeta(std::string_view bytes, KubeList& out) {
  WireReader in(bytes);
  for (WireField f; in.Next(f);) {
    if (f.number == 2) out.resource_version = ReadKubeText(f.bytes);
    if (f.number == 3) out.continue_token = ReadKubeText(f.bytes);
  }
}

// A list of any kind {metadata = 1, items = 2}.
KubeList ReadList(std::string_view bytes) {
  constexpr std::string_view kList = "List";
  const Envelope e = ReadEnvelope(bytes);
  if (!e.kind.ends_with(kList)) throw FieldError("kind", "must be a list, is " + Printable(e.kind));
  const std::string_view kind = e.kind.substr(0, e.kind.size() - kList.size());
  const KubeMessage& message = MessageOf(e.api_version, kind);
  KubeList out;
  WireReader in(e.raw);
  for (WireField f; in.Next(f);) {
    if (f.type != WireType::kBytes) continue;
    if (f.number == 1) ReadListMeta(f.bytes, out);
    if (f.number == 2) out.items.push_back(ObjectOf(message, e.api_version, kind, f.bytes));
  }
  return out;
}

// meta/v1 WatchEvent {type = 1, object = 2 {raw = 1}}; raw is an envelope.
KubeWatchEvent ReadWatchFrame(std::string_view bytes) {
  KubeWatchEvent out;
  std::string_view extension;
  WireReader in(bytes);
  for (WireField f; in.Next(f);) {
    if (f.number == 1) out.type = ReadKubeText(f.bytes);
    if (f.number == 2) extension = f.bytes;
  }
  if (out.type.empty()) throw FieldError("type", "is missing");
  std::string_view raw;
  WireReader object(extension);
  for (WireField f; object.Next(f);) {
    if (f.number == 1) raw = f.bytes;
  }
  out.object = ReadObject(raw);
  return out;
}

template <typename T>
Result<T> Caught(T (*read)(std::string_view), std::string_view bytes, const char* what) {
  try {
    return read(bytes);
  } catch (const FieldError& e) {
    return Invalid(std::string(what) + ": " + e.what());
  }
}

}  // namespace

Result<json::value> DecodeKubeObject(std::string_view envelope) {
  return Caught(&ReadObject, envelope, "object");
}

Result<KubeList> DecodeKubeList(std::string_view envelope) {
  return Caught(&ReadList, envelope, "list");
}

Result<KubeWatchEvent> DecodeKubeWatchFrame(std::string_view frame) {
  return Caught(&ReadWatchFrame, frame, "watch event");
}

}  // namespace batholith
