#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cmd/job_command.h"

namespace batholith {

// A pod group of the queue with its pods.
struct JobInQueue {
  SeenJob job;
  std::vector<const SeenPod*> waiting;
  std::size_t placed = 0;
  ResourceList holds, asks;              // asks: what it holds too
  std::optional<std::int64_t> priority;  // of its most important pod

  std::string key() const;
  // Most important first, then the oldest.
  std::tuple<std::int64_t, std::string, std::string> Turn() const;
  bool waits() const;
};

// The pod groups that name the queue, in the order given.
std::vector<JobInQueue> JobsOf(const std::string& queue, const Objects& groups,
                               const std::vector<SeenPod>& pods);

// Who holds what: a table of namespaces, and one of the jobs with the most pods.
std::string HoldersText(const std::vector<JobInQueue>& jobs);

}  // namespace batholith
