#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/pipeline.h"

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

// Why a registry that does not have an action or plugin of this name refuses it: it is known and
// not in this build, or nobody knows it (with a "did you mean").
struct MissingName {
  bool is_known = false;
  std::string why;
};
MissingName MissingAction(const Registry& registry, std::string_view name);
MissingName MissingPlugin(const Registry& registry, std::string_view name);

}  // namespace batholith
