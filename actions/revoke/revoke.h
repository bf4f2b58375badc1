#pragma once

#include "framework/action.h"

namespace batholith {

// Evicts what quotas hold beyond what they may for longer than they may (reference, elastic quotas,
// 3.9). Does nothing unless a plugin asks for it.
ActionDescriptor RevokeAction();

}  // namespace batholith
