#pragma once

#include <optional>
#include <vector>

#include "cel/functions/function.h"
#include "cel/value.h"

namespace batholith::cel {

// A map of an expression: {"a": 1}. Later entries with a key that is there already replace the
// value. Errors: a key of a type that cannot be one.
Value MapOf(std::vector<std::pair<Value, Value>> entries);
// With one entry more. Errors: it is there already, or no key.
Value Inserted(const Value& map, const Value& key, const Value& value, Work& work);

// A list with one item more. Where nobody else has the list, it is not copied.
Value Appended(Value list, Value item, Work& work);
Value Concatenated(const Value& a, const Value& b, Work& work);

// Whether a list has the item. Comparisons that fail count as different.
bool ListContains(const List& list, const Value& item, Work& work);
std::vector<Value> ItemsOf(const List& list);

// `list[index]`, `map[key]`, `object.field`. Nothing: no such key or index, where that is no error.
// Errors: as Failure says.
std::optional<Value> FindElement(const Value& container, const Value& key);
Value Element(const Value& container, const Value& key);

Value WorkExhausted();

}  // namespace batholith::cel
