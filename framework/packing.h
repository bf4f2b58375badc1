#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource_schema.h"
#include "api/resource_table.h"
#include "api/resource_vector.h"
#include "framework/options/arguments.h"

// How full a place would be with a task, as the weights of resources have it: what plugins that
// fill places up score by.
namespace batholith {

struct PackingWeights {
  struct Resource {
    std::string name;
    double weight = 1;
  };
  double cpu = 1;
  double memory = 1;
  std::vector<Resource> resources = {};  // further ones that count
};

// As in Volcano, 1 stands for a negative weight.
constexpr ArgumentSpec PackingWeight(std::string_view name, std::string_view summary) {
  ArgumentSpec spec = WeightArgument(name, "1", summary);
  spec.below_min_is_default = true;
  return spec;
}
constexpr ArgumentSpec PackingWeightsOf(std::string_view prefix) {
  ArgumentSpec spec = PackingWeight(prefix, "weight of one further resource");
  spec.name_is_prefix = true;
  return spec;
}
// Of the arguments `prefix` + "cpu", "memory", "resources" and "resources.NAME".
PackingWeights ReadPackingWeights(const Arguments& arguments, const std::string& prefix);

class PackingScore {
 public:
  // Resources that nobody has are left out.
  PackingScore(const PackingWeights& weights, const ResourceSchema& schema);

  // What a resource means that is asked for and of which there is none.
  enum class Missing : std::uint8_t {
    kEmpty,  // that part is not full at all
    kNoFit   // 0 for all
  };
  // 0 to 1: the mean of what is used with the task, over the resources that it asks for, by weight;
  // 0 where it does not fit. Cost: O(resources that count).
  double Of(const ResourceVector& request, ResourceRow used, ResourceRow allocatable,
            Missing missing) const;

 private:
  struct Part {
    std::size_t resource = 0;
    double weight = 1;
  };
  std::vector<Part> parts_;
};

}  // namespace batholith
