#pragma once

#include <cstdint>

namespace batholith {

// What a kind is read for, and whether scheduling waits for it.
enum class KindUse : std::uint8_t {
  kRequired,  // nothing can be decided without it
  kOptional,  // waited for where the cluster has it
  // Watched once something wants it, and never waited for: a cluster without it, or without the
  // rule for it, schedules all the same.
  kBuffers,     // capacity buffers
  kBuffered,    // what a buffer refers to
  kNodeGroups,  // what can be scaled
  kVolumes,     // what claims of pods come from; pods with claims wait for it
  kDevices,     // what claims of pods for devices come from; in files only, so far
  kShards,      // which nodes are ours, where flags ask for it
  kTopology,    // which nodes are close to each other
  kFiles,       // read from files and dumps, never watched
};

inline bool IsWaitedFor(KindUse use) {
  return use == KindUse::kRequired || use == KindUse::kOptional;
}

}  // namespace batholith
