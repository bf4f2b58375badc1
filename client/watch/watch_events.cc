#include "client/watch/watch_events.h"

#include <boost/json.hpp>
#include <utility>

#include "codec/json/field.h"
#include "codec/json/parse.h"

namespace batholith {
namespace {

constexpr long kGone = 410;
constexpr long kTooLarge = 504;

// Reads with Fields; their complaints become the error.
template <typename Read>
auto Reading(Read read) -> Result<decltype(read())> {
  try {
    return read();
  } catch (const FieldError& e) {
    return Invalid(e.what());
  }
}

// A list of built-in kinds says their kind once: PodList.
void NameKind(const Field& list, boost::json::value& item) {
  boost::json::object* const object = item.if_object();
  if (object == nullptr) return;  // complained of when it is read
  std::string kind = list["kind"].Text();
  if (kind.ends_with("List")) kind.resize(kind.size() - 4);
  object->emplace("apiVersion", list["apiVersion"].Text());
  object->emplace("kind", kind);
}

}  // namespace

WatchEncoding EncodingOf(std::string_view content_type) {
  return content_type.starts_with("application/vnd.kubernetes.protobuf") ? WatchEncoding::kProtobuf
                                                                         : WatchEncoding::kJson;
}

WatchFrames::Framing FramingOf(WatchEncoding encoding) {
  return encoding == WatchEncoding::kProtobuf ? WatchFrames::Framing::kLengths
                                              : WatchFrames::Framing::kLines;
}

std::string AcceptFor(bool protobuf, bool is_watch) {
  if (!protobuf) return "application/json";
  return std::string("application/vnd.kubernetes.protobuf") + (is_watch ? ";stream=watch" : "") +
         ", application/json";
}

Result<KubeList> DecodeListPage(WatchEncoding encoding, std::string_view body) {
  if (encoding == WatchEncoding::kProtobuf) return DecodeKubeList(body);
  Result<boost::json::value> value = ParseJsonValue(body);
  if (!value) return std::unexpected(value.error());
  return Reading([&value] {
    const Field list(&*value, "");
    KubeList page;
    page.resource_version = list["metadata"]["resourceVersion"].Text();
    page.continue_token = list["metadata"]["continue"].Text();
    if (page.resource_version.empty()) list["metadata"]["resourceVersion"].Fail("is missing");
    const std::size_t count = list["items"].List().size();
    if (count == 0) return page;
    page.items.reserve(count);
    // What was read is taken out of the page, not copied.
    for (boost::json::value& item : value->get_object()["items"].get_array()) {
      NameKind(list, item);
      page.items.push_back(std::move(item));
    }
    return page;
  });
}

Result<KubeWatchEvent> DecodeWatchEvent(WatchEncoding encoding, std::string_view frame) {
  if (encoding == WatchEncoding::kProtobuf) return DecodeKubeWatchFrame(frame);
  Result<boost::json::value> value = ParseJsonValue(frame);
  if (!value) return std::unexpected(value.error());
  return Reading([&value] {
    const Field event(&*value, "");
    KubeWatchEvent out;
    out.type = event["type"].Text();
    if (!event["object"].present()) event["object"].Fail("is missing");
    out.object = std::move(value->get_object().at("object"));
    return out;
  });
}

KubeStatus ReadStatus(const boost::json::value& object) {
  const Result<KubeStatus> read = Reading([&object] {
    const Field status(&object, "");
    KubeStatus out;
    out.code = status["code"].Int(0, 0, 999);
    out.message = Printable(status["message"].Text());
    const std::string reason = status["reason"].Text();
    out.is_expired = out.code == kGone || reason == "Expired" || reason == "Gone";
    for (const Field& cause : status["details"]["causes"].Items())
      out.is_expired |=
          out.code == kTooLarge && cause["reason"].Text() == "ResourceVersionTooLarge";
    return out;
  });
  return read ? *read : KubeStatus{0, read.error().message, false};
}

KubeStatus ReadStatusBody(WatchEncoding encoding, long http_status, std::string_view body) {
  Result<boost::json::value> value = Invalid("");
  if (encoding == WatchEncoding::kProtobuf) value = DecodeKubeObject(body);
  if (encoding == WatchEncoding::kJson) value = ParseJsonValue(body);
  KubeStatus status = value && value->is_object() ? ReadStatus(*value) : KubeStatus();
  if (status.message.empty())
    status.message = Printable(body.substr(0, body.find_last_not_of(" \t\r\n") + 1));
  status.code = http_status;
  status.is_expired |= http_status == kGone;
  return status;
}

Result<ObjectHead> ReadHead(const boost::json::value& object, bool is_bookmark) {
  return Reading([&object, is_bookmark] {
    const Field metadata = Field(&object, "")["metadata"];
    ObjectHead head;
    head.version = metadata["resourceVersion"].Text();
    if (head.version.empty()) metadata["resourceVersion"].Fail("is missing");
    if (is_bookmark) {
      const Field end = metadata["annotations"]["k8s.io/initial-events-end"];
      head.ends_initial_events = end.Text() == "true";
      return head;
    }
    const std::string name = metadata["name"].Text();
    if (name.empty()) metadata["name"].Fail("is missing");
    const std::string space = metadata["namespace"].Text();
    head.key = space.empty() ? name : space + "/" + name;
    head.uid = metadata["uid"].Text();
    return head;
  });
}

}  // namespace batholith
