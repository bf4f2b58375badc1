#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <cmath>
#include <map>
#include <utility>

#include "api/check.h"
#include "cmd/metrics/series.h"

namespace batholith {
namespace {

prometheus::Labels Named(const MetricRow& row, const Series::Labels& values) {
  CHECK(values.size() == row.labels().size());
  prometheus::Labels out;
  for (std::size_t i = 0; i < values.size(); ++i)
    out.emplace(std::string(row.labels()[i]), values[i]);
  return out;
}

prometheus::Histogram::BucketBoundaries Bounds(const BucketRange& range) {
  prometheus::Histogram::BucketBoundaries bounds;
  for (int i = 0; i < range.count; ++i) {
    const double part = static_cast<double>(i) / (range.count - 1);
    bounds.push_back(range.least * std::pow(range.most / range.least, part));
  }
  return bounds;
}

template <typename Builder>
auto& Registered(Builder builder, const MetricRow& row, prometheus::Registry& registry) {
  return builder.Name(std::string(row.name)).Help(std::string(row.help)).Register(registry);
}

template <typename Kind>
struct FamilyOf {
  struct Entry {
    Kind* metric = nullptr;
    bool set = false;  // since the last DropUnset
  };
  prometheus::Family<Kind>* family = nullptr;
  std::map<Series::Labels, Entry> entries;

  template <typename... Args>
  Entry& At(const MetricRow& row, Series::Labels labels, const Args&... args) {
    CHECK(family != nullptr);
    const auto it = entries.find(labels);
    if (it != entries.end()) return it->second;
    Kind& metric = family->Add(Named(row, labels), args...);
    return entries.emplace(std::move(labels), Entry{&metric}).first->second;
  }

  void DropUnset() {
    for (auto it = entries.begin(); it != entries.end();) {
      if (std::exchange(it->second.set, false)) {
        ++it;
      } else {
        family->Remove(it->second.metric);
        it = entries.erase(it);
      }
    }
  }
};

}  // namespace

struct Series::Families {
  struct OfMetric {
    FamilyOf<prometheus::Counter> counter;
    FamilyOf<prometheus::Gauge> gauge;
    FamilyOf<prometheus::Histogram> histogram;
  };
  prometheus::Registry registry;
  std::vector<OfMetric> by_metric{MetricTable().size()};

  OfMetric& Of(Metric metric) { return by_metric[static_cast<std::size_t>(metric)]; }
};

Series::Series() : families_(std::make_unique<Families>()) {
  for (const MetricRow& row : MetricTable()) {
    Families::OfMetric& of = families_->Of(row.metric);
    switch (row.type) {
      case MetricType::kCounter:
        of.counter.family = &Registered(prometheus::BuildCounter(), row, families_->registry);
        break;
      case MetricType::kGauge:
        of.gauge.family = &Registered(prometheus::BuildGauge(), row, families_->registry);
        break;
      case MetricType::kHistogram:
        of.histogram.family = &Registered(prometheus::BuildHistogram(), row, families_->registry);
        break;
    }
  }
}

Series::~Series() = default;

void Series::Set(Metric gauge, Labels labels, double value) {
  auto& entry = families_->Of(gauge).gauge.At(RowOf(gauge), std::move(labels));
  entry.metric->Set(value);
  entry.set = true;
}

void Series::Add(Metric counter, Labels labels, double more) {
  auto& entry = families_->Of(counter).counter.At(RowOf(counter), std::move(labels));
  entry.metric->Increment(more);
  entry.set = true;
}

void Series::RaiseTo(Metric counter, Labels labels, double total) {
  auto& entry = families_->Of(counter).counter.At(RowOf(counter), std::move(labels));
  const double more = total - entry.metric->Value();
  if (more > 0) entry.metric->Increment(more);
}

void Series::Observe(Metric histogram, Labels labels, double value) {
  const MetricRow& row = RowOf(histogram);
  families_->Of(histogram)
      .histogram.At(row, std::move(labels), Bounds(row.buckets))
      .metric->Observe(value);
}

void Series::Drop(Metric gauge, const Labels& labels) {
  FamilyOf<prometheus::Gauge>& of = families_->Of(gauge).gauge;
  const auto it = of.entries.find(labels);
  if (it == of.entries.end()) return;
  of.family->Remove(it->second.metric);
  of.entries.erase(it);
}

void Series::DropUnset(Metric metric) {
  families_->Of(metric).gauge.DropUnset();
  families_->Of(metric).counter.DropUnset();
}

std::string Series::Text() const {
  return prometheus::TextSerializer().Serialize(families_->registry.Collect());
}

}  // namespace batholith
