#include "cel/functions/sequences.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

// Grows in place while only one value refers to it.
class GrowingList final : public List {
 public:
  std::size_t size() const override { return items_.size(); }
  Value At(std::size_t index) const override { return items_[index]; }

  std::vector<Value>& items() { return items_; }

 private:
  std::vector<Value> items_;
};

// One key for numbers that are equal. Nothing: not of a type that can be a key.
std::optional<std::string> KeyText(const Value& key) {
  switch (key.kind()) {
    case Kind::kBool:
      return key.as_bool() ? "t" : "f";
    case Kind::kInt:
      return "n" + std::to_string(key.as_int());
    case Kind::kUint:
      return "n" + std::to_string(key.as_uint());
    case Kind::kString:
      return "s" + std::string(key.text());
    case Kind::kNull:
      return "0";
    case Kind::kDouble:
      break;
    default:
      return std::nullopt;
  }
  const double number = key.as_double();
  if (number == std::floor(number)) {
    if (number >= -9223372036854775808.0 && number < 9223372036854775808.0)
      return "n" + std::to_string(static_cast<std::int64_t>(number));
    if (number >= 0 && number < 18446744073709551616.0)
      return "n" + std::to_string(static_cast<std::uint64_t>(number));
  }
  return "d" + std::to_string(std::bit_cast<std::uint64_t>(number));
}

class HashMap final : public Map {
 public:
  std::size_t size() const override { return entries_.size(); }
  std::optional<Value> Find(const Value& key) const override {
    const auto text = KeyText(key);
    if (!text) return std::nullopt;
    const auto found = places_.find(*text);
    if (found == places_.end()) return std::nullopt;
    return entries_[found->second].second;
  }
  std::vector<Value> Keys() const override {
    std::vector<Value> out;
    out.reserve(entries_.size());
    for (const auto& [key, value] : entries_) out.push_back(key);
    return out;
  }

  // False: no key.
  bool Set(Value key, Value value) {
    const auto text = KeyText(key);
    if (!text) return false;
    const auto [place, added] = places_.try_emplace(*text, entries_.size());
    if (added) {
      entries_.emplace_back(std::move(key), std::move(value));
    } else {
      entries_[place->second].second = std::move(value);
    }
    return true;
  }

 private:
  std::vector<std::pair<Value, Value>> entries_;
  std::unordered_map<std::string, std::size_t> places_;
};

Value NoKey(const Value& key) {
  return Value::Fail(Failure::kInvalidArgument,
                     "unsupported key of a map: " + std::string(ValueTypeName(key)));
}

// An index as a number; nothing: it is none.
std::optional<std::int64_t> IndexOf(const Value& key) {
  if (key.is(Kind::kInt)) return key.as_int();
  if (key.is(Kind::kUint))
    return key.as_uint() > INT64_MAX ? -1 : static_cast<std::int64_t>(key.as_uint());
  if (key.is(Kind::kDouble) && key.as_double() == std::floor(key.as_double()) &&
      std::abs(key.as_double()) < 9e18)
    return static_cast<std::int64_t>(key.as_double());
  return std::nullopt;
}

}  // namespace

Value WorkExhausted() {
  return Value::Fail(Failure::kCostLimit, "the values of the expression have become too large");
}

Value MapOf(std::vector<std::pair<Value, Value>> entries) {
  auto out = std::make_shared<HashMap>();
  std::int32_t depth = 0;
  for (auto& [key, value] : entries) {
    depth = std::max(depth, value.depth());
    if (!out->Set(key, std::move(value))) return NoKey(key);
  }
  return Value::Of(std::shared_ptr<const Map>(std::move(out)), depth + 1);
}

Value Inserted(const Value& map, const Value& key, const Value& value, Work& work) {
  if (map.map().Contains(key))
    return Value::Fail(Failure::kInvalidArgument, "insert failed: key " + Shown(key) + " is there");
  auto out = std::make_shared<HashMap>();
  if (!work.Spend(map.map().size())) return WorkExhausted();
  for (const Value& old : map.map().Keys()) out->Set(old, *map.map().Find(old));
  if (!out->Set(key, value)) return NoKey(key);
  return Value::Of(std::shared_ptr<const Map>(std::move(out)),
                   std::max(map.depth(), value.depth() + 1));
}

Value Appended(Value list, Value item, Work& work) {
  const std::int32_t depth = std::max(list.depth(), item.depth() + 1);
  // Held by this value alone: nobody can see that it grows.
  if (depth == list.depth() && list.held().use_count() == 1) {
    if (const auto* own = dynamic_cast<const GrowingList*>(&list.list())) {
      const_cast<GrowingList*>(own)->items().push_back(std::move(item));
      return list;
    }
  }
  auto out = std::make_shared<GrowingList>();
  if (!work.Spend(list.list().size())) return WorkExhausted();
  out->items() = ItemsOf(list.list());
  out->items().push_back(std::move(item));
  return Value::Of(std::shared_ptr<const List>(std::move(out)), depth);
}

Value Concatenated(const Value& a, const Value& b, Work& work) {
  if (!work.Spend(a.list().size() + b.list().size())) return WorkExhausted();
  auto out = std::make_shared<GrowingList>();
  out->items() = ItemsOf(a.list());
  for (std::size_t i = 0; i < b.list().size(); ++i) out->items().push_back(b.list().At(i));
  return Value::Of(std::shared_ptr<const List>(std::move(out)), std::max(a.depth(), b.depth()));
}

bool ListContains(const List& list, const Value& item, Work& work) {
  for (std::size_t i = 0; i < list.size() && !work.exhausted(); ++i) {
    if (AreEqual(item, list.At(i), work)) return true;
  }
  return false;
}

std::vector<Value> ItemsOf(const List& list) {
  std::vector<Value> out;
  out.reserve(list.size() + 1);
  for (std::size_t i = 0; i < list.size(); ++i) out.push_back(list.At(i));
  return out;
}

std::optional<Value> FindElement(const Value& container, const Value& key) {
  if (container.is(Kind::kMap)) return container.map().Find(key);
  if (!container.is(Kind::kList)) return std::nullopt;
  const auto index = IndexOf(key);
  if (!index)
    return Value::Fail(Failure::kInvalidArgument,
                       "unsupported index type '" + std::string(ValueTypeName(key)) + "' in list");
  if (*index < 0 || static_cast<std::uint64_t>(*index) >= container.list().size())
    return std::nullopt;
  return container.list().At(static_cast<std::size_t>(*index));
}

Value Element(const Value& container, const Value& key) {
  auto found = FindElement(container, key);
  if (found) return std::move(*found);
  if (container.is(Kind::kList))
    return Value::Fail(Failure::kIndexOutOfBounds, "index out of bounds: " + Shown(key));
  return Value::Fail(Failure::kNoSuchKey, "no such key: " + Shown(key));
}

}  // namespace batholith::cel
