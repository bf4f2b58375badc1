#include "plugins/common/queue_hierarchy.h"

#include <algorithm>

#include "api/value_text.h"

namespace batholith {
namespace {

std::vector<std::string> SplitPath(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find('/', start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

double WeightAt(const std::vector<std::string>& weights, std::size_t level) {
  if (level >= weights.size()) return 1;
  const double value = ParseNumber<double>(weights[level]).value_or(1);
  return value >= 1 ? value : 1;
}

}  // namespace

// The first name is the root's, whatever it is.
std::vector<HierarchyStep> HierarchyPath(const Labels& annotations) {
  std::vector<HierarchyStep> out;
  const auto path = annotations.find(kHierarchyAnnotation);
  if (path == annotations.end()) return out;
  const auto weights = annotations.find(kHierarchyWeightsAnnotation);
  const std::vector<std::string> names = SplitPath(path->second);
  const std::vector<std::string> parts =
      weights == annotations.end() ? std::vector<std::string>() : SplitPath(weights->second);
  for (std::size_t level = 1; level < names.size(); ++level)
    out.push_back({names[level], WeightAt(parts, level)});
  return out;
}

}  // namespace batholith
