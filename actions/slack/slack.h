#pragma once

#include "framework/action.h"

namespace batholith {

// Keeps room for pods that have not come yet: placeholders that stand in the report of the session
// only, on what the actions before it left, and stay there from session to session while real pods
// let them. Takes nothing from anybody. Cost: O(tasks + nodes + placeholders), and of a placeholder
// that needs a place O(nodes) for its whole class.
ActionDescriptor SlackAction();

}  // namespace batholith
