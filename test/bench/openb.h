#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/result.h"

// The openb trace: nodes and pods of a production GPU cluster, as CSV files.
namespace batholith::bench {

struct OpenbNode {
  std::string name;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;
  std::string model;  // empty without GPUs
};

struct OpenbPod {
  std::string name;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int64_t gpus = 0;  // a share of one counts as a whole GPU: nothing here divides devices
  std::vector<std::string> models;  // permitted ones; empty: all
  std::int64_t creation_s = 0;      // since the trace's own start
};

struct OpenbTrace {
  std::vector<OpenbNode> nodes;
  std::vector<OpenbPod> pods;
};

// The label of a node's GPU model, which pods select by.
inline constexpr const char* kOpenbModelLabel = "openb/gpu-model";

// `pod_list` is default, multigpu50, gpuspec33 or gpushare100. Columns that a list leaves out are
// empty or 0. Errors: a file that is missing or no such table.
Result<OpenbTrace> ReadOpenb(const std::string& folder, const std::string& pod_list);

}  // namespace batholith::bench
