#include "plugins/nodegroup/limits.h"

#include <boost/json.hpp>

#include "api/quantity.h"

namespace batholith {

std::optional<GroupLimits> ParseGroupLimits(const std::string& text) {
  boost::system::error_code error;
  const boost::json::value json = boost::json::parse(text, error);
  if (error || !json.is_object()) return std::nullopt;
  GroupLimits out;
  for (const auto& group : json.get_object()) {
    if (!group.value().is_object()) return std::nullopt;
    ResourceList& limits = out[std::string(group.key())];
    for (const auto& entry : group.value().get_object()) {
      const std::string name(entry.key());
      const std::string amount = entry.value().is_string() ? std::string(entry.value().get_string())
                                                           : boost::json::serialize(entry.value());
      const Result<std::int64_t> parsed = ParseQuantity(amount, ResourceScale(name));
      if (!parsed) return std::nullopt;
      limits[name] = *parsed;
    }
  }
  return out;
}

}  // namespace batholith
