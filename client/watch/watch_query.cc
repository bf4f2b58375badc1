#include "client/watch/watch_query.h"

#include <string_view>
#include <utility>

#include "client/http/escape.h"

namespace batholith {
namespace {

class Query {
 public:
  explicit Query(const WatchTarget& target) : text_(target.path) {
    if (!target.selector.empty()) Add(target.selector);
  }
  Query& Set(std::string_view key, std::string_view value) {
    return Add(std::string(key) + "=" + Escape(value));
  }
  std::string Take() { return std::move(text_); }

 private:
  Query& Add(const std::string& pair) {
    text_ += (text_.contains('?') ? "&" : "?") + pair;
    return *this;
  }

  std::string text_;
};

Query WatchBase(const WatchTarget& target, std::chrono::seconds timeout) {
  Query query(target);
  query.Set("watch", "1").Set("allowWatchBookmarks", "true");
  if (timeout.count() > 0) query.Set("timeoutSeconds", std::to_string(timeout.count()));
  return query;
}

}  // namespace

std::string ListQuery(const WatchTarget& target, int page_size, const std::string& continue_token,
                      bool newest) {
  Query query(target);
  if (page_size > 0) query.Set("limit", std::to_string(page_size));
  if (!continue_token.empty()) {
    query.Set("continue", continue_token);
  } else if (!newest) {
    query.Set("resourceVersion", "0");
  }
  return query.Take();
}

std::string WatchQuery(const WatchTarget& target, const std::string& version,
                       std::chrono::seconds timeout) {
  return WatchBase(target, timeout).Set("resourceVersion", version).Take();
}

std::string InitialWatchQuery(const WatchTarget& target, std::chrono::seconds timeout) {
  return WatchBase(target, timeout)
      .Set("sendInitialEvents", "true")
      .Set("resourceVersionMatch", "NotOlderThan")
      .Take();
}

}  // namespace batholith
