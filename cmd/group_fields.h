#pragma once

#include <boost/json/value.hpp>
#include <string>

// What a pod group says as it is written, whatever its API: Volcano's, scheduling.k8s.io,
// the coscheduling plugin's or Koordinator's.
namespace batholith {

// Whether the group is let into its queue in its status, so that a person may see it; what other
// APIs have is let in in memory.
bool IsVolcanosGroup(const boost::json::value& group);
// Its name, with the API behind it where that is not Volcano's; as pods and jobs name it.
std::string NameOfGroup(const boost::json::value& group);
// Of scheduling.k8s.io, which has no phases, Scheduled or Pending.
std::string PhaseOfGroup(const boost::json::value& group);
std::string QueueOfGroup(const boost::json::value& group);
// So many pods start at once.
std::string MinimumOfGroup(const boost::json::value& group);
// How many of its pods are running, succeeded or failed; "-" where its API does not count them.
std::string CountOfGroup(const boost::json::value& group, const char* what);

}  // namespace batholith
