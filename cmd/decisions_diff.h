#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

namespace batholith {

struct Difference {
  std::string where;                           // bindings[ns/p].node
  std::optional<boost::json::value> recorded;  // none: not there
  std::optional<boost::json::value> now;
};

// Where two documents of decisions differ. Elements of a list are matched by what they are about
// (a pod, a job, a queue); one that only stands at another place is a difference too, told once a
// list. Cost: O(n log n).
std::vector<Difference> DiffOf(const boost::json::value& recorded, const boost::json::value& now);

}  // namespace batholith
