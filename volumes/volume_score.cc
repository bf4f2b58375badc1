#include "volumes/volume_score.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "api/wide.h"

namespace batholith {
namespace {

constexpr std::int64_t kFull = 100;

struct ClassUse {
  Wide requested = 0;
  Wide capacity = 0;
};

std::string_view ClassOf(const PersistentVolumeClaimRecord& claim) {
  return claim.storage_class ? std::string_view(*claim.storage_class) : std::string_view();
}

std::int64_t UtilizationOf(const ClassUse& use) {
  if (use.capacity <= 0 || use.requested > use.capacity) return kFull;
  return static_cast<std::int64_t>(use.requested * kFull / use.capacity);
}

class Uses {
 public:
  Uses(const VolumeFacts& facts, const VolumeLedger& ledger, std::span<const VolumeDecision> chosen)
      : facts_(facts),
        ledger_(ledger),
        chosen_(chosen),
        found_(std::ranges::any_of(
            chosen, [](const VolumeDecision& decision) { return decision.volume != kNoId; })) {}

  // It is the first of its class that counts.
  bool IsFirst(std::size_t at) const {
    if (!Counts(chosen_[at])) return false;
    return std::ranges::none_of(chosen_.first(at), [&](const VolumeDecision& other) {
      return Counts(other) && NameOf(other) == NameOf(chosen_[at]);
    });
  }

  ClassUse OfClass(std::size_t at) const {
    ClassUse use;
    for (const VolumeDecision& decision : chosen_.subspan(at)) {
      if (!Counts(decision) || NameOf(decision) != NameOf(chosen_[at])) continue;
      use.requested += facts_.claim(decision.claim).request;
      if (found_) {
        use.capacity += facts_.volume(decision.volume).capacity;
      } else {  // claims of one class share what is left: it counts once
        use.capacity = *facts_.pool(decision.pool).capacity - ledger_.UsedOf(decision.pool);
      }
    }
    return use;
  }

 private:
  bool Counts(const VolumeDecision& decision) const {
    if (found_) return decision.volume != kNoId;
    return decision.pool != kNoId && facts_.pool(decision.pool).capacity.has_value();
  }
  std::string_view NameOf(const VolumeDecision& decision) const {
    return ClassOf(facts_.claim(decision.claim));
  }

  const VolumeFacts& facts_;
  const VolumeLedger& ledger_;
  const std::span<const VolumeDecision> chosen_;
  const bool found_;  // some claim gets a volume that exists
};

}  // namespace

std::int64_t VolumeShape::At(std::int64_t utilization) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& to = points[i];
    if (utilization > to.utilization) continue;
    if (i == 0) return to.score;
    const Point& from = points[i - 1];
    return from.score + (to.score - from.score) * (utilization - from.utilization) /
                            (to.utilization - from.utilization);
  }
  return points.empty() ? 0 : points.back().score;
}

std::int64_t ScoreVolumes(const VolumeFacts& facts, const VolumeLedger& ledger,
                          const VolumeShape& shape, std::span<const VolumeDecision> chosen) {
  const Uses uses(facts, ledger, chosen);
  std::int64_t sum = 0;
  std::int64_t classes = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!uses.IsFirst(i)) continue;
    sum += shape.At(UtilizationOf(uses.OfClass(i)));
    ++classes;
  }
  if (classes == 0) return 0;
  return std::llround(static_cast<double>(sum) / static_cast<double>(classes));
}

}  // namespace batholith
