#pragma once

#include <cstdint>
#include <vector>

#include "api/ids.h"

namespace batholith {

class ShortfallSource;

// A sum that is too high for a task to be admitted. Amounts in the units of the source.
struct Shortfall {
  static constexpr std::int64_t kForGood = INT64_MAX;
  const ShortfallSource* source = nullptr;
  std::uint32_t place = 0;  // which sum, as the source counts them
  std::uint32_t dimension = 0;
  std::int64_t amount = 0;  // so much of it has to leave; > 0; kForGood: nobody's leaving helps
};

// What a QueueAdmission is beside, whose AdmitsSoon compares sums of those who hold an allocation
// with limits that stay where they are when such tasks leave. So it can be told without moving
// anybody whether the task would be admitted after that: once enough has left of every sum.
class ShortfallSource {
 public:
  // Appends all that keeps AdmitsSoon from admitting the task as the session stands now. False: its
  // answer for this task depends on more, and what was appended means nothing.
  virtual bool AddShortfalls(QueueIndex queue, TaskIndex task,
                             std::vector<Shortfall>& out) const = 0;
  // How much of the shortfall the task gives when it leaves; ≥ 0. REQUIRES: it holds an allocation.
  virtual std::int64_t Relief(const Shortfall& shortfall, TaskIndex leaving) const = 0;

 protected:
  ~ShortfallSource() = default;
};

}  // namespace batholith
