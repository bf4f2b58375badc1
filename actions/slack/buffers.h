#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actions/slack/sources.h"
#include "framework/session.h"

namespace batholith {

// The capacity buffers of a session: what they ask for, and what came of it. One owner, for one
// action. Source: the CapacityBuffer CRD of Cluster Autoscaler.
class SessionBuffers {
 public:
  explicit SessionBuffers(Session& session) : session_(session) {}

  // Appends a source buffer/namespace/name for each buffer that says what it wants. What is odd
  // becomes a notice of the session. REQUIRES: called once at most. Cost: O(tasks + buffers).
  void AddSources(std::vector<WantedSource>& out);
  // The statuses that the buffers should have and do not have; none before AddSources. `report`:
  // with the sources, placed.
  std::vector<BufferStatus> Statuses(const SlackReport& report) const;

 private:
  struct Plan {
    const CapacityBufferRecord* record = nullptr;
    std::string error;         // why it is not ready; empty: it is
    std::int64_t wanted = 0;   // within its limits
    std::int64_t allowed = 0;  // of them, by the quotas
    std::string quotas;        // that allow no more
    std::int64_t counted = 0;  // of them, placeholders
    std::string expendable;    // why no node is added or kept for them; empty: it is
  };

  BufferStatus StatusOf(const Plan& plan, const PlaceholderSource* source) const;

  Session& session_;
  std::vector<Plan> plans_;  // in the order of Snapshot::buffers
};

}  // namespace batholith
