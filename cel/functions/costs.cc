#include "cel/functions/costs.h"

#include <algorithm>
#include <cmath>

#include "cel/functions/values.h"

namespace batholith::cel::costs {
namespace {

constexpr double kCharacter = 0.1;
constexpr double kPatternCharacter = 0.25;
// Beyond every limit, and far from an overflow.
constexpr std::uint64_t kSumLimit = 1ULL << 40U;

std::uint64_t SumOf(const Value& value, int depth) {
  // Deeper values than any expression can write down are not looked at.
  constexpr int kDeepest = 600;
  if (depth > kDeepest) return 1;
  std::uint64_t sum = 0;
  switch (value.kind()) {
    case Value::Kind::kString:
    case Value::Kind::kBytes:
      return static_cast<std::uint64_t>(static_cast<double>(value.text().size()) * kCharacter);
    case Value::Kind::kList:
      for (std::size_t i = 0; i < value.list().size() && sum < kSumLimit; ++i)
        sum += SumOf(value.list().At(i), depth + 1);
      return sum;
    case Value::Kind::kMap:
      for (const Value& key : value.map().Keys()) {
        const auto item = value.map().Find(key);
        sum += SumOf(key, depth + 1) + (item ? SumOf(*item, depth + 1) : 1);
        if (sum >= kSumLimit) break;
      }
      return sum;
    default:
      return 1;
  }
}

std::uint64_t Scaled(std::uint64_t size, double factor) {
  const double cost = static_cast<double>(size) * factor;
  return cost >= static_cast<double>(kSumLimit) ? kSumLimit : static_cast<std::uint64_t>(cost);
}

std::uint64_t Times(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kSumLimit / a ? kSumLimit : a * b;
}

std::uint64_t Compared(const Value& value) {
  const std::uint64_t size = CostSize(value);
  double factor = 2;
  if (size != 0 && value.is(Value::Kind::kList)) {
    const Value first = value.list().At(0);
    if (first.is(Value::Kind::kString) || first.is(Value::Kind::kBytes)) factor += kCharacter;
  }
  return Scaled(Times(size, size), factor) + 1 + kList;
}

}  // namespace

std::uint64_t Part(std::uint64_t size, double factor) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(size) * factor));
}

std::uint64_t Text(Arguments arguments, const Value&) {
  return Part(CostSize(arguments[0]), kCharacter);
}

std::uint64_t TwiceText(Arguments arguments, const Value&) {
  return Part(CostSize(arguments[0]), 2 * kCharacter);
}

std::uint64_t TwiceResult(Arguments, const Value& result) {
  return Part(CostSize(result), 2 * kCharacter);
}

std::uint64_t ShorterText(Arguments arguments, const Value&) {
  return Part(std::min(CostSize(arguments[0]), CostSize(arguments[1])), kCharacter);
}

std::uint64_t BothTexts(Arguments arguments, const Value&) {
  return Part(CostSize(arguments[0]) + CostSize(arguments[1]), kCharacter);
}

std::uint64_t TextTimesText(Arguments arguments, const Value&) {
  return Part(CostSize(arguments[0]), kCharacter) * Part(CostSize(arguments[1]), kCharacter);
}

std::uint64_t Pattern(Arguments arguments, const Value&) {
  return Part(CostSize(arguments[0]) + 1, kCharacter) *
         Part(CostSize(arguments[1]), kPatternCharacter);
}

std::uint64_t SecondSize(Arguments arguments, const Value&) { return CostSize(arguments[1]); }

std::uint64_t Traversal(Arguments arguments, const Value&) { return SumOf(arguments[0], 0); }

std::uint64_t NewList(Arguments, const Value& result) { return CostSize(result) + 1 + kList; }

std::uint64_t Flattened(Arguments arguments, const Value&) {
  const bool depth = arguments.size() == 2 && arguments[1].is(Value::Kind::kInt);
  const double levels = depth ? std::max(0.0, static_cast<double>(arguments[1].as_int())) : 1.0;
  return Scaled(CostSize(arguments[0]), levels) + 1 + kList;
}

std::uint64_t SelfCompare(Arguments arguments, const Value&) { return Compared(arguments[0]); }

std::uint64_t SelfCompareSecond(Arguments arguments, const Value&) {
  return Compared(arguments[1]);
}

std::uint64_t Sets(Arguments arguments, const Value&) {
  return 1 + Times(CostSize(arguments[0]), CostSize(arguments[1]));
}

std::uint64_t SetsBothWays(Arguments arguments, const Value&) {
  return 1 + Times(2, Times(CostSize(arguments[0]), CostSize(arguments[1])));
}

std::uint64_t ContainsAddress(Arguments arguments, const Value&) {
  const std::uint64_t network = CostSize(arguments[0]);
  const std::uint64_t text =
      arguments[1].is(Value::Kind::kString) ? Part(CostSize(arguments[1]), kCharacter) : 0;
  return Part(2 * network, kCharacter) + text;
}

std::uint64_t ContainsNetwork(Arguments arguments, const Value& result) {
  return ContainsAddress(arguments, result) + Part(CostSize(arguments[0]), kCharacter) + 1;
}

}  // namespace batholith::cel::costs
