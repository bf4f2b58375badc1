#include "client/watch/watch_frames.h"

#include <cstdint>

namespace batholith {
namespace {

constexpr std::size_t kLengthBytes = 4;

std::size_t LengthOf(std::string_view bytes) {
  std::size_t length = 0;
  for (const char c : bytes.substr(0, kLengthBytes))
    length = (length << 8U) | static_cast<unsigned char>(c);
  return length;
}

}  // namespace

WatchFrames::WatchFrames(Framing framing, std::size_t most_bytes)
    : framing_(framing), most_bytes_(most_bytes) {}

Result<void> WatchFrames::Feed(std::string_view bytes,
                               const std::function<bool(std::string_view)>& on_frame) {
  // Only what comes after an unfinished event is copied; whole events in one piece are not.
  const std::size_t searched = rest_.size();
  std::string joined;
  std::string_view left = bytes;
  if (searched != 0) {
    rest_ += bytes;
    joined.swap(rest_);
    left = joined;
  }
  for (std::size_t from = searched; !left.empty(); from = 0) {
    const Result<std::string_view> cut = Cut(left, from);
    if (!cut) return std::unexpected(cut.error());
    if (cut->empty()) break;
    left.remove_prefix(cut->size());
    const std::string_view frame = Inner(*cut);
    if (!frame.empty() && !on_frame(frame)) return {};
  }
  if (left.size() == joined.size()) {
    rest_.swap(joined);  // it keeps its room, so that a long event is not copied again and again
  } else {
    rest_ = left;
  }
  return {};
}

Result<std::string_view> WatchFrames::Cut(std::string_view bytes, std::size_t searched) const {
  std::size_t length = bytes.size();
  bool is_whole = false;
  if (framing_ == Framing::kLines) {
    const std::size_t end = bytes.find('\n', searched);
    is_whole = end != std::string_view::npos;
    if (is_whole) length = end + 1;
  } else if (bytes.size() >= kLengthBytes) {
    length = kLengthBytes + LengthOf(bytes);
    is_whole = length <= bytes.size();
  }
  if (length > most_bytes_ + kLengthBytes)
    return Invalid("an event is longer than " + std::to_string(most_bytes_) + " bytes");
  return is_whole ? bytes.substr(0, length) : std::string_view();
}

std::string_view WatchFrames::Inner(std::string_view cut) const {
  if (framing_ == Framing::kLengths) return cut.substr(kLengthBytes);
  while (cut.ends_with('\n') || cut.ends_with('\r')) cut.remove_suffix(1);
  return cut;
}

}  // namespace batholith
