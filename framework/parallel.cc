#include "framework/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace batholith {
namespace {

constexpr std::size_t kGrain = 256;

}  // namespace

struct Workers::Pool {
  tbb::task_arena arena;
};

Workers::Workers(int threads) {
  const int useful = std::min(threads, tbb::info::default_concurrency());
  if (useful > 1) pool_ = std::make_unique<Pool>(tbb::task_arena(useful));
}

Workers::~Workers() = default;

void Workers::Run(std::size_t count,
                  const std::function<void(std::size_t, std::size_t)>& body) const {
  pool_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, kGrain),
        [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
  });
}

}  // namespace batholith
