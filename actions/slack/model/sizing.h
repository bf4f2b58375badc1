#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actions/slack/model/shape.h"

// How much room the rate asks for, and in pieces of which size. Integers only: a floating-point
// 7 % of 100 cores would ask for a piece too many.
namespace batholith {

enum class SlackShape : std::uint8_t {
  kAverage,   // pieces of an average node (v1)
  kBiggest,   // and the pods with most cpu and with most memory (v2a)
  kEnvelope,  // and one pod that has both maxima, where a node holds it (v2b)
};

struct SizingInput {
  std::span<const Shape> nodes = {};  // allocatable of the nodes that slack may use
  std::span<const Shape> templates =
      {};                            // of node groups; they count for what fits, not for averages
  std::span<const Shape> pods = {};  // shapes of the pods that slack is for, in any order
  Shape base = {};                   // what the rate is of
  std::int64_t rate_ppm = 0;
  std::int64_t granularity = 5;
  std::int64_t max_placeholders = INT64_MAX;
  SlackShape shape = SlackShape::kAverage;
  // The standard size of before. It stays where it still fits a node and a new one would differ by
  // 10 % at most, so that placeholders keep their places.
  std::optional<Shape> keep = std::nullopt;
};

struct Sizing {
  Shape extra;                   // ceil(base × rate)
  std::vector<Shape> special;    // one placeholder each
  Shape remaining;               // of extra, beside the special ones
  std::int64_t granularity = 0;  // the smallest one from the asked on at which a piece fits a node
  Shape size;                    // of a standard placeholder; empty: there is none
  std::int64_t count = 0;        // of standard placeholders
  bool too_large = false;        // no granularity gives a piece that a node holds
  bool capped = false;           // max_placeholders keeps it below what the rate asks for

  Shape Total() const;
};

// Cost: O(nodes × log + pods × log).
Sizing SizeSlack(const SizingInput& input);

// The pieces of `size` that cover `amount` in both resources. REQUIRES: size > 0 where amount is.
std::int64_t PiecesFor(const Shape& amount, const Shape& size);

// ceil(amount × ppm / 10^6) without overflow.
std::int64_t PartOf(std::int64_t amount, std::int64_t ppm);

}  // namespace batholith
