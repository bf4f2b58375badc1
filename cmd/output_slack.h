#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "api/effect.h"
#include "cmd/text_table.h"

// Placeholders and node groups of a session, as documents and as tables.
namespace batholith {

boost::json::object PlaceholdersJson(const SlackReport& slack);
boost::json::array NodeGroupsJson(const CycleResult& last);

// With a head; only the head where there is nothing to tell.
TextRows PlaceholderRows(const SlackReport& slack);
TextRows NodeGroupRows(const CycleResult& last);

}  // namespace batholith
