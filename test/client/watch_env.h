#pragma once

#include <memory>
#include <string>

#include "client/watch/watch.h"
#include "test/client/client_env.h"
#include "test/client/scripted_server.h"

namespace batholith {

// Objects, lists and events as a server writes them. An object's uid is "u" and its name, unless
// another is given.
std::string ObjectText(const std::string& name, int version, const std::string& uid = "");
std::string ListText(int version, const std::vector<std::string>& items,
                     const std::string& continue_token = "");
std::string EventText(const std::string& type, const std::string& object);
std::string BookmarkText(int version, bool ends_initial_events = false);
std::string ErrorText(int code, const std::string& reason = "");

inline const std::string kThings = "/apis/x/v1/things";

inline bool IsWatch(const ScriptedRequest& request) { return request.Query("watch") == "1"; }
inline bool IsInitial(const ScriptedRequest& request) {
  return request.Query("sendInitialEvents") == "true";
}
// A watch that sends these events and stays open.
Actions OpenWatch(const std::vector<std::string>& events);

// Backoffs of milliseconds, a fixed seed, list + watch.
WatchOptions QuickOptions();

// A watch of Things on a server, with all that it tells as lines: "put ns/a 5", "gone ns/a ua",
// "state synced"; whys() has the reasons of its states. It ends with the client, as programs end.
class WatchRun {
 public:
  WatchRun(const std::string& url, const WatchOptions& options, const HttpOptions& http = {});
  ~WatchRun();
  WatchRun(const WatchRun&) = delete;
  WatchRun& operator=(const WatchRun&) = delete;

  const Record& told() const { return told_; }
  const Record& whys() const { return whys_; }
  HttpClient& client() { return *client_; }
  // On the client's thread, as the watch's owner has to.
  void Drop();

 private:
  Record told_;
  Record whys_;
  std::unique_ptr<HttpClient> client_;
  std::unique_ptr<Watch> watch_;
};

}  // namespace batholith
