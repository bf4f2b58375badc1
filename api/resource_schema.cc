#include "api/resource_schema.h"

#include <algorithm>

#include "api/resource_vector.h"

namespace batholith {

std::int64_t ResourceScale(std::string_view resource) {
  return resource == "memory" || resource == "pods" ? 1 : 1000;
}

void AddTo(ResourceList& sum, const ResourceList& more) {
  for (const auto& [name, amount] : more) {
    std::int64_t& v = sum[name];
    v = ResourceVector::AddSaturating(v, amount);
  }
}

ResourceList Times(const ResourceList& list, std::int64_t factor) {
  ResourceList out = list;
  for (auto& [name, amount] : out) amount = ResourceVector::MulSaturating(amount, factor);
  return out;
}

ResourceSchema::ResourceSchema() : ResourceSchema(std::vector<std::string>()) {}

ResourceSchema::ResourceSchema(std::vector<std::string> names) {
  std::ranges::sort(names);
  names_ = {"cpu", "memory", "pods"};
  for (std::size_t i = 0; i < names_.size(); ++i) index_[names_[i]] = i;
  for (std::string& name : names) {
    if (!index_.try_emplace(name, names_.size()).second) continue;
    names_.push_back(std::move(name));
  }
}

std::optional<std::size_t> ResourceSchema::Find(std::string_view name) const {
  const auto it = index_.find(name);
  return it == index_.end() ? std::nullopt : std::optional(it->second);
}

}  // namespace batholith
