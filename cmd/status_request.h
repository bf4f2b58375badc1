#pragma once

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
};

struct StatusReply {
  int status = 200;
  std::string text = {};  // empty: a line that says what the status means
  std::string content_type = "text/plain; charset=utf-8";
};

// "/debug/explain?pod=ns%2Fname&all" → its path and query; method and body are the caller's.
// nullopt: no path, or a % without its two digits.
std::optional<StatusRequest> ParseTarget(std::string_view target);

}  // namespace batholith
