#pragma once

#include <boost/json/value.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "client/http/http.h"
#include "client/http/task.h"

namespace batholith {

// What the object says about a write whose answer does not.
struct Finding {
  enum class Kind : std::uint8_t {
    kWritten,
    kNotWritten,  // and it may be sent again
    kNever,       // nor will it be, whoever sends it
  };
  Kind kind = Kind::kNotWritten;
  std::string why = {};
};

// A request that changes something, and how to tell whether it did.
struct WriteRequest {
  HttpRequest request;
  // The object to be read where the answer leaves it open, and what it says; nullptr: it is gone.
  // Empty: the write is sent again until the server says something to it, as doing it twice is
  // doing it once.
  std::string look_at = {};
  std::function<Finding(const boost::json::value* object)> judge = {};
  bool busy_is_no = false;  // 429 is an answer: a disruption budget says no for now
  std::function<void(double seconds)> took = {};  // from sending it to each answer; may be empty
};

struct WritePolicy {
  std::function<bool()> may_send;  // whether this replica leads; asked before each request
  int tries = 0;                   // writes, and looks that are refused; 0: no end
  std::chrono::milliseconds timeout{30'000};  // of a request
  // Between two requests, or Retry-After where that is longer; doubles with each of them.
  std::chrono::milliseconds first_backoff{1000};
  std::chrono::milliseconds max_backoff{1000};
};

struct WriteOutcome {
  bool done = false;
  std::string why = {};  // it was not done
  long status = 0;       // of the answer that refused it; 0: none did
};

// Sends a write until its outcome is known: an answer decides, what was not done for lack of time
// or of a connection is sent again after a while, and what may have been done is looked up and
// never guessed. Looks without an answer are repeated for as long as this replica leads. On the
// client's thread. Cost: at most `tries` writes and one more look than writes, but for looks
// without an answer.
Task<WriteOutcome> WriteOnce(HttpClient& client, WriteRequest write, WritePolicy policy);

}  // namespace batholith
