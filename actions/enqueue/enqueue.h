#pragma once

#include "framework/action.h"

namespace batholith {

// Admits pending groups in queue, namespace and job order: a group without minResources always,
// another when the plugins vote for it. A refused group waits for the next session; smaller ones
// behind it may pass.
ActionDescriptor EnqueueAction();

}  // namespace batholith
