#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/url.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsUrlDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
bool IsUnreserved(char c) { return IsLetter(c) || IsUrlDigit(c) || IsOneOf(c, "-_.~"); }

int HexValue(char c) {
  if (IsUrlDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Nothing: a percent sign that two hexadecimal digits do not follow.
std::optional<std::string> Unescaped(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t c = 0; c < text.size(); ++c) {
    if (text[c] == '%') {
      if (c + 2 >= text.size() || HexValue(text[c + 1]) < 0 || HexValue(text[c + 2]) < 0)
        return std::nullopt;
      out += static_cast<char>(HexValue(text[c + 1]) * 16 + HexValue(text[c + 2]));
      c += 2;
    } else {
      out += plus_is_space && text[c] == '+' ? ' ' : text[c];
    }
  }
  return out;
}

// As it is written if all of its characters may stand in a path.
std::string EscapedPath(std::string_view written, const std::string& unescaped) {
  const bool valid = std::all_of(written.begin(), written.end(), [](char c) {
    return IsUnreserved(c) || IsOneOf(c, "!$&'()*+,;=:@[]%/");
  });
  if (valid || written == "*") return std::string(written);
  std::string out;
  for (const char c : unescaped) {
    if (IsUnreserved(c) || IsOneOf(c, "$&+,/:;=@")) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

bool IsPort(std::string_view text) {
  if (text.empty()) return true;
  return text[0] == ':' && std::all_of(text.begin() + 1, text.end(), IsUrlDigit);
}

// Nothing: no host. A percent sign stands for bytes beyond ASCII only.
std::optional<std::string> ReadHost(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.rfind(']');
    if (end == std::string_view::npos || !IsPort(text.substr(end + 1))) return std::nullopt;
  } else if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    if (!IsPort(text.substr(colon))) return std::nullopt;
  }
  for (std::size_t c = 0; c < text.size(); ++c) {
    const char letter = text[c];
    if (letter == '%') {
      const bool beyond_ascii = c + 1 < text.size() && HexValue(text[c + 1]) >= 8;
      if (!beyond_ascii && text.substr(c, 3) != "%25") return std::nullopt;
    } else if (static_cast<unsigned char>(letter) < 0x80 && !IsUnreserved(letter) &&
               !IsOneOf(letter, "!$&'()*+,;=:[]<>\"")) {
      return std::nullopt;
    }
  }
  return Unescaped(text, false);
}

bool IsUserInfo(std::string_view text) {
  return Unescaped(text, false) && std::all_of(text.begin(), text.end(), [](char c) {
           return IsUnreserved(c) || IsOneOf(c, ":!$&'()*+,;=%@");
         });
}

// The scheme before a colon, taken off; empty: there is none. Nothing: a colon without one.
std::optional<std::string> TakeScheme(std::string_view& rest) {
  for (std::size_t c = 0; c < rest.size(); ++c) {
    if (IsLetter(rest[c])) continue;
    if (rest[c] == ':') {
      if (c == 0) return std::nullopt;
      std::string scheme(rest.substr(0, c));
      for (char& letter : scheme) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
      }
      rest.remove_prefix(c + 1);
      return scheme;
    }
    if (c == 0 || !(IsUrlDigit(rest[c]) || IsOneOf(rest[c], "+-."))) break;
  }
  return "";
}

bool HasControls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

Value ToUrl(Arguments a, Work&) {
  if (!ReadUrl(a[0].text())) return Value::Fail(Failure::kConversion, "not a URL: " + Shown(a[0]));
  return Value::Url(std::string(a[0].text()));
}
Value IsUrl(Arguments a, Work&) { return Value::Bool(ReadUrl(a[0].text()).has_value()); }

// A fragment is no part of the request.
UrlParts PartsOf(const Value& url) { return *ReadUrl(url.text().substr(0, url.text().find('#'))); }

Value UrlScheme(Arguments a, Work&) { return Value::String(PartsOf(a[0]).scheme); }
Value UrlHost(Arguments a, Work&) { return Value::String(PartsOf(a[0]).host); }
Value Hostname(Arguments a, Work&) { return Value::String(HostName(PartsOf(a[0]).host)); }
Value PortOf(Arguments a, Work&) { return Value::String(Port(PartsOf(a[0]).host)); }
Value UrlPath(Arguments a, Work&) { return Value::String(PartsOf(a[0]).path); }
Value UrlQuery(Arguments a, Work&) {
  std::vector<std::pair<Value, Value>> out;
  for (const auto& [key, values] : QueryOf(PartsOf(a[0]).query)) {
    std::vector<Value> texts;
    for (const std::string& value : values) texts.push_back(Value::String(value));
    out.emplace_back(Value::String(key), Value::ListOf(std::move(texts)));
  }
  return MapOf(std::move(out));
}

constexpr CallCost kUrlOne{nullptr, true};

constexpr std::array kUrls{
    Overload{"url", "string", "kubernetes.URL", ToUrl, {costs::Text, true}},
    Overload{"isURL", "string", "bool", IsUrl},
    Overload{"getScheme", "kubernetes.URL", "string", UrlScheme, kUrlOne, true},
    Overload{"getHost", "kubernetes.URL", "string", UrlHost, kUrlOne, true},
    Overload{"getHostname", "kubernetes.URL", "string", Hostname, kUrlOne, true},
    Overload{"getPort", "kubernetes.URL", "string", PortOf, kUrlOne, true},
    Overload{"getEscapedPath", "kubernetes.URL", "string", UrlPath, kUrlOne, true},
    Overload{"getQuery", "kubernetes.URL", "map(string, list(string))", UrlQuery, kUrlOne, true},
};

}  // namespace

std::optional<UrlParts> ReadUrl(std::string_view text) {
  if (text.empty() || HasControls(text)) return std::nullopt;
  UrlParts out;
  std::string_view rest = text;
  if (text == "*") return UrlParts{"", "", "*", ""};
  auto scheme = TakeScheme(rest);
  if (!scheme) return std::nullopt;
  out.scheme = std::move(*scheme);
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    out.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with('/')) {
    // "mailto:a@b": nothing but a scheme and something that is not looked into.
    if (out.scheme.empty()) return std::nullopt;
    return out;
  }
  if (!out.scheme.empty() && rest.starts_with("//")) {
    const std::size_t slash = std::min(rest.find('/', 2), rest.size());
    std::string_view authority = rest.substr(2, slash - 2);
    rest = rest.substr(slash);
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
      if (!IsUserInfo(authority.substr(0, at))) return std::nullopt;
      authority = authority.substr(at + 1);
    }
    auto host = ReadHost(authority);
    if (!host) return std::nullopt;
    out.host = std::move(*host);
  }
  const auto path = Unescaped(rest, false);
  if (!path) return std::nullopt;
  out.path = EscapedPath(rest, *path);
  return out;
}

std::string HostName(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    return std::string(host.substr(1, end == std::string_view::npos ? end : end - 1));
  }
  return std::string(host.substr(0, host.rfind(':')));
}

std::string Port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.substr(colon).find(']') != std::string_view::npos)
    return "";
  return std::string(host.substr(colon + 1));
}

std::map<std::string, std::vector<std::string>> QueryOf(std::string_view query) {
  std::map<std::string, std::vector<std::string>> out;
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view pair = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const std::size_t equals = pair.find('=');
    auto key = Unescaped(pair.substr(0, equals), true);
    auto value = Unescaped(
        equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1), true);
    if (key && value) out[std::move(*key)].push_back(std::move(*value));
  }
  return out;
}

std::span<const Overload> UrlFunctions() { return kUrls; }

}  // namespace batholith::cel
