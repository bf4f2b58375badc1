#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "api/result.h"
#include "client/access/access.h"
#include "client/access/exec_credentials.h"

namespace batholith {

// What a request carries to say who sends it.
struct Credential {
  std::string authorization;      // the header's value; empty: none
  std::string cert_pem, key_pem;  // of a plugin; empty: those of the access, if any
};

// What to put on a request now: from a fixed token or password, from a file that is read again, or
// from a plugin, in this order. Used on one thread.
class Credentials {
 public:
  using TimePoint = std::chrono::system_clock::time_point;

  // The access outlives this.
  explicit Credentials(const ClusterAccess& access);

  // Null where the plugin has to be run first: RunExecPlugin, then Store. Errors: the token's file
  // was never readable. Cost: the token's file is looked at, and read where it changed or was read
  // a minute ago.
  Result<std::shared_ptr<const Credential>> Current(TimePoint now);
  // It is used for a second at least, even where it has expired already.
  void Store(ExecCredential fetched, TimePoint now);

  // Whether they can be renewed at all.
  bool renewable() const { return !access_.token_file.empty() || uses_plugin(); }
  // The server refused `used` with 401. Whether another may come from Current now.
  bool Refused(const std::shared_ptr<const Credential>& used, TimePoint now);

 private:
  bool uses_plugin() const;
  void ReadTokenFile(TimePoint now);

  const ClusterAccess& access_;
  std::shared_ptr<const Credential> current_;  // null: none yet, or not any more
  std::string file_stamp_;                     // how the token's file looked when it was read
  TimePoint read_at_;
  TimePoint expires_ = TimePoint::max();
};

}  // namespace batholith
