#include "framework/attempts.h"

namespace batholith {

void UnfitHistogram::Add(const Unfit& unfit, const Predicate* source, std::int32_t count) {
  for (Entry& e : entries) {
    if (e.unfit == unfit && e.source == source) {
      e.count += count;
      return;
    }
  }
  entries.push_back({unfit, source, count});
}

bool Attempts::MarkTraced(TaskIndex task) {
  if (traced_[task.value()]) return false;
  traced_[task.value()] = true;
  return true;
}

}  // namespace batholith
