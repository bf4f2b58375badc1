#include "api/url_text.h"

#include <algorithm>

#include "api/value_text.h"

namespace batholith {
namespace {

constexpr std::string_view kScheme = "://";
constexpr std::string_view kHidden = "***";

// Where an address ends that stands in a sentence, from its host on: at a blank, a control or a
// quote. What a parser of addresses would say is no help: the one that is shown may be a bad one.
std::size_t EndOf(std::string_view text) {
  const auto ends = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '"' || c == '\'' ||
           c == '`' || c == '<' || c == '>';
  };
  return static_cast<std::size_t>(std::ranges::find_if(text, ends) - text.begin());
}

// The rest of an address after its scheme. A password that nobody escaped may hold a '/' or '?', so
// all before the last '@' is taken for one.
std::string Rest(std::string_view rest) {
  std::string out;
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    out = std::string(kHidden) + "@";
    rest.remove_prefix(at + 1);
  }
  const std::size_t query = std::min(rest.find_first_of("?#"), rest.size());
  out += rest.substr(0, query);
  if (query == rest.size()) return out;
  // What ends a clause belongs to the sentence.
  const std::size_t last = rest.find_last_not_of(".,:;)");
  out += rest[query];
  if (last > query) out += kHidden;
  return out += rest.substr(std::max(last, query) + 1);
}

}  // namespace

std::string UrlForPeople(std::string_view url) {
  const std::size_t scheme = url.find(kScheme);
  const std::size_t host = scheme == std::string_view::npos ? 0 : scheme + kScheme.size();
  return std::string(url.substr(0, host)) + Rest(url.substr(host));
}

std::string WithoutUrlSecrets(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t scheme = text.find(kScheme);
    if (scheme == std::string_view::npos) return out += text;
    const std::size_t host = scheme + kScheme.size();
    out += text.substr(0, host);
    text.remove_prefix(host);
    const std::size_t end = EndOf(text);
    out += Rest(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<std::string> PercentDecoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const std::optional<std::uint8_t> byte = ParseHexByte(text.substr(i + 1, 2));
    if (!byte) return std::nullopt;
    out += static_cast<char>(*byte);
    i += 2;
  }
  return out;
}

}  // namespace batholith
