#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cel/functions/function.h"

namespace batholith::cel {

// Every function of this build, by an index that never changes while the program runs.
const Declaration& DeclarationAt(std::uint16_t index);
// The overloads of a function in their order; empty: there is no such function.
std::span<const std::uint16_t> OverloadsOf(std::string_view function);
// Functions that Kubernetes has and this build does not.
bool IsKnownElsewhere(std::string_view function);
// Names of types that an expression may use as values: "int", "net.IP". Null: none.
TypeRef TypeNamed(std::string_view name);

// The tables, one for each library.
std::span<const Overload> Operators();
std::span<const Overload> Conversions();
std::span<const Overload> TextFunctions();
std::span<const Overload> TextSearch();
std::span<const Overload> ListFunctions();
std::span<const Overload> ListOrder();
std::span<const Overload> TimeFunctions();
std::span<const Overload> OptionalFunctions();
std::span<const Overload> QuantityFunctions();
std::span<const Overload> VersionFunctions();
std::span<const Overload> NetworkFunctions();
std::span<const Overload> UrlFunctions();
std::span<const Overload> FormatFunctions();

}  // namespace batholith::cel
