#include "cmd/console.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <string>
#include <string_view>

#include "api/printable.h"
#include "api/url_text.h"
#include "cmd/paint.h"
#include "cmd/terminal.h"

namespace batholith {
namespace {

// How many bytes at the end begin a character whose other bytes may still come.
std::size_t BegunAtEnd(std::string_view text) {
  for (std::size_t n = 1; n <= std::min<std::size_t>(3, text.size()); ++n) {
    const auto byte = static_cast<unsigned char>(text[text.size() - n]);
    if ((byte & 0xc0U) == 0x80U) continue;
    const std::size_t wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > n ? n : 0;
  }
  return 0;
}

bool Paints(SafeConsole::Colours colours, int fd) {
  return colours == SafeConsole::Colours::kAlways ||
         (colours == SafeConsole::Colours::kOnTerminals && MayHaveColours(fd));
}

}  // namespace

// In front of the buffer that a stream had, which it gives back. From any thread, as std::cerr.
class SafeConsole::Buffer : public std::streambuf {
 public:
  Buffer(std::ostream& stream, bool hides_passwords, bool paints)
      : stream_(stream),
        hides_passwords_(hides_passwords),
        paints_(paints),
        to_(stream.rdbuf(this)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() override {
    sync();
    stream_.rdbuf(to_);
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize n) override {
    constexpr std::size_t kChunk = std::size_t{1} << 16U;  // so that large outputs are not doubled
    const std::lock_guard lock(mutex_);
    std::string_view rest(text, static_cast<std::size_t>(n));
    while (!rest.empty()) {
      begun_ += rest.substr(0, kChunk);
      rest.remove_prefix(std::min(rest.size(), kChunk));
      const std::size_t whole = begun_.size() - BegunAtEnd(begun_);
      if (!Pass(std::string_view(begun_).substr(0, whole))) return 0;
      begun_.erase(0, whole);
    }
    return n;
  }
  int_type overflow(int_type c) override {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
  }
  int sync() override {
    const std::lock_guard lock(mutex_);
    const bool passed = Pass(begun_);
    begun_.clear();
    return passed ? to_->pubsync() : -1;
  }

 private:
  bool Pass(std::string_view text) {
    std::string shown = ManyLines(hides_passwords_ ? WithoutUrlSecrets(text) : text);
    if (paints_) shown = PaintedLines(shown);
    const auto n = static_cast<std::streamsize>(shown.size());
    return to_->sputn(shown.data(), n) == n;
  }

  // A line that comes in pieces is known by its first.
  std::string PaintedLines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      out += at_line_start_ ? Painted(text.substr(0, end)) : std::string(text.substr(0, end));
      at_line_start_ = end < text.size();
      if (at_line_start_) out += '\n';
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
  }

  std::ostream& stream_;
  const bool hides_passwords_;
  const bool paints_;
  bool at_line_start_ = true;
  std::streambuf* const to_;
  std::mutex mutex_;
  std::string begun_;  // of a character
};

SafeConsole::SafeConsole(Colours colours)
    : out_(std::make_unique<Buffer>(std::cout, false, Paints(colours, STDOUT_FILENO))),
      err_(std::make_unique<Buffer>(std::cerr, true, Paints(colours, STDERR_FILENO))) {}

SafeConsole::~SafeConsole() = default;

}  // namespace batholith
