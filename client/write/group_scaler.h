#pragma once

#include <boost/json/object.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "api/autoscale_report.h"
#include "client/http/http.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"
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

  void Add(NodeGroupOrder order);
  bool IsIdle() const { return busy_.empty(); }

 private:
  struct Job;
  struct Written {
    std::int32_t from = 0, to = 0;
    int reverts = 0;
  };

  Task<> Run(Job job);
  // One try, from the start. Nothing: the order has ended; else the answer that was in its way.
  Task<std::optional<HttpResult>> Try(Job& job);
  HttpRequest PatchRequest(const std::string& path, const boost::json::object& body) const;
  HttpRequest MarkRequest(const std::string& machine, bool on) const;
  // Whether the size that was read is to be changed; ends the order where it is not.
  bool IsToChange(const Job& job, std::int32_t size);
  void RecordRead(const Job& job, std::int32_t size);
  void Undo(const Job& job);
  void Fail(const Job& job, const char* cause, const std::string& why);
  void Finish(const Job& job, bool wrote);

  HttpClient& client_;
  ServerState& state_;
  Options options_;
  std::set<std::string> busy_;              // targets
  std::map<std::string, Written> written_;  // by target: the last size that was written
  TaskOwner tasks_;
};

}  // namespace batholith
