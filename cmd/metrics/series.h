#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cmd/metrics/table.h"

namespace batholith {

// The series of every metric of the table, each found by the values of its labels. One writer at a
// time; Text may be asked meanwhile by others and then sees some of what is being written.
class Series {
 public:
  using Labels = std::vector<std::string>;  // as many and in the order of MetricRow::labels()

  Series();
  ~Series();
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  void Set(Metric gauge, Labels labels, double value);
  void Add(Metric counter, Labels labels, double more);
  // To a total that is counted elsewhere; a smaller one than before changes nothing.
  void RaiseTo(Metric counter, Labels labels, double total);
  void Observe(Metric histogram, Labels labels, double value);
  void Drop(Metric gauge, const Labels& labels);
  // Removes the series of a gauge or counter that were not set, or added to, since it was called
  // last. Cost: O(series).
  void DropUnset(Metric metric);

  // In the Prometheus text format 0.0.4. Cost: O(series).
  std::string Text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace batholith
