#pragma once

#include <map>
#include <set>
#include <string>

#include "api/autoscale_report.h"

namespace batholith {

// Says in the log what action autoscale decides, each sentence when it begins to hold.
class AutoscaleLog {
 public:
  void Tell(const AutoscaleReport& report);

 private:
  std::map<std::string, std::string> groups_;  // name → its sentence
  std::set<std::string> notes_;
};

}  // namespace batholith
