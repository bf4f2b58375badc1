#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <vector>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

Value IsSorted(Arguments a, Work& work) {
  const List& list = a[0].list();
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (!work.Spend(1)) return WorkExhausted();
    const Value order = Compare(list.At(i - 1), list.At(i));
    if (!order.is_error() && order.as_int() > 0) return Value::Bool(false);
  }
  return Value::Bool(true);
}

// The largest or smallest item; of equal ones the first. Comparisons that fail change nothing.
template <int Sign>
Value Extreme(Arguments a, Work& work) {
  const List& list = a[0].list();
  if (list.size() == 0)
    return Value::Fail(Failure::kInvalidArgument,
                       Sign > 0 ? "max called on empty list" : "min called on empty list");
  Value best = list.At(0);
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (!work.Spend(1)) return WorkExhausted();
    Value next = list.At(i);
    const Value order = Compare(best, next);
    if (!order.is_error() && order.as_int() == -Sign) best = std::move(next);
  }
  return best;
}

template <Kind Of>
Value Sum(Arguments a, Work& work) {
  static const Implementation kAdd = DeclarationAt(OverloadsOf("_+_").front()).overload->run;
  Value sum = Of == Kind::kInt      ? Value::Int(0)
              : Of == Kind::kUint   ? Value::Uint(0)
              : Of == Kind::kDouble ? Value::Double(0)
                                    : Value::Duration(0);
  const List& list = a[0].list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!work.Spend(1)) return WorkExhausted();
    const std::array<Value, 2> terms{std::move(sum), list.At(i)};
    sum = kAdd(terms, work);
    if (sum.is_error()) return sum;
  }
  return sum;
}

bool IsComparable(const Value& value) {
  switch (value.kind()) {
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDouble:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kTimestamp:
    case Kind::kDuration:
      return true;
    default:
      return false;
  }
}

// The items in the order of their keys; of equal keys as they were.
Value SortedBy(const List& items, const List& keys, Work& work) {
  if (items.size() != keys.size())
    return Value::Fail(Failure::kInvalidArgument, "there must be a key for each item");
  if (items.size() == 0) return Value::ListOf({});
  const std::vector<Value> by = ItemsOf(keys);
  if (!IsComparable(by[0]))
    return Value::Fail(Failure::kInvalidArgument, "list elements must be comparable");
  for (const Value& key : by) {
    if (key.kind() != by[0].kind())
      return Value::Fail(Failure::kInvalidArgument, "list elements must have the same type");
  }
  std::vector<std::size_t> order(by.size());
  std::iota(order.begin(), order.end(), 0);
  if (!work.Spend(16 * order.size())) return WorkExhausted();
  // NaN is equal to every number, which is no order: a sort that can bear that.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Value compared = Compare(by[a], by[b]);
    return !compared.is_error() && compared.as_int() < 0;
  });
  std::vector<Value> out;
  for (const std::size_t place : order) out.push_back(items.At(place));
  return Value::ListOf(std::move(out));
}

Value Sort(Arguments a, Work& work) { return SortedBy(a[0].list(), a[0].list(), work); }

Value SortByKeys(Arguments a, Work& work) { return SortedBy(a[0].list(), a[1].list(), work); }

struct Item {
  const char* name;
  Implementation sum;
};
constexpr std::array<Item, 8> kItems{{{"int", Sum<Kind::kInt>},
                                      {"uint", Sum<Kind::kUint>},
                                      {"double", Sum<Kind::kDouble>},
                                      {"bool", nullptr},
                                      {"duration", Sum<Kind::kDuration>},
                                      {"timestamp", nullptr},
                                      {"string", nullptr},
                                      {"bytes", nullptr}}};

// A row for each type that has an order, with the texts of the rows.
struct Rows {
  std::deque<std::string> texts;
  std::vector<Overload> all;

  Rows() {
    constexpr CallCost kTraversal{costs::Traversal, true};
    for (const Item& item : kItems) {
      const std::string_view list = Text(std::string("list(") + item.name + ")");
      all.push_back({"isSorted", list, "bool", IsSorted, kTraversal, true});
      if (item.sum != nullptr) all.push_back({"sum", list, item.name, item.sum, kTraversal, true});
      all.push_back({"max", list, item.name, Extreme<1>, kTraversal, true});
      all.push_back({"min", list, item.name, Extreme<-1>, kTraversal, true});
      all.push_back({"sort", list, list, Sort, {costs::SelfCompare}, true});
      all.push_back({"@sortByAssociatedKeys",
                     Text("list(T), " + std::string(list)),
                     "list(T)",
                     SortByKeys,
                     {costs::SelfCompareSecond},
                     true});
    }
  }
  std::string_view Text(std::string text) { return texts.emplace_back(std::move(text)); }
};

}  // namespace

std::span<const Overload> ListOrder() {
  static const Rows kRows;
  return kRows.all;
}

}  // namespace batholith::cel
