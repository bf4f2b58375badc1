#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource_schema.h"

// The conformance vectors that lie beside the project (../shared/vectors, or
// $BATHOLITH_SHARED/vectors): facts of the three systems, each with its inputs and what they give.
namespace batholith {

struct QuotaVector {
  std::string id;
  std::string kind;
  std::string origin;  // upstream_test, upstream_declared, design_doc, derived
  YAML::Node inputs;
  YAML::Node expected;
};

// A vector that our model cannot express, and why.
struct QuotaVectorGap {
  std::string_view id;
  bool whole = true;  // false: a part of what it expects; the rest is run
  std::string_view reason;
};
std::span<const QuotaVectorGap> QuotaVectorGaps();

// Whether the folder is there; tests of vectors are skipped where it is not.
bool HasQuotaVectors();

// Those of one kind, in the order of the file, without the gaps; `system` is koordinator, nos or
// capacity. A kind that no vector has is an exception: the test that asked for it would test
// nothing.
std::vector<QuotaVector> LoadQuotaVectors(const std::string& system, std::string_view kind);

// The ids of all vectors, and of those that LoadQuotaVectors has given out.
std::set<std::string> AllQuotaVectors();
const std::set<std::string>& LoadedQuotaVectors();

// {cpu: '1', memory: 1Gi} in base units. Absent (or null) stays absent.
ResourceList AmountsOf(const YAML::Node& list);
std::optional<ResourceList> OptionalAmountsOf(const YAML::Node& list);
std::string TextOf(const YAML::Node& value, const std::string& otherwise = "");

}  // namespace batholith
