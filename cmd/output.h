#pragma once

#include <boost/json/object.hpp>
#include <string>

#include "verify/run.h"

namespace batholith {

// What a run decided, and the figures of its end: the document without the number of sessions.
boost::json::object Decisions(const RunOutcome& outcome);
// The whole document of a run, with a stable order of keys (docs: cli).
std::string OutputJson(const RunOutcome& outcome);
std::string OutputYaml(const RunOutcome& outcome);
// "cpu=2 memory=4Gi", or "-"; slots of pods left out.
std::string ResourceText(const ResourceList& list);
// What a person wants to see.
std::string OutputTable(const RunOutcome& outcome);

}  // namespace batholith
