#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "api/effect.h"
#include "api/result.h"
#include "api/volumes.h"
#include "client/http/http.h"
#include "client/http/task.h"

namespace batholith {

// Writes which volumes a pod gets before it is bound, as kube-scheduler does: a chosen volume names
// its claim, and a claim that gets a new one names the node; then it waits until the volume
// controller and the provisioners have bound all of them. What a former run wrote already is left
// as it is, so a start over goes on where the last one ended. On the client's thread. Cost: a read
// and a write for each claim, and a read or two for each look.
class VolumeBinder {
 public:
  struct Options {
    std::function<bool()> may_send;              // false: somebody else leads
    int tries = 5;                               // of one write
    std::chrono::milliseconds timeout{30'000};   // of a request
    std::chrono::milliseconds first_pause{200};  // between two looks or tries; doubles
    std::chrono::milliseconds longest_pause{2'000};
    std::chrono::milliseconds patience{600'000};  // until all are bound
  };
  // Why it cannot be; nothing: it is done.
  using Trouble = std::optional<std::string>;

  VolumeBinder(HttpClient& client, Options options);

  // Of those who begin to wait from now on.
  void SetPatience(std::chrono::milliseconds patience) { options_.patience = patience; }

  Task<Trouble> Write(Bind bind);
  // REQUIRES: Write has succeeded.
  Task<Trouble> AwaitBound(Bind bind);

 private:
  // What is to become of an object that was read.
  struct Change {
    enum class Kind { kStands, kWrite, kNever };
    Kind kind = Kind::kStands;
    std::string why = {};
  };
  using Changer = std::function<Change(boost::json::value& object)>;
  struct Look {
    enum class Kind { kBound, kWaits, kNever };
    Kind kind = Kind::kWaits;
    std::string why = {};
  };

  Task<Trouble> WriteOne(VolumeChoice choice, std::string node);
  // Reads, changes and writes at the version that was read.
  Task<Trouble> Update(std::string what, std::string path, Changer change);
  // Until there is an answer, or somebody else leads.
  Task<Result<boost::json::value>> Read(std::string what, std::string path);
  Task<Look> LookAt(VolumeChoice choice, std::string node);
  // A volume that was made may stand elsewhere than it was asked for.
  Task<Look> LookAtMade(std::string volume, std::string node);

  static Change ReserveFor(const PersistentVolumeClaimRecord& claim, const VolumeChoice& choice,
                           boost::json::value& volume);
  static Change AskFor(const std::string& node, const VolumeChoice& choice,
                       boost::json::value& claim);
  static Look JudgeClaim(const VolumeChoice& choice, const std::string& node,
                         const PersistentVolumeClaimRecord& claim);

  HttpClient& client_;
  Options options_;
};

}  // namespace batholith
