#include "plugins/nodegroup/limits.h"

#include "api/quantity.h"
#include "codec/json/field.h"
#include "codec/json/parse.h"

namespace batholith {

Result<GroupLimits> ParseGroupLimits(const std::string& json) {
  const auto value = ParseJsonValue(json);
  if (!value) return std::unexpected(value.error());
  try {
    const Field groups(&*value, "");
    if (!groups.is_object()) return Invalid("must be an object of node groups");
    GroupLimits limits;
    for (const auto& [group, amounts] : groups.Entries()) {
      if (!amounts.is_object()) amounts.Fail("must be an object of resources");
      for (const auto& [name, amount] : amounts.Entries()) {
        const Result<std::int64_t> base_units =
            ParseQuantity(amount.TextOrNumber(), ResourceScale(name));
        if (!base_units) amount.Fail(base_units.error().message);
        limits[group][name] = *base_units;
      }
      limits.try_emplace(group);
    }
    return limits;
  } catch (const FieldError& e) {
    return Invalid(e.what());
  }
}

}  // namespace batholith
