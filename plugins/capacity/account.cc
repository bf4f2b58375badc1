#include "plugins/capacity/account.h"

#include <algorithm>

namespace batholith {
namespace {

constexpr std::size_t kDimensions = ResourceVector::kMaxDimensions;

bool BothName(std::size_t r, const ResourceVector& a, const ResourceVector& b) {
  return r != ResourceSchema::kPods && a[r] > 0 && b[r] > 0;
}

bool NamesNothing(const ResourceVector& v) { return !Meet(v, v); }

}  // namespace

std::int64_t DominantShare(const ResourceVector& held, const ResourceVector& deserved) {
  if (NamesNothing(deserved)) return FixedShare(1);
  double share = 0;
  for (std::size_t r = 0; r < kDimensions; ++r) {
    if (deserved[r] > 0)
      share = std::max(share, static_cast<double>(held[r]) / static_cast<double>(deserved[r]));
  }
  return FixedShare(share);
}

void UpdateShare(Account& account) {
  account.deserves_nothing = NamesNothing(account.deserved);
  account.share = DominantShare(account.sums.allocated, account.deserved);
}

bool Meet(const ResourceVector& a, const ResourceVector& b) {
  for (std::size_t r = 0; r < kDimensions; ++r) {
    if (BothName(r, a, b)) return true;
  }
  return false;
}

bool StaysWithinDeserved(const ResourceVector& held, const ResourceVector& request,
                         const ResourceVector& deserved) {
  const ResourceVector after = held + request;
  for (std::size_t r = 0; r < kDimensions; ++r) {
    if (BothName(r, request, deserved) && after[r] <= deserved[r]) return true;
  }
  return false;
}

bool KeepsGuarantee(const Account& account, const ResourceVector& held,
                    const ResourceVector& victim) {
  const ResourceVector after = held - victim;
  for (std::size_t r = 0; r < kDimensions; ++r) {
    if (account.guarantee[r] > after[r]) return false;
  }
  return true;
}

bool IsOver(const Account& account, const ResourceVector& held, const ResourceVector& victim,
            const ResourceVector& wanted) {
  bool any_wanted = false;
  for (std::size_t r = 0; r < kDimensions; ++r)
    any_wanted = any_wanted || (wanted[r] > 0 && BothName(r, victim, account.deserved));
  bool over = false;
  for (std::size_t r = 0; r < kDimensions; ++r) {
    if (!BothName(r, victim, account.deserved) || (any_wanted && wanted[r] <= 0)) continue;
    if (held[r] <= account.deserved[r]) continue;
    over = true;
    if (!KeepsWholeTasks(held[r], victim[r], account.deserved[r])) return false;
  }
  return over;
}

bool WinsClaim(const Account& reclaimer, const ResourceVector& wanted, const Account& account,
               const ResourceVector& held, const ResourceVector& victim) {
  const ResourceVector after = reclaimer.sums.allocated + wanted;
  bool asks_back = false;  // the victim's queue could
  bool exposed = false;    // the reclaimer's queue would be
  for (std::size_t r = 0; r < kDimensions; ++r) {
    if (BothName(r, victim, account.deserved) && held[r] <= account.deserved[r]) asks_back = true;
    if (BothName(r, wanted, reclaimer.deserved) && after[r] > reclaimer.deserved[r]) exposed = true;
  }
  return !asks_back || !exposed ||
         DominantShare(after, reclaimer.deserved) < DominantShare(held, account.deserved);
}

}  // namespace batholith
