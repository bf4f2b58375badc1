#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "api/objects.h"

// Label selectors, as Kubernetes reads them.
namespace batholith {

// `value`: nullptr where the key is absent.
bool MatchesRequirement(const Requirement& requirement, const std::string* value);
bool MatchesLabels(std::span<const Requirement> requirements, const Labels& labels);
// An absent selector selects nothing.
bool MatchesSelector(const std::optional<LabelSelector>& selector, const Labels& labels);

}  // namespace batholith
