#include "framework/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace batholith {
namespace {

constexpr std::size_t kGrain = 2048;

}  // namespace

struct Workers::Pool {
  int threads;
  tbb::task_arena arena;
};

Workers::Workers(int threads) {
  const int useful = std::min(threads, tbb::info::default_concurrency());
  if (useful > 1) pool_ = std::make_unique<Pool>(useful, tbb::task_arena(useful));
}

Workers::~Workers() = default;

void Workers::Run(std::size_t count,
                  const std::function<void(std::size_t, std::size_t)>& body) const {
#ifdef __SANITIZE_THREAD__
  // The packaged library is not instrumented, so the tool would see no hand-over at all. Plain
  // threads let it judge the bodies, which is what it is for.
  std::vector<std::jthread> threads;
  const auto parts = static_cast<std::size_t>(pool_->threads);
  for (std::size_t i = 0; i < parts; ++i)
    threads.emplace_back([&, i] { body(count * i / parts, count * (i + 1) / parts); });
#else
  pool_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, kGrain),
        [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
  });
#endif
}

}  // namespace batholith
