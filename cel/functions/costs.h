#pragma once

#include "cel/functions/function.h"

// What calls cost, as cel-go 0.26 and Kubernetes 1.36 count it (interpreter/runtimecost.go,
// apiserver's library/cost.go): a tenth for each character that is looked at, and a quarter of the
// length of a regular expression for each of those.
namespace batholith::cel::costs {

inline constexpr std::uint64_t kList = 10;
inline constexpr std::uint64_t kMap = 30;

std::uint64_t Part(std::uint64_t size, double factor);  // rounded up

// Of the first argument's characters.
std::uint64_t Text(Arguments arguments, const Value& result);
std::uint64_t TwiceText(Arguments arguments, const Value& result);
// Of the result's.
std::uint64_t TwiceResult(Arguments arguments, const Value& result);
// Of the shorter one, of both, of one times the other.
std::uint64_t ShorterText(Arguments arguments, const Value& result);
std::uint64_t BothTexts(Arguments arguments, const Value& result);
std::uint64_t TextTimesText(Arguments arguments, const Value& result);
std::uint64_t Pattern(Arguments arguments, const Value& result);
// One for each element of the second argument.
std::uint64_t SecondSize(Arguments arguments, const Value& result);
// Everything in the first argument; not rounded up.
std::uint64_t Traversal(Arguments arguments, const Value& result);
// Lists that are made: of the size of the result, or of the first argument for each level.
std::uint64_t NewList(Arguments arguments, const Value& result);
std::uint64_t Flattened(Arguments arguments, const Value& result);
// Each element with each other one, of the first list or of the second.
std::uint64_t SelfCompare(Arguments arguments, const Value& result);
std::uint64_t SelfCompareSecond(Arguments arguments, const Value& result);
// Each of one list with each of the other; both ways.
std::uint64_t Sets(Arguments arguments, const Value& result);
std::uint64_t SetsBothWays(Arguments arguments, const Value& result);
std::uint64_t ContainsAddress(Arguments arguments, const Value& result);
std::uint64_t ContainsNetwork(Arguments arguments, const Value& result);

}  // namespace batholith::cel::costs
