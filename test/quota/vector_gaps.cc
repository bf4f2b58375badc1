#include "test/quota/vectors.h"

namespace batholith {
namespace {

constexpr QuotaVectorGap kGaps[] = {
    {"KQ-RT-05", false, "the shares of single rounds are inside of one call"},
    {"NO-PC-05", false, "which resources upstream's map holds at 0: ours holds none"},
    {"NO-PC-06", false, "which resources upstream's map holds at 0: ours holds none"},
    {"KQ-US-03", false,
     "what pods that may not be preempted ask for is not added up: no rule reads it"},
    {"KQ-PA-06", true,
     "counted from the objects, a pod is in its quota as soon as that is there, not from its next "
     "event"},
    {"KQ-PA-08", true,
     "a pod's request is one figure, overhead included; the gate has no effect and a warning says "
     "so"},
    {"CS-EL-06", true,
     "room that is being released counts as room, whoever leaves it: the preemptor waits for it "
     "and "
     "nobody else has to go"},
    {"KQ-EL-07", true,
     "room that is being released counts as room, whoever leaves it: the preemptor waits for it "
     "and "
     "nobody else has to go"},
    {"KQ-EV-12", true,
     "how often a webhook tries again after a write conflict: nothing is written here"},
    {"KQ-EV-13", true,
     "how often a webhook tries again after a write conflict: nothing is written here"},
};

}  // namespace

std::span<const QuotaVectorGap> QuotaVectorGaps() { return kGaps; }

}  // namespace batholith
