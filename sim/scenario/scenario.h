#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"
#include "api/result.h"
#include "sim/cluster.h"
#include "sim/run/run_sessions.h"

namespace batholith {

// A Kubernetes object that is yet to be decoded, and where it stands in the scenario.
struct Manifest {
  boost::json::value value;
  std::string where;
  bool made = false;  // of a short form, or a copy
};

struct ScenarioEvent {
  int cycle = 1;
  std::vector<Manifest> add;
  std::vector<Manifest> update;
  std::vector<std::string> remove;
  std::optional<std::string> conf;
};

// One document of a scenario file: the shape is checked and the short forms are written out, but
// neither the conf nor the objects are decoded, so that a scenario can expect them to be refused.
struct Scenario {
  std::string file;
  std::string name;
  std::string conf;  // text in Volcano's format (JSON where the file has a mapping)
  int cycles = 1;
  bool until_idle = false;
  VictimFate victims = VictimFate::kGone;
  TimeNs now = kDefaultNow;
  std::int64_t period_ns = 1'000'000'000;
  std::vector<std::string> scheduler_names{"volcano"};
  std::string default_queue = "default";
  NodeScope node_scope;
  std::vector<Manifest> objects;
  std::vector<ScenarioEvent> events;
  boost::json::object expect;
  boost::json::object document;  // as it was written
};

// Every scenario of a file. Errors: the file cannot be read, or a document is no scenario; the
// message begins with the file's name.
Result<std::vector<Scenario>> LoadScenarios(const std::string& path);
Result<std::vector<Scenario>> ParseScenarios(std::string_view text, const std::string& file_name);

// The document with its short forms and replicas written out.
boost::json::object ExpandedDocument(const Scenario& scenario);

}  // namespace batholith
