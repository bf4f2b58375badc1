#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "client/http/http.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"
#include "client/watch/server_state.h"
#include "client/watch/watch.h"

namespace batholith {

// Opens and closes queues as Commands ask, which Volcano's tools create: whoever deletes the
// command carries it out, so that beside Volcano's controllers it is done once. A closed queue is
// Closing while pod groups name it. Closing closes the queues below, opening opens those that were
// closed so. Commands for jobs are left alone. On the client's thread.
class QueueCommands {
 public:
  struct Options {
    WatchOptions watch = {};
    std::function<bool()> may_send;
    std::function<void(const std::string&)> warn = {};  // may be empty
    std::chrono::milliseconds retry{1000};  // of a write that the server does not answer
  };

  QueueCommands(HttpClient& client, ServerState& state, Options options);

  // Begins to look for commands; they wait for Pump.
  void Start();
  // All queues are known: carries out what waits, and from now on what comes. `jobs` says how many
  // pod groups name a queue; nothing: none is known of it.
  void Pump(const std::map<std::string, std::int32_t>& jobs);

 private:
  struct Wanted {
    std::string queue;
    bool open = false;
  };

  void OnPut(const boost::json::value& command);
  Task<> CarryOut(std::string path, std::string uid, Wanted wanted);
  void Open(const std::string& queue);
  void Close(const std::string& queue, bool by_parent);
  // `closed_by_parent`: whether it is marked as closed by its parent; nothing: the mark stays as it
  // is.
  void Write(const std::string& queue, const char* state, std::optional<bool> closed_by_parent);
  // Until the server says something to it; whether it did it.
  Task<bool> Send(HttpRequest request);
  Task<> SendAlone(HttpRequest request);
  void Warn(const std::string& message);

  HttpClient& client_;
  ServerState& state_;
  Options options_;
  std::unique_ptr<Watch> watch_;
  bool ready_ = false;
  std::map<std::string, std::pair<std::string, Wanted>> waiting_;  // path → uid and what for
  std::map<std::string, std::int32_t> jobs_;
  TaskOwner tasks_;
};

}  // namespace batholith
