#pragma once

#include <cstdint>

// What this process has used so far.
namespace batholith::bench {

double CpuSeconds();           // of all threads
std::int64_t PeakRssBytes();   // the most that was ever resident
std::int64_t ResidentBytes();  // now; -1 where the system does not tell
std::int64_t HeapBytes();      // handed out by the allocator and not given back

// Heap allocations by operator new while they are counted, which they are not from the start. It
// costs an atomic addition each.
void CountAllocations(bool on);
std::uint64_t Allocations();

}  // namespace batholith::bench
