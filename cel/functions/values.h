#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/functions/function.h"
#include "cel/type.h"
#include "cel/value.h"

namespace batholith::cel {

// What `type(value)` gives.
TypeRef ValueType(const Value& value);
std::string_view ValueTypeName(const Value& value);

// ==: a bool, or an error of an object of Kubernetes that is compared with something else. Of
// values of different types: false, but numbers are compared as numbers.
Value Equals(const Value& a, const Value& b, Work& work);
inline bool AreEqual(const Value& a, const Value& b, Work& work) {
  return Equals(a, b, work).is_true();
}
// -1, 0, 1 as an int, or an error. NaN cannot be ordered.
Value Compare(const Value& a, const Value& b);

// How large a value is for the count of costs: characters of a text, items of a list; 1 of what has
// no size.
std::uint64_t CostSize(const Value& value);
// Characters of a text. Bytes that are no UTF-8 count as one each.
std::size_t CharacterCount(std::string_view text);

// How a key or an index is called in a message; shortened.
std::string Shown(const Value& value);

}  // namespace batholith::cel
