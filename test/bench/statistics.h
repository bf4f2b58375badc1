#pragma once

#include <boost/json/object.hpp>
#include <vector>

namespace batholith::bench {

// Of sorted values, nearest rank. REQUIRES: not empty, as below.
double Quantile(const std::vector<double>& sorted, double q);
double Median(std::vector<double> values);

// min, p10, median, p90, p99.
boost::json::object Spread(std::vector<double> values);

}  // namespace batholith::bench
