// The bytes of a watch, cut wherever the network cuts them, and hostile ones.
#include "client/watch/watch_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "client/watch/watch_events.h"

namespace batholith {
namespace {

using ::testing::ElementsAre;
using Framing = WatchFrames::Framing;

std::string Framed(Framing framing, const std::string& event) {
  if (framing == Framing::kLines) return event + "\n";
  std::string out;
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    out += static_cast<char>((event.size() >> shift) & 0xffU);
  return out + event;
}

// What comes out, and the error at the end if there is one.
std::vector<std::string> Cut(WatchFrames& frames, const std::vector<std::string>& pieces) {
  std::vector<std::string> out;
  for (const std::string& piece : pieces) {
    const Result<void> fed = frames.Feed(piece, [&](std::string_view frame) {
      out.emplace_back(frame);
      return true;
    });
    if (!fed) {
      out.push_back("error: " + fed.error().message);
      break;
    }
  }
  return out;
}

TEST(WatchFrames, lines_end_at_their_breaks) {
  WatchFrames frames(Framing::kLines, 100);
  EXPECT_THAT(Cut(frames, {"{1}\n{2}\r\n\n{3", "}", "\n{4"}), ElementsAre("{1}", "{2}", "{3}"));
  EXPECT_EQ(frames.pending(), 2U);
}

TEST(WatchFrames, frames_end_after_their_length) {
  using std::string_literals::operator""s;
  WatchFrames frames(Framing::kLengths, 100);
  EXPECT_THAT(Cut(frames, {"\0\0"s, "\0\3a\nb\0\0\0\1c\0"s, "\0\0\2d"s}), ElementsAre("a\nb", "c"));
  EXPECT_EQ(frames.pending(), 5U);
}

TEST(WatchFrames, an_event_longer_than_allowed_is_an_error_before_it_is_there) {
  using std::string_literals::operator""s;
  WatchFrames lines(Framing::kLines, 10);
  EXPECT_THAT(Cut(lines, {"ok\n123456", "789012345"}),
              ElementsAre("ok", "error: an event is longer than 10 bytes"));
  WatchFrames lengths(Framing::kLengths, 10);
  EXPECT_THAT(Cut(lengths, {"\xff\xff\xff\xff"s}),
              ElementsAre("error: an event is longer than 10 bytes"));
}

TEST(WatchFrames, nothing_is_read_after_a_no) {
  WatchFrames frames(Framing::kLines, 100);
  int calls = 0;
  ASSERT_TRUE(frames.Feed("a\nb\nc", [&](std::string_view) { return ++calls < 1; }));
  EXPECT_EQ(calls, 1);
}

// The same events come out however the bytes are cut.
TEST(WatchFrames, random_pieces_give_the_same_events) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 300; ++round) {
    const Framing framing = round % 2 == 0 ? Framing::kLines : Framing::kLengths;
    std::vector<std::string> events;
    std::string bytes;
    for (std::size_t i = random() % 20; i > 0; --i) {
      std::string event(1 + random() % 40, ' ');
      for (char& c : event) c = static_cast<char>('a' + random() % 26);
      bytes += Framed(framing, event);
      events.push_back(std::move(event));
    }
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < bytes.size();) {
      pieces.push_back(bytes.substr(at, 1 + random() % 30));
      at += pieces.back().size();
    }
    WatchFrames frames(framing, 40);
    EXPECT_EQ(Cut(frames, pieces), events) << round;
    EXPECT_EQ(frames.pending(), 0U);
  }
}

// Bytes of an event that were changed are an error or another event, and nothing worse.
TEST(WatchEvents, mutated_events_are_read_or_refused) {
  const std::string event =
      R"({"type":"MODIFIED","object":{"kind":"Status","code":410,"metadata":{"namespace":"n","name":"a",)"
      R"("uid":"u","resourceVersion":"5","annotations":{"k8s.io/initial-events-end":"true"}},)"
      R"("details":{"causes":[{"reason":"x"}]}}})";
  std::mt19937_64 random(23);
  int read = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = event;
    for (std::size_t i = 1 + random() % 3; i > 0; --i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 10);
          break;
        default:
          text.insert(at, 1, text[random() % text.size()]);
      }
      if (text.empty()) text = "x";
    }
    DecodeListPage(WatchEncoding::kJson, text);
    ReadStatusBody(WatchEncoding::kJson, 500, text);
    const Result<KubeWatchEvent> decoded = DecodeWatchEvent(WatchEncoding::kJson, text);
    if (!decoded) continue;
    ++read;
    ReadHead(decoded->object, random() % 2 == 0);
    ReadStatus(decoded->object);
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace batholith
