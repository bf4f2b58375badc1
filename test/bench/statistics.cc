#include "test/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace batholith::bench {

double Quantile(const std::vector<double>& sorted, double q) {
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

boost::json::object Spread(std::vector<double> values) {
  std::ranges::sort(values);
  return {{"min", values.front()},
          {"p10", Quantile(values, 0.1)},
          {"median", Median(values)},
          {"p90", Quantile(values, 0.9)},
          {"p99", Quantile(values, 0.99)}};
}

}  // namespace batholith::bench
