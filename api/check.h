#pragma once

// CHECK(cond): aborts with the place and the condition, also in release. Only for broken
// invariants, never for anything that came from outside. DCHECK: the same in debug builds only.
namespace batholith {
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);
}  // namespace batholith

#define CHECK(cond) \
  ((cond) ? static_cast<void>(0) : ::batholith::CheckFailed(__FILE__, __LINE__, #cond))
#ifdef NDEBUG
#define DCHECK(cond) static_cast<void>(0)
#else
#define DCHECK(cond) CHECK(cond)
#endif
