#pragma once

namespace batholith {

// Composite groups above a group of pods that are looked at; servers allow four.
constexpr int kDeepestComposite = 8;

}  // namespace batholith
