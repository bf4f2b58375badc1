#pragma once

#include <string>
#include <vector>

#include "api/cluster_objects.h"
#include "codec/kube_kinds.h"

namespace batholith {

// Whether two records are equal in every field. Constraints count by value.
template <typename Record>
bool SameRecord(const Record& a, const Record& b) {
  return a == b;
}
inline bool SameRecord(const PodRecord& a, PodRecord b) {
  if (*a.constraints != *b.constraints) return false;
  b.constraints = a.constraints;
  return a == b;
}
inline bool SameRecord(const PodTemplateRecord& a, PodTemplateRecord b) {
  b.pod.constraints = a.pod.constraints;
  return a == b;
}
inline bool SameRecord(const ScalableRecord& a, ScalableRecord b) {
  if (a.pod && b.pod) b.pod->constraints = a.pod->constraints;
  return a == b;
}

// The first record in which two clusters differ, as `Kind ns/name`; empty where they are equal in
// every field and in the order of records.
inline std::string FirstDifference(const ClusterObjects& a, const ClusterObjects& b) {
  std::string first;
  std::size_t record = 0;
  ForEachRecordList([&](auto list) {
    const auto& here = a.*list;
    const auto& there = b.*list;
    const std::string kind = DumpedKind(record++).kind;
    if (!first.empty()) return;
    if (here.size() != there.size()) first = "number of " + kind;
    for (std::size_t i = 0; i < here.size() && first.empty(); ++i) {
      if (!SameRecord(here[i], there[i])) first = kind + " " + here[i].meta.Key();
    }
  });
  return first;
}

}  // namespace batholith
