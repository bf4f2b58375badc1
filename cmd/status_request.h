#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace batholith {

struct StatusRequest {
  std::string method;                        // GET (a HEAD too) or PUT
  std::string path;                          // as it was sent, without the query
  std::map<std::string, std::string> query;  // decoded; of equal keys the first
  std::string body;                          // of a PUT
  std::string token;  // of "Authorization: Bearer"; empty: the client sent none
};

struct StatusReply {
  int status = 200;
  std::string text = {};  // empty: a line that says what the status means
  std::string content_type = "text/plain; charset=utf-8";
  // The rest, part by part, for what is too large to be in memory at once: asked for the next part
  // when the client has taken the one before, until one is empty. Called on the server's thread.
  std::function<std::string()> more = {};
};

// "/debug/explain?pod=ns%2Fname&all" → its path and query; method and body are the caller's.
// nullopt: no path, or a % without its two digits.
std::optional<StatusRequest> ParseTarget(std::string_view target);
// "Bearer abc" → "abc"; empty: it is no such header.
std::string BearerOf(std::string_view authorization);
// Whether a Host header is localhost or an address of loopback, with a port or without; or empty.
bool NamesThisMachine(std::string_view host);

}  // namespace batholith
