#include "codec/conditions.h"

#include <boost/json/object.hpp>

namespace batholith {

namespace json = boost::json;

std::vector<JobCondition> ReadConditions(const Field& status) {
  std::vector<JobCondition> out;
  for (const Field& c : status["conditions"].Items())
    out.push_back({c["type"].Text(), c["status"].Text(), c["reason"].Text(), c["message"].Text()});
  return out;
}

json::array ConditionList(std::span<const JobCondition> conditions) {
  json::array out;
  for (const JobCondition& c : conditions) {
    out.push_back(json::object{
        {"type", c.type}, {"status", c.status}, {"reason", c.reason}, {"message", c.message}});
  }
  return out;
}

}  // namespace batholith
