#pragma once

// Before the definition of a function with loops over columns of numbers: it is compiled a second
// time for processors that take four doubles at once, and the loader chooses. Both give the same
// bits, since no multiplication is fused with an addition. Needs GCC on x86-64; elsewhere, and
// where memory or threads are watched, there is one version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BATHOLITH_WIDE_LOOPS __attribute__((target_clones("avx2", "default")))
#else
#define BATHOLITH_WIDE_LOOPS
#endif
