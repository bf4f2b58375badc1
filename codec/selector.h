#pragma once

#include <optional>
#include <vector>

#include "codec/field.h"

namespace batholith {

// Selectors as an API server takes them. What it would refuse is a FieldError: In and NotIn without
// values, Exists and DoesNotExist with some, Gt and Lt of labels or with anything but one whole
// number, an operator that does not exist, a requirement without a key.

// matchLabels and matchExpressions; absent is std::nullopt.
std::optional<LabelSelector> ReadLabelSelector(const Field& selector);
// matchExpressions of a node selector term.
std::vector<Requirement> ReadNodeExpressions(const Field& list);
// matchFields of a node selector term: the name of one node.
std::vector<Requirement> ReadNodeFields(const Field& list);

}  // namespace batholith
