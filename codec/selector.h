#pragma once

#include <optional>
#include <vector>

#include "codec/json/field.h"

namespace batholith {

// Selectors as an API server takes them. What it would refuse is a flaw: In and NotIn without
// values, Exists and DoesNotExist with some, Gt and Lt of labels or with anything but one value, an
// operator that does not exist, a requirement without a key. Such a requirement is left out.

// matchLabels and matchExpressions; absent is std::nullopt.
std::optional<LabelSelector> ReadLabelSelector(const Field& selector);
// A term of a node selector. It is empty, which matches no node, where it has a flaw, and as
// kube-scheduler has it where a value is none of a label, or Gt or Lt has none that is a number.
NodeSelectorTerm ReadNodeTerm(const Field& term);

}  // namespace batholith
