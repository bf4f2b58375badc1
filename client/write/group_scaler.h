#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "api/autoscale_report.h"
#include "client/http/http.h"
#include "client/watch/server_state.h"

namespace batholith {

// Carries out orders of action autoscale on MachineDeployments of Cluster API. A size is read again
// right before it is written to the scale subresource, at that version, and only where it is still
// the one that was decided on; of one group one change is under way at a time. Machines of nodes
// that go are marked first, and the mark is taken off where the size could not be written; what
// follows (cordon, drain, deletion) is Cluster API's. An outcome that is not known is looked up. On
// the client's thread. Cost: at most 2 · tries requests and one for each machine and mark.
class GroupScaler {
 public:
  struct Options {
    std::function<bool()> may_send;
    // `cause` in one word: forbidden, conflict, timeout, refused or gone.
    std::function<void(ScaleFailure failure, const char* cause, const std::string& why)> failed;
    std::function<void(const NodeGroupOrder& order)> scaled;  // its size was written
    std::function<void()> answered = {};                      // an order ended; may be empty
    // The group's size was set back again and again; told once.
    std::function<void(const NodeGroupOrder& order)> fought_over = {};
    int tries = 3;
    std::chrono::milliseconds timeout{30'000};
    std::chrono::milliseconds retry{1000};
  };

  GroupScaler(HttpClient& client, ServerState& state, Options options);
  ~GroupScaler();

  void Add(NodeGroupOrder order);
  bool IsIdle() const { return busy_.empty(); }

 private:
  struct Job;
  using Ptr = std::shared_ptr<Job>;
  struct Written {
    std::int32_t from = 0, to = 0;
    int reverts = 0;
  };

  void Read(const Ptr& job);
  void OnRead(const Ptr& job, const HttpResult& result);
  void Mark(const Ptr& job);
  void OnMarked(const Ptr& job, const HttpResult& result);
  void Write(const Ptr& job);
  void OnWritten(const Ptr& job, const HttpResult& result);
  void Undo(const Ptr& job);
  void Send(const Ptr& job, HttpRequest request,
            void (GroupScaler::*then)(const Ptr&, const HttpResult&));
  void Again(const Ptr& job, const HttpResult& result);
  HttpRequest PatchRequest(const std::string& path, const boost::json::object& body) const;
  HttpRequest MarkRequest(const std::string& machine, bool on) const;
  void NoteRead(const Ptr& job, std::int32_t size);
  void Fail(const Ptr& job, const char* cause, const std::string& why);
  void Finish(const Ptr& job);

  HttpClient& client_;
  ServerState& state_;
  Options options_;
  std::set<std::string> busy_;              // targets
  std::map<std::string, Written> written_;  // by target: the last size that was written
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace batholith
