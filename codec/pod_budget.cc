#include "codec/pod_budget.h"

#include <fmt/format.h>

namespace batholith {
namespace {

double InKb(std::size_t bytes) { return static_cast<double>(bytes) / 1000; }

}  // namespace

void PodBudget::Ask(std::int64_t pods, const Field& count) const {
  if (pods <= most - made) return;
  count.Fail(fmt::format(
      "{} pods, with {} that were made before; at most {} are made of all jobs (--max-pods)", pods,
      made, most));
}

void PodBudget::Add(const PodRecord& pod, std::int64_t pods, const Field& count) {
  ++made;
  made_bytes += MadeBytes(pod);
  if (made_bytes <= static_cast<std::size_t>(most) * kMadeBytesPerPod) return;
  count.Fail(fmt::format(
      "{} pods with {:.1f} KB of labels and annotations each; at most {:.1f} KB for each of {} "
      "pods are made of all jobs (--max-pods)",
      pods, InKb(MadeBytes(pod)), InKb(kMadeBytesPerPod), most));
}

}  // namespace batholith
