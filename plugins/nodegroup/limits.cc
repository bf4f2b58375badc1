#include "plugins/nodegroup/limits.h"

#include <boost/json.hpp>

#include "api/quantity.h"

namespace batholith {

Result<GroupLimits> ParseGroupLimits(const std::string& json) {
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(json, error);
  if (error) return Invalid("no JSON: " + error.message());
  if (!value.is_object()) return Invalid("must be an object of node groups");
  GroupLimits limits;
  for (const auto& [group, amounts] : value.get_object()) {
    if (!amounts.is_object()) return Invalid("a node group must have an object of resources");
    ResourceList& list = limits[std::string(group)];
    for (const auto& [resource, amount] : amounts.get_object()) {
      const std::string name(resource);
      const std::string text =
          amount.is_string() ? std::string(amount.get_string()) : boost::json::serialize(amount);
      const Result<std::int64_t> base_units = ParseQuantity(text, ResourceScale(name));
      if (!base_units) return std::unexpected(base_units.error());
      list[name] = *base_units;
    }
  }
  return limits;
}

}  // namespace batholith
