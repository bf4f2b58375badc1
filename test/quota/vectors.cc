#include "test/quota/vectors.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "api/quantity.h"
#include "test/vectors_folder.h"

namespace batholith {
namespace {

const YAML::Node& File(const std::string& system) {
  static std::map<std::string, YAML::Node> files;
  const auto it = files.find(system);
  if (it != files.end()) return it->second;
  return files.emplace(system, YAML::LoadFile(VectorsFolder() / (system + ".yaml"))).first->second;
}

std::set<std::string>& LoadedIds() {
  static std::set<std::string> ids;
  return ids;
}

bool IsGap(const std::string& id) {
  return std::ranges::any_of(QuotaVectorGaps(),
                             [&](const QuotaVectorGap& g) { return g.whole && g.id == id; });
}

}  // namespace

bool HasQuotaVectors() { return std::filesystem::exists(VectorsFolder()); }

std::vector<QuotaVector> LoadQuotaVectors(const std::string& system, std::string_view kind) {
  std::vector<QuotaVector> out;
  for (const YAML::Node& v : File(system)["vectors"]) {
    if (v["kind"].as<std::string>() != kind) continue;
    const auto id = v["id"].as<std::string>();
    if (IsGap(id)) continue;
    LoadedIds().insert(id);
    out.push_back(
        {id, std::string(kind), v["origin"].as<std::string>(), v["inputs"], v["expected"]});
  }
  if (out.empty()) throw std::invalid_argument("no vector of kind " + std::string(kind));
  return out;
}

std::set<std::string> AllQuotaVectors() {
  std::set<std::string> ids;
  for (const char* system : {"capacity", "nos", "koordinator"}) {
    for (const YAML::Node& v : File(system)["vectors"]) ids.insert(v["id"].as<std::string>());
  }
  return ids;
}

const std::set<std::string>& LoadedQuotaVectors() { return LoadedIds(); }

ResourceList AmountsOf(const YAML::Node& list) {
  ResourceList out;
  if (!list.IsDefined() || list.IsNull()) return out;
  for (const auto& entry : list) {
    const auto name = entry.first.as<std::string>();
    const auto text = entry.second.as<std::string>();
    const Result<std::int64_t> amount = ParseQuantityCutOff(text, ResourceScale(name));
    if (!amount) throw std::invalid_argument(name + ": " + amount.error().message);
    out[name] = *amount;
  }
  return out;
}

std::optional<ResourceList> OptionalAmountsOf(const YAML::Node& list) {
  if (!list.IsDefined() || list.IsNull()) return std::nullopt;
  return AmountsOf(list);
}

std::string TextOf(const YAML::Node& value, const std::string& otherwise) {
  return value.IsDefined() && !value.IsNull() ? value.as<std::string>() : otherwise;
}

}  // namespace batholith
