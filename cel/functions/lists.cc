#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cel/functions/costs.h"
#include "cel/functions/library.h"
#include "cel/functions/sequences.h"
#include "cel/functions/values.h"

namespace batholith::cel {
namespace {

using Kind = Value::Kind;

Value IntOfSize(std::size_t size) { return Value::Int(static_cast<std::int64_t>(size)); }

Value SizeOf(Arguments a, Work&) {
  switch (a[0].kind()) {
    case Kind::kString:
      return IntOfSize(CharacterCount(a[0].text()));
    case Kind::kBytes:
      return IntOfSize(a[0].text().size());
    case Kind::kList:
      return IntOfSize(a[0].list().size());
    case Kind::kMap:
      return IntOfSize(a[0].map().size());
    default:
      return Value::NoSuchOverload("size");
  }
}

Value InvalidRange(std::string what) {
  return Value::Fail(Failure::kInvalidArgument, std::move(what));
}

Value Slice(Arguments a, Work& work) {
  const std::int64_t start = a[1].as_int();
  const std::int64_t end = a[2].as_int();
  const auto size = static_cast<std::int64_t>(a[0].list().size());
  if (start < 0 || end < 0 || start > end || end > size)
    return InvalidRange("cannot slice(" + std::to_string(start) + ", " + std::to_string(end) +
                        ") of a list of " + std::to_string(size));
  if (!work.Spend(static_cast<std::uint64_t>(end - start))) return WorkExhausted();
  std::vector<Value> out;
  for (std::int64_t i = start; i < end; ++i)
    out.push_back(a[0].list().At(static_cast<std::size_t>(i)));
  return Value::ListOf(std::move(out));
}

// False: there is no work left.
bool FlattenInto(std::vector<Value>& out, const List& list, std::int64_t depth, Work& work) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!work.Spend(1)) return false;
    Value item = list.At(i);
    if (item.is(Kind::kList) && depth > 0) {
      if (!FlattenInto(out, item.list(), depth - 1, work)) return false;
    } else {
      out.push_back(std::move(item));
    }
  }
  return true;
}

Value Flatten(Arguments a, Work& work) {
  if (!a[0].is(Kind::kList) || (a.size() == 2 && !a[1].is(Kind::kInt)))
    return Value::NoSuchOverload("flatten");
  const std::int64_t depth = a.size() == 2 ? a[1].as_int() : 1;
  if (depth < 0) return InvalidRange("level must be non-negative");
  std::vector<Value> out;
  if (!FlattenInto(out, a[0].list(), depth, work)) return WorkExhausted();
  return Value::ListOf(std::move(out));
}

Value Range(Arguments a, Work& work) {
  std::vector<Value> out;
  const std::int64_t count = a[0].as_int();
  if (count > 0 && !work.Spend(static_cast<std::uint64_t>(count))) return WorkExhausted();
  for (std::int64_t i = 0; i < count; ++i) out.push_back(Value::Int(i));
  return Value::ListOf(std::move(out));
}

Value Reverse(Arguments a, Work& work) {
  if (!work.Spend(a[0].list().size())) return WorkExhausted();
  std::vector<Value> items = ItemsOf(a[0].list());
  return Value::ListOf({items.rbegin(), items.rend()});
}

Value Distinct(Arguments a, Work& work) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < a[0].list().size(); ++i) {
    Value item = a[0].list().At(i);
    bool seen = false;
    for (std::size_t o = 0; o < out.size() && !seen; ++o) {
      if (!work.Spend(1)) return WorkExhausted();
      seen = AreEqual(item, out[o], work);
    }
    if (!seen) out.push_back(std::move(item));
  }
  return Value::ListOf(std::move(out));
}

Value IndexOfItem(Arguments a, Work& work) {
  const List& list = a[0].list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (AreEqual(list.At(i), a[1], work)) return IntOfSize(i);
    if (work.exhausted()) return WorkExhausted();
  }
  return Value::Int(-1);
}

Value LastIndexOfItem(Arguments a, Work& work) {
  const List& list = a[0].list();
  for (std::size_t i = list.size(); i-- > 0;) {
    if (AreEqual(list.At(i), a[1], work)) return IntOfSize(i);
    if (work.exhausted()) return WorkExhausted();
  }
  return Value::Int(-1);
}

bool HasAll(const List& list, const List& items, Work& work) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!ListContains(list, items.At(i), work)) return false;
  }
  return true;
}

Value SetsContain(Arguments a, Work& work) {
  return Value::Bool(HasAll(a[0].list(), a[1].list(), work));
}

Value SetsEquivalent(Arguments a, Work& work) {
  return Value::Bool(HasAll(a[0].list(), a[1].list(), work) &&
                     HasAll(a[1].list(), a[0].list(), work));
}

Value SetsIntersect(Arguments a, Work& work) {
  for (std::size_t i = 0; i < a[0].list().size(); ++i) {
    if (ListContains(a[1].list(), a[0].list().At(i), work)) return Value::Bool(true);
  }
  return Value::Bool(false);
}

// Of Kubernetes' device selectors: an attribute may be one value or a list of a few.
Value Includes(Arguments a, Work& work) {
  constexpr std::size_t kMost = 48;
  if (!a[0].is(Kind::kList)) return Value::Bool(AreEqual(a[0], a[1], work));
  const List& list = a[0].list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i >= kMost)
      return Value::Fail(Failure::kInvalidArgument, "includes() of a list longer than 48 values");
    if (AreEqual(list.At(i), a[1], work)) return Value::Bool(true);
  }
  return Value::Bool(false);
}

Value InsertKey(Arguments a, Work& work) { return Inserted(a[0], a[1], a[2], work); }

Value InsertAll(Arguments a, Work& work) {
  Value out = a[0];
  for (const Value& key : a[1].map().Keys()) {
    out = Inserted(out, key, *a[1].map().Find(key), work);
    if (out.is_error()) return out;
  }
  return out;
}

constexpr CallCost kTraversal{costs::Traversal, true};
constexpr CallCost kNewList{costs::NewList};

constexpr std::array kLists{
    Overload{"size", "bytes", "int", SizeOf},
    Overload{"size", "bytes", "int", SizeOf, {}, true},
    Overload{"size", "list(A)", "int", SizeOf},
    Overload{"size", "list(A)", "int", SizeOf, {}, true},
    Overload{"size", "map(A, B)", "int", SizeOf},
    Overload{"size", "map(A, B)", "int", SizeOf, {}, true},
    Overload{"size", "string", "int", SizeOf},
    Overload{"size", "string", "int", SizeOf, {}, true},
    Overload{"slice", "list(T), int, int", "list(T)", Slice, kNewList, true},
    Overload{"flatten", "list(list(T))", "list(T)", Flatten, {costs::Flattened}, true, false},
    Overload{"flatten", "list(dyn), int", "list(dyn)", Flatten, {costs::Flattened}, true, false},
    Overload{"lists.range", "int", "list(int)", Range, kNewList},
    Overload{"reverse", "list(T)", "list(T)", Reverse, kNewList, true},
    Overload{"distinct", "list(T)", "list(T)", Distinct, {costs::SelfCompare}, true},
    Overload{"indexOf", "list(A), A", "int", IndexOfItem, kTraversal, true},
    Overload{"lastIndexOf", "list(A), A", "int", LastIndexOfItem, kTraversal, true},
    Overload{"sets.contains", "list(T), list(T)", "bool", SetsContain, {costs::Sets}},
    Overload{"sets.equivalent", "list(T), list(T)", "bool", SetsEquivalent, {costs::SetsBothWays}},
    Overload{"sets.intersects", "list(T), list(T)", "bool", SetsIntersect, {costs::Sets}},
    Overload{"includes", "dyn, dyn", "bool", Includes, {}, true},
    Overload{"cel.@mapInsert", "map(K, V), K, V", "map(K, V)", InsertKey},
    Overload{"cel.@mapInsert", "map(K, V), map(K, V)", "map(K, V)", InsertAll},
};

}  // namespace

std::span<const Overload> ListFunctions() { return kLists; }

}  // namespace batholith::cel
