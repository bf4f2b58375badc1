#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "api/result.h"
#include "client/watch/watch_frames.h"
#include "codec/kube_proto.h"

namespace batholith {

// How the server wrote an answer; its Content-Type says so.
enum class WatchEncoding { kJson, kProtobuf };

WatchEncoding EncodingOf(std::string_view content_type);
WatchFrames::Framing FramingOf(WatchEncoding encoding);
// The Accept header. Custom resources come as JSON whatever is asked for.
std::string AcceptFor(bool protobuf, bool is_watch);

// A page of a list; its items have apiVersion and kind, also where the list says them once for all.
Result<KubeList> DecodeListPage(WatchEncoding encoding, std::string_view body);
Result<KubeWatchEvent> DecodeWatchEvent(WatchEncoding encoding, std::string_view frame);

// What the server says about a request that it refuses.
struct KubeStatus {
  long code = 0;
  std::string message;
  // The version that was asked for is gone, or beyond the newest one (after a restored backup).
  bool is_expired = false;
};

// Of an answer other than 200; a body that is no Status is the message.
KubeStatus ReadStatusBody(WatchEncoding encoding, long http_status, std::string_view body);
KubeStatus ReadStatus(const boost::json::value& object);

// What the watch needs of an object.
struct ObjectHead {
  std::string key;  // namespace/name, or name where it has no namespace
  std::string uid;
  std::string version;
  bool ends_initial_events = false;  // a bookmark: all that was there has been sent
};

// Errors: no metadata, no name (a bookmark has none: `is_bookmark`), no version.
Result<ObjectHead> ReadHead(const boost::json::value& object, bool is_bookmark);

}  // namespace batholith
