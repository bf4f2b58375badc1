#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "api/effect.h"
#include "client/watch/server_state.h"

// What a session wants the status of an object to be, as the patch that makes it so; nothing where
// the server has it already. Pure.
namespace batholith {

// Names the uid of its object.
struct Patch {
  std::string path;
  std::string content_type;
  boost::json::object body;
  // No later session says it again, unlike a status that is compared with what the server has: it
  // is sent until the server takes it or the object is gone.
  bool keep = false;
  // It changes nothing but figures of what was written before, and the words around them.
  bool may_wait = false;
};

// A patch and the object that it is for.
struct StatusItem {
  std::string kind, key;
  Patch patch;
};

// What the object says once the patch is done, as far as we write it.
void Apply(const Patch& patch, SeenObject& object);

// Whether they do, but for the stamps that conditions get anew in each session.
bool SayTheSame(const Patch& a, const Patch& b);

// Of a session: goes into conditions that change.
struct WriteStamp {
  std::string session;
  std::string now;  // RFC 3339
};

// `nominated` is empty where nothing is reserved for the pod.
std::optional<Patch> WantedPod(const SeenObject& seen, const PodStatus& status,
                               const std::string& nominated, const WriteStamp& stamp);
std::optional<Patch> WantedGroup(const SeenObject& seen, const JobStatus& status,
                                 const WriteStamp& stamp);
// What is allocated of it, and once that is there Open where it has no state yet.
std::optional<Patch> WantedQueue(const SeenObject& seen, const QueueStatus& status);
std::optional<Patch> WantedQueueState(const SeenObject& seen);
std::optional<Patch> WantedQuota(const SeenObject& seen, const QuotaStatus& status);
// Of a condition whose status stays the time stays.
std::optional<Patch> WantedBuffer(const SeenObject& seen, const BufferStatus& status,
                                  const WriteStamp& stamp);
// Koordinator keeps its figures in annotations.
std::optional<Patch> WantedQuotaAnnotations(const SeenObject& seen, const QuotaStatus& status);

}  // namespace batholith
