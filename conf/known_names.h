#pragma once

#include <span>
#include <string_view>

namespace batholith {

// An action or plugin that Volcano or kube-batch had and gave up. A conf that still has it loads,
// with a warning.
struct RetiredName {
  std::string_view name;
  std::string_view reason;  // what became of it
};

const RetiredName* FindRetiredAction(std::string_view name);
const RetiredName* FindRetiredPlugin(std::string_view name);

// Names that Volcano has at HEAD, or that are ours to come, and that this list says may be missing
// from a build.
std::span<const std::string_view> LaterActions();
std::span<const std::string_view> LaterPlugins();

}  // namespace batholith
