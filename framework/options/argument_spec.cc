#include "framework/options/argument_spec.h"

#include <algorithm>

namespace batholith {

const ArgumentSpec* FindArgument(std::span<const ArgumentSpec> specs, std::string_view name) {
  const ArgumentSpec* found = nullptr;
  for (const ArgumentSpec& spec : specs) {
    if (!spec.name_is_prefix && spec.name == name) return &spec;
    if (!spec.name_is_prefix || !name.starts_with(spec.name) || name.size() == spec.name.size())
      continue;
    if (found == nullptr || spec.name.size() > found->name.size()) found = &spec;
  }
  return found;
}

const ArgumentSpec* FindField(std::span<const ArgumentSpec> fields, std::string_view key) {
  constexpr std::string_view kAny = "*";
  if (key == kAny) return nullptr;
  for (const std::string_view wanted : {key, kAny}) {
    const auto found = std::ranges::find(fields, wanted, &ArgumentSpec::name);
    if (found != fields.end()) return &*found;
  }
  return nullptr;
}

const RetiredArgument* FindRetired(std::span<const RetiredArgument> retired,
                                   std::string_view name) {
  const auto found = std::ranges::find_if(retired, [name](const RetiredArgument& entry) {
    return entry.name.ends_with('.') ? name.starts_with(entry.name) : name == entry.name;
  });
  return found == retired.end() ? nullptr : &*found;
}

}  // namespace batholith
