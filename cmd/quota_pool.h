#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/elastic_quota.h"

namespace batholith {

// What the quotas of one dialect share, by their statuses, in base units of one resource.
using QuotaRecords = std::vector<ElasticQuotaRecord>;

// Absent where the list, or the resource in it, is.
std::optional<std::int64_t> AmountOf(const std::optional<ResourceList>& list,
                                     const std::string& name);

// What is left of the sum of the mins of all quotas of a flat dialect; absent where none has a min
// of it, and with Koordinator.
std::optional<std::int64_t> PoolLeft(const QuotaRecords& quotas, QuotaDialect dialect,
                                     const std::string& name);

// The guaranteed over-quota of a quota of nos; absent where it has no min of the resource.
std::optional<std::int64_t> GuaranteedOver(const QuotaRecords& quotas, const ElasticQuotaRecord& of,
                                           const std::string& name);

}  // namespace batholith
