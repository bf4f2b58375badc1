#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "client/http/http.h"
#include "client/watch/event_inbox.h"
#include "client/watch/object_event.h"
#include "client/watch/server_state.h"
#include "client/watch/watch.h"
#include "codec/kube_kinds.h"
#include "codec/object_reader.h"

namespace batholith {

// How far the objects of one kind are known.
struct KindHealth {
  std::string kind;
  KindUse use = KindUse::kRequired;
  WatchState state = WatchState::kSyncing;
  std::string why;
  std::chrono::steady_clock::time_point alive;  // when the server was last heard
  bool watched = true;                          // else nobody wants it yet
  std::size_t flawed = 0;                       // objects of it that are not read in full,
  std::string flaw;                             // and what is wrong with the first of them

  // Nothing of it is missing: it is told whole, or need not be there.
  bool is_good() const {
    return state == WatchState::kSynced ||
           (state == WatchState::kMissing && use != KindUse::kRequired);
  }
};

struct KubeSourceOptions {
  std::vector<std::string> scheduler_names{"volcano"};
  std::string default_queue = "default";
  WatchOptions watch;
  // Told once for each message, on the client's thread.
  std::function<void(const std::string&)> warn;
  // Told what is no trouble: which kinds are not served; a kind is read anew since its watch was
  // too far behind.
  std::function<void(const std::string&)> note;
  // Told of each object that is not read in full; may be empty.
  std::function<void(ObjectEvent)> tell;
};

// All kinds of a live cluster as events in an inbox: decoded, pods of others only where they take
// up room. Statuses that we write go to `state`.
class KubeSource {
 public:
  KubeSource(HttpClient& client, EventInbox& inbox, ServerState& state, KubeSourceOptions options);
  ~KubeSource();

  void Start();
  // From now on kinds of this use are watched, which are not from the start. From any thread, and
  // as often as one likes.
  void Want(KindUse use);
  // Of what is watched. From any thread.
  std::vector<KindHealth> Health() const;
  // Every kind that is waited for is told whole, or known not to be served.
  bool IsSynced() const;
  // Whether objects of the kind can be made; by KubeKind::name. From any thread.
  bool IsServed(const std::string& kind) const;

  // An object that a request brought: told as if the watch had brought it, where it is newer than
  // what the watch brought. On the client's thread.
  void Heard(const boost::json::value& object);

 private:
  struct Kind;

  void Begin(Kind& kind);
  void End(Kind& kind);
  void BeginVolumes();
  void WantBuffered(const CapacityBufferRecord& buffer);
  void OnPut(Kind& kind, const boost::json::value& object);
  void OnGone(Kind& kind, const std::string& key, const std::string& uid);
  void OnState(Kind& kind, WatchState state, const std::string& why);
  bool TakesRoom(const PodRecord& pod) const;
  void RecordFlaw(Kind& kind, const ObjectReader::Read& read, const boost::json::value& object);
  void DropFlaw(Kind& kind, const std::string& key);
  void CountFlawed(const Kind& kind);
  void TellTrouble(const Kind& kind, WatchState state, const std::string& why);
  void TellMissing();
  void Warn(const std::string& message);

  HttpClient& client_;
  EventInbox& inbox_;
  ServerState& state_;
  KubeSourceOptions options_;
  ObjectReader reader_;
  std::vector<std::unique_ptr<Kind>> kinds_;
  std::set<std::string> warned_;
  std::vector<const KubeKind*> missing_;  // what is not served, until it is told together
  bool told_missing_ = false;
  mutable std::mutex health_mutex_;
  std::vector<KindHealth> health_;    // as kinds_
  std::atomic<unsigned> wanted_ = 0;  // a bit for each use
};

}  // namespace batholith
