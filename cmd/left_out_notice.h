#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "cmd/metrics/metrics.h"
#include "conf/scheduler_conf.h"

namespace batholith {

// Tells loudly what a daemon's conf names and this build does not have: in the log and a metric
// here, for an event and /readyz as text. From any thread.
class LeftOutNotice {
 public:
  explicit LeftOutNotice(Metrics& metrics) : metrics_(metrics) {}

  // Of the conf that is in force from now on.
  void Now(std::vector<LeftOut> left_out);
  // A line for each.
  std::vector<std::string> Lines() const;
  // All in a sentence; empty: nothing is left out.
  std::string Sentence() const;

 private:
  Metrics& metrics_;
  mutable std::mutex mutex_;
  std::vector<LeftOut> left_out_;
};

}  // namespace batholith
