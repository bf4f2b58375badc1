#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

#include "framework/options/arguments.h"

namespace batholith {

// Of a plugin or action that takes no arguments.
struct NoOptions {};
inline NoOptions ReadNoOptions(const Arguments&) { return {}; }

namespace options_detail {

template <typename Options>
Options Unwrapped(const Options&);
template <typename Options>
Options Unwrapped(const OptionResult<Options>&);

}  // namespace options_detail

// What kRead, which returns options or an OptionResult of them, reads.
template <auto kRead>
using OptionsOf = decltype(options_detail::Unwrapped(kRead(std::declval<const Arguments&>())));

// kRead with its type forgotten: descriptors of all plugins stand in one list.
template <auto kRead>
OptionResult<std::shared_ptr<const void>> ReadErased(const Arguments& arguments) {
  using Options = OptionsOf<kRead>;
  auto options = kRead(arguments);
  if constexpr (std::same_as<decltype(options), Options>) {
    return std::make_shared<const Options>(std::move(options));
  } else {
    if (!options) return std::unexpected(options.error());
    return std::make_shared<const Options>(*std::move(options));
  }
}

}  // namespace batholith
