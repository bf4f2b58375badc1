#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "client/http/http.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"
#include "client/watch/server_state.h"
#include "client/write/wanted_status.h"

namespace batholith {

// Sends patches of statuses, a few at a time and one for each path. While one is under way another
// for the same path is dropped: the next session compares again with what came of it. Those to be
// kept (Patch::keep) wait instead, joined into one for each path, and are tried again with backoff.
// On the client's thread.
class StatusWriter {
 public:
  struct Options {
    int parallel = 16;
    std::size_t waiting = 20'000;  // beyond, patches are dropped until the next session
    std::chrono::milliseconds refused_rest{30'000};  // a path that was refused is left alone
    std::chrono::milliseconds first_backoff{1000};   // of what is kept; doubles up to refused_rest
    std::function<bool()> may_send;
    std::function<void(const std::string&)> warn;
    std::function<void()> answered;  // a patch, in whatever way; may be empty
  };

  StatusWriter(HttpClient& client, ServerState& state, Options options);

  void Write(const std::string& kind, const std::string& key, Patch patch);
  bool IsIdle() const { return waiting_.empty() && running_ == 0; }

 private:
  using Item = StatusItem;

  // What is to be kept and has not been done.
  struct Kept {
    Item item;
    bool changed = false;  // since it was sent
    int tries = 0;
  };

  void Keep(Item item);
  void Queue(const std::string& path);
  void Pump();
  Task<> Send(Item item);
  void RecordDone(const Item& item, const HttpReply& reply);
  // The server asked for a pause; all of them rest.
  Task<> Rest(std::chrono::milliseconds pause);
  // How long the path is left alone after that answer.
  std::chrono::milliseconds RestAfter(const Item& item, const HttpResult& result);
  // The path is free again: for what is kept, or the next session.
  void Release(const std::string& path);

  HttpClient& client_;
  ServerState& state_;
  Options options_;
  std::deque<Item> waiting_;
  std::set<std::string> paths_;       // waiting, under way, or refused a short while ago
  std::map<std::string, Kept> kept_;  // by path
  int running_ = 0;
  bool resting_ = false;
  TaskOwner tasks_;
};

}  // namespace batholith
