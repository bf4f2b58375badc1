#include "cmd/console.h"

#include <algorithm>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <string>
#include <string_view>

#include "api/printable.h"
#include "api/url_text.h"

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

}  // namespace

// In front of the buffer that a stream had, which it gives back. From any thread, as std::cerr.
class SafeConsole::Buffer : public std::streambuf {
 public:
  Buffer(std::ostream& stream, bool hides_passwords)
      : stream_(stream), hides_passwords_(hides_passwords), to_(stream.rdbuf(this)) {}
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
    const std::string shown = ManyLines(hides_passwords_ ? WithoutUrlSecrets(text) : text);
    const auto n = static_cast<std::streamsize>(shown.size());
    return to_->sputn(shown.data(), n) == n;
  }

  std::ostream& stream_;
  const bool hides_passwords_;
  std::streambuf* const to_;
  std::mutex mutex_;
  std::string begun_;  // of a character
};

SafeConsole::SafeConsole()
    : out_(std::make_unique<Buffer>(std::cout, false)),
      err_(std::make_unique<Buffer>(std::cerr, true)) {}

SafeConsole::~SafeConsole() = default;

}  // namespace batholith
