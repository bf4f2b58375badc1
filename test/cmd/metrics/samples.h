#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cmd/metrics/metrics.h"

namespace batholith {

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The samples that begin with `start`, as Prometheus reads them.
inline std::vector<std::string> Samples(const Metrics& metrics, const std::string& start) {
  std::vector<std::string> found = Lines(metrics.Text());
  std::erase_if(found, [&](const std::string& line) { return !line.starts_with(start); });
  return found;
}

inline void Observe(Metrics& metrics, const CycleResult& result) {
  metrics.ObserveSession({.report = &result});
}

}  // namespace batholith
