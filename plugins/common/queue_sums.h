#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/excess.h"
#include "api/resource_schema.h"
#include "api/resource_vector.h"
#include "framework/extension_points.h"
#include "framework/plugin.h"
#include "framework/shortfall.h"

namespace batholith {

// What the jobs of a queue, or of all queues below one, hold, ask for and were promised. Source:
// Volcano's plugins proportion and capacity.
struct QueueSums {
  ResourceVector allocated;  // pipelined tasks count too
  ResourceVector request;    // allocated, and what pending tasks (or groups without any) ask for
  ResourceVector elastic;    // what each job holds beyond its minResources
  ResourceVector inqueue;    // promised to admitted jobs, as far as they do not hold it yet

  QueueSums& operator+=(const QueueSums& more);
};

// What one job adds to the sums of its queue.
QueueSums SumsOf(const PluginContext& context, JobIndex job);

// Nothing beyond these amounts, of whatever resource.
ResourceLimits LimitedTo(const ResourceVector& amounts);

// What one of several queues may use of `whole`: all that nobody has guaranteed, and its own
// guarantee, up to its capability. `guarantees` is the sum over these queues.
ResourceLimits RealCapability(const ResourceLimits& whole, const ResourceVector& guarantees,
                              const ResourceVector& own_guarantee,
                              const ResourceLimits& capability);

// The first resource that `asked` asks for and `held` + `asked` goes beyond. Exact; pod slots are
// not compared. `Limits` is a ResourceVector or ResourceLimits.
template <typename Limits>
std::optional<std::size_t> FirstBeyond(const ResourceVector& held, const ResourceVector& asked,
                                       const Limits& limits) {
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    if (r == ResourceSchema::kPods || asked[r] <= 0) continue;
    if (ResourceVector::AddSaturating(held[r], asked[r]) > limits[r]) return r;
  }
  return std::nullopt;
}

// Appends what FirstBeyond would find, resource by resource, as sums at `place` of the source.
template <typename Limits>
void AddBeyond(const ShortfallSource& source, std::size_t place, const ResourceVector& held,
               const ResourceVector& asked, const Limits& limits, std::vector<Shortfall>& out) {
  for (std::size_t r = 0; r < ResourceVector::kMaxDimensions; ++r) {
    if (r == ResourceSchema::kPods || asked[r] <= 0 || limits[r] == INT64_MAX) continue;
    const std::int64_t beyond = ExcessOver(held[r], asked[r], limits[r]);
    if (beyond <= 0) continue;
    out.push_back(
        {&source, static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(r), beyond});
  }
}

// Whether a queue that holds these sums stays within `amounts` of all that `min` asks for, once the
// job is admitted and holds it.
bool StaysWithin(const QueueSums& sums, const ResourceVector& min, const ResourceVector& amounts);

// Whether a job that asks for `min` stays within `limits` once admitted; if not, what is short.
EnqueueVote VoteOnAdmission(const QueueSums& sums, const ResourceVector& min,
                            const ResourceLimits& limits);

// Whether a queue that holds `held` of a resource keeps, after it has lost `victim`, at least the
// whole tasks of this size that `deserved` holds. So it cannot ask back what it has lost.
// REQUIRES: victim > 0.
bool KeepsWholeTasks(std::int64_t held, std::int64_t victim, std::int64_t deserved);

// A queue's share in 2^-32, rounded: so that equal fractions are equal and an order by them is
// transitive.
std::int64_t FixedShare(double share);
double ShareOf(std::int64_t fixed_share);

}  // namespace batholith
