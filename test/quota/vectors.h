#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
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

// Whether the folder is there; tests of vectors are skipped where it is not.
bool HasQuotaVectors();

// Those of one kind, in the order of the file; `system` is koordinator, nos or capacity. None
// is an exception: the test that asked for them would test nothing.
std::vector<QuotaVector> LoadQuotaVectors(const std::string& system, std::string_view kind);

// {cpu: '1', memory: 1Gi} in base units. Absent (or null) stays absent.
ResourceList AmountsOf(const YAML::Node& list);
std::optional<ResourceList> OptionalAmountsOf(const YAML::Node& list);
std::string TextOf(const YAML::Node& value, const std::string& otherwise = "");

}  // namespace batholith
