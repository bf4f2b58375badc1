#pragma once

#include <atomic>
#include <boost/json/object.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "client/http/http.h"
#include "client/http/task.h"
#include "client/http/task_owner.h"

namespace batholith {

struct LeaderOptions {
  std::string namespace_, name;  // of the Lease
  std::string identity;          // of this replica, unlike any other's
  std::chrono::milliseconds lease_duration{15'000};
  std::chrono::milliseconds renew_deadline{10'000};
  std::chrono::milliseconds retry_period{2'000};
  std::function<void(const std::string&)> warn =
      {};  // why the lease cannot be had, once for each why
};

// Which of several replicas decides: a coordination.k8s.io/v1 Lease. Time is this machine's steady
// clock only: a lease is taken over when its record has not changed for its whole duration as seen
// from here. The one that leads stops on its own, before anybody may take over, when it could not
// renew in time; also when it was frozen and wakes up.
class Leader {
 public:
  using Clock = std::chrono::steady_clock;

  // `changed` is called on the client's thread when this replica begins to lead, and when it ends.
  Leader(HttpClient& client, LeaderOptions options, std::function<void(bool leads)> changed);

  void Start();
  // Any thread; asked before each write.
  bool Leads() const;
  // Who leads, as far as this replica knows; on the client's thread.
  const std::string& holder() const { return holder_; }
  // Hands the lease back so that others need not wait for its end; leads no more from the call on
  // the client's thread on. `done` is called in any case.
  void Release(std::function<void()> done);

 private:
  Task<> Follow();
  // Looks at the lease and writes it where it is this replica's or nobody's. Whether that is to be
  // done again at once.
  Task<bool> Try();
  Task<bool> Write(bool create);
  Task<> HandBack();
  // Whether the lease that was read may be taken.
  bool IsToTake(const HttpResult& result);
  bool IsToTake(const boost::json::object& lease);
  boost::json::object Taken(bool create) const;
  HttpRequest Request(const boost::json::object& lease, bool create) const;
  // Whether the write was done; keeps what it made.
  bool Keep(const HttpResult& result);
  void Renewed(Clock::time_point began);
  void Trouble(std::string text);
  void Notice();
  std::string path() const;

  HttpClient& client_;
  LeaderOptions options_;
  std::function<void(bool)> changed_;
  std::atomic<Clock::rep> until_ = 0;  // leads until then
  bool told_ = false;                  // what `changed` heard last
  bool ended_ = false;
  bool writing_ = false;
  bool stale_ = false;              // lease_ is not what the server has
  HttpClient::Token expiry_ = 0;    // the timer of until_
  std::function<void()> released_;  // waits for the write under way
  boost::json::object lease_;       // as the server had it
  std::string seen_;                // its spec as text
  Clock::time_point seen_at_;       // since when it says that
  std::string holder_, trouble_;
  TaskOwner tasks_;
};

}  // namespace batholith
