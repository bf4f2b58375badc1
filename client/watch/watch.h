#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "client/http/http.h"

namespace batholith {

struct WatchTarget {
  std::string kind;      // for messages, with the group: "Pod", "Queue.scheduling.volcano.sh"
  std::string path;      // of the list: /api/v1/pods
  std::string selector;  // labelSelector=… and fieldSelector=…, escaped; may be empty
  std::string resource;  // the rule's words: "pods" in group "", for a 403: group/resource
  bool built_in = true;  // protobuf is worth asking for
};

enum class WatchState {
  kSyncing,    // the first list, or one after 410, is on its way
  kSynced,     // all objects up to a version were told
  kMissing,    // 404: the kind is not served; looked for again from time to time
  kForbidden,  // 403: a rule is missing; tried again with backoff
  kFailing,    // cannot be reached or answers nonsense; tried again with backoff
};

// "syncing", "synced", …
const char* WatchStateName(WatchState state);

// What a watch tells, on the client's thread.
struct WatchListener {
  // Added, changed, or listed anew; with apiVersion, kind and metadata. The same version is told
  // once.
  std::function<void(boost::json::value&& object)> on_put;
  // namespace/name, or name where the kind has no namespaces.
  std::function<void(const std::string& key, const std::string& uid)> on_gone;
  std::function<void(WatchState state, const std::string& why)> on_state;  // when it changes
  std::function<void()> on_alive;  // a byte or a bookmark came
};

struct WatchOptions {
  bool stream_list = true;  // sendInitialEvents; list + watch where it is refused
  int page_size = 5000;     // of a list; 0: whole
  bool protobuf = true;
  std::chrono::milliseconds first_backoff{500};
  std::chrono::milliseconds max_backoff{30'000};
  std::chrono::seconds look_again{60};  // kMissing
  std::chrono::seconds min_watch{300};  // timeoutSeconds is drawn between this and twice as long
  std::uint64_t seed = 0;               // of the jitter; 0: from the system
};

// Keeps one kind of objects told: list, watch, bookmarks, resume, relist after 410 with the deletes
// that were missed, backoff with jitter, Retry-After. All of it on the client's thread.
class Watch {
 public:
  Watch(HttpClient& client, WatchTarget target, WatchOptions options, WatchListener listener);
  ~Watch();  // REQUIRES: on the client's thread, or nothing runs there any more
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // May be called from any thread; once.
  void Start();
  // An object that the answer to a request brought: told where it is newer than what was told. On
  // the client's thread.
  void Heard(const boost::json::value& object);

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace batholith
