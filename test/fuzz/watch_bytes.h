#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/check.h"
#include "client/watch/watch_events.h"
#include "client/watch/watch_frames.h"
#include "codec/object_reader.h"

namespace batholith::fuzz {

inline constexpr std::size_t kMostFrameBytes = 1 << 16;

struct Frames {
  std::vector<std::string> whole;
  bool refused = false;
};

// The events of a watch whose bytes come in pieces of this size.
inline Frames CutFrames(WatchEncoding encoding, std::string_view bytes, std::size_t piece) {
  Frames out;
  WatchFrames frames(FramingOf(encoding), kMostFrameBytes);
  for (std::size_t at = 0; at < bytes.size() && !out.refused; at += piece) {
    out.refused = !frames.Feed(bytes.substr(at, piece), [&](std::string_view frame) {
      out.whole.emplace_back(frame);
      return true;
    });
    CHECK(frames.pending() <= kMostFrameBytes + 4);
  }
  return out;
}

inline void ReadEvent(WatchEncoding encoding, std::string_view frame, ObjectReader& reader) {
  const auto event = DecodeWatchEvent(encoding, frame);
  if (!event) {
    CHECK(!event.error().message.empty());
    return;
  }
  if (event->type == "ERROR") {
    (void)ReadStatus(event->object);
    return;
  }
  (void)ReadHead(event->object, event->type == "BOOKMARK");
  const auto read = reader.ReadObject(event->object);
  CHECK(read ? !read->records.empty() : !read.error().message.empty());
}

// The bytes of a watch → its events → records. It does not matter in what pieces they come.
inline void ReadWatch(WatchEncoding encoding, std::string_view bytes) {
  const Frames frames = CutFrames(encoding, bytes, bytes.size() + 1);
  const Frames by_piece = CutFrames(encoding, bytes, bytes.size() % 7 + 1);
  CHECK(frames.whole == by_piece.whole && frames.refused == by_piece.refused);
  ObjectReader reader({"volcano"}, "default");
  for (const std::string& frame : frames.whole) ReadEvent(encoding, frame, reader);
}

}  // namespace batholith::fuzz
