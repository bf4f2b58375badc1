#pragma once

#include <optional>
#include <string>

#include "api/effect.h"
#include "client/watch/object_event.h"
#include "client/watch/server_state.h"

// What a session says of objects, as the events that `kubectl describe` shows. Pure.
namespace batholith {

// About that object; the rest is to be filled in.
ObjectEvent EventOf(const SeenObject& object);
ObjectEvent PodEvent(const std::string& key, const std::string& uid);

ObjectEvent WaitingPodEvent(const SeenObject& seen, const PodStatus& pod);
// Why the group waits, as its condition says it; nothing: it does not, or has ended. Normal while
// it is not admitted, as in Volcano.
std::optional<ObjectEvent> WaitingGroupEvent(const SeenObject& seen, const JobStatus& job);
// Of a gang of which a part stands and a part waits: its members were refused, or left.
std::optional<ObjectEvent> IncompleteGangEvent(const SeenObject& seen, const JobStatus& job);

}  // namespace batholith
