#pragma once

#include <boost/json/value.hpp>
#include <functional>

#include "cmd/kube_commands.h"
#include "cmd/text_table.h"

namespace batholith {

// What a verb lists and how it stands in a table.
struct ListOf {
  const char* what;  // "queues"
  Kinds kinds;       // what is listed
  Kinds counted;     // what else the cells are made of; may be empty
  TextRows::value_type head;
  // The cells of each object, in their order.
  std::function<TextRows(const Objects& listed, const Objects& counted)> cells;
  // Whether an object is listed; empty: all are.
  std::function<bool(const boost::json::value& object)> keep;
};

// Whether the run prints rows, and not objects.
bool IsTable(const KubeRun& run);
// Prints all that there is, and with -w what changes, until --request-timeout or the signal.
Result<void> PrintList(KubeRun& run, const ListOf& list);
// Prints the objects of the names that were given; prints those that are there where some are not.
Result<void> PrintNamed(KubeRun& run, const ListOf& list);
// As kubectl's -o name: "queue.scheduling.volcano.sh/team\n".
std::string NameText(const boost::json::value& object);
// JSON as a person reads it, YAML, or the name. Without managedFields.
std::string ObjectText(boost::json::value object, const std::string& output);

}  // namespace batholith
