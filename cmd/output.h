#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/run_outcome.h"

namespace batholith {

// A field of the document of decisions: a list, made element by element since there may be as many
// as pods; without a count one value.
struct DecisionField {
  const char* name;
  std::optional<std::size_t> count;
  std::function<boost::json::value(std::size_t)> value;
};

// What a run decided, and the figures of its end: the document without the number of sessions. The
// fields look into `outcome`, which outlives them.
std::vector<DecisionField> DecisionFields(const RunOutcome& outcome);
boost::json::object Decisions(const RunOutcome& outcome);
// The whole document of a run, with a stable order of keys: `batholith simulate --help` names them.
// `ours`: scheduler names whose pods were scheduled.
boost::json::object OutputDocument(const RunOutcome& outcome, const std::vector<std::string>& ours);
// "cpu=2 memory=4Gi", or "-"; slots of pods left out.
std::string ResourceText(const ResourceList& list);

struct TableOptions {
  bool all = false;   // each queue, job, node and eviction a line, however many there are
  bool wide = false;  // more columns
  std::vector<std::string> ours = {"volcano"};  // scheduler names whose pods were scheduled
};
// What a person wants to see.
std::string OutputTable(const RunOutcome& outcome, const TableOptions& options = {});

}  // namespace batholith
