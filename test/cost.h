#pragma once

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace batholith {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// What some work took in a process of its own, in time of the processor and in memory, and what it
// said.
struct Cost {
  bool ended = false;  // else it crashed, or went on for a minute
  double cpu_seconds = 0;
  long peak_mb = 0;
  std::string said;
};

inline Cost CostOf(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return {};
  malloc_trim(0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    // What earlier tests freed would change where blocks lie and what they keep. A thread has a
    // heap of its own, and large blocks go back where they are freed.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    std::string said;
    const auto run = [&] { said = work().substr(0, 4000); };
    kSanitized ? run() : std::thread(run).join();
    const bool written = write(ends[1], said.data(), said.size()) >= 0;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Cost cost;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    cost.said.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  cost.ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  cost.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  cost.peak_mb = used.ru_maxrss / 1024;
  return cost;
}

// A second for each MB of input, or part of one, and 256 MB.
inline Cost ExpectBounded(std::string_view name, std::size_t input_bytes,
                          const std::function<std::string()>& work) {
  Cost cost = CostOf(work);
  const double allowed = static_cast<double>(1 + (input_bytes >> 20U)) * (kSanitized ? 20 : 1);
  EXPECT_TRUE(cost.ended) << name;
  EXPECT_LT(cost.cpu_seconds, allowed) << name;
  EXPECT_LT(kSanitized ? 0 : cost.peak_mb, 256) << name;
  return cost;
}

}  // namespace batholith
