#include "actions/slack/model/sizing.h"

#include <algorithm>

#include "api/wide.h"

namespace batholith {
namespace {

// Shapes of real pods that stand in for an envelope which no node holds.
constexpr std::size_t kMaxShapes = 8;
// Pieces get no smaller than this part of an average node.
constexpr std::int64_t kMaxGranularity = 1'000'000;

std::int64_t CeilDiv(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

bool FitsAny(const Shape& shape, const SizingInput& input) {
  const auto holds = [&](const Shape& node) { return shape.FitsIn(node); };
  return std::ranges::any_of(input.nodes, holds) || std::ranges::any_of(input.templates, holds);
}

Shape Piece(const Shape& sum, std::int64_t nodes, std::int64_t granularity) {
  const std::int64_t pieces = ResourceVector::MulSaturating(nodes, granularity);
  return {CeilDiv(sum.cpu_m, pieces), CeilDiv(sum.mem_mib, pieces)};
}

// Pieces only shrink as granularity grows, so the smallest one that fits is found by halving.
std::optional<std::int64_t> SmallestFitting(const Shape& sum, const SizingInput& input) {
  const auto nodes = static_cast<std::int64_t>(input.nodes.size());
  const auto fits = [&](std::int64_t k) { return FitsAny(Piece(sum, nodes, k), input); };
  if (fits(input.granularity)) return input.granularity;
  std::int64_t no = input.granularity;
  std::int64_t yes = no;
  do {
    if (yes >= kMaxGranularity) return std::nullopt;
    no = yes;
    yes = std::min(kMaxGranularity, yes * 2);
  } while (!fits(yes));
  while (yes - no > 1) {
    const std::int64_t middle = no + (yes - no) / 2;
    (fits(middle) ? yes : no) = middle;
  }
  return yes;
}

std::vector<Shape> BiggestPods(std::span<const Shape> pods) {
  // Of equal ones the other resource decides, so that the order of pods does not matter.
  const Shape cpu = *std::ranges::max_element(pods);
  const Shape mem = *std::ranges::max_element(
      pods, {}, [](const Shape& s) { return std::pair(s.mem_mib, s.cpu_m); });
  if (cpu == mem || mem.FitsIn(cpu)) return {cpu};
  if (cpu.FitsIn(mem)) return {mem};
  return {cpu, mem};
}

// Shapes that no other one covers, most cpu first.
std::vector<Shape> NotCovered(const SizingInput& input) {
  std::vector<Shape> pods(input.pods.begin(), input.pods.end());
  std::erase_if(pods, [&](const Shape& pod) { return !FitsAny(pod, input); });
  std::ranges::sort(pods, std::greater<>());
  std::vector<Shape> out;
  for (const Shape& pod : pods) {
    if (out.size() == kMaxShapes) break;
    if (out.empty() || pod.mem_mib > out.back().mem_mib) out.push_back(pod);
  }
  return out;
}

std::vector<Shape> Special(const SizingInput& input) {
  if (input.shape == SlackShape::kAverage || input.pods.empty()) return {};
  if (input.shape == SlackShape::kBiggest) {
    std::vector<Shape> out = BiggestPods(input.pods);
    std::erase_if(out, [&](const Shape& pod) { return !FitsAny(pod, input); });
    return out;
  }
  Shape envelope;
  for (const Shape& pod : input.pods) envelope = Shape::Max(envelope, pod);
  if (FitsAny(envelope, input)) return {envelope};
  return NotCovered(input);
}

// No standard placeholder is larger than the most demanding pod (S6).
Shape Clamped(Shape piece, const SizingInput& input) {
  if (input.shape == SlackShape::kAverage) return piece;
  Shape biggest;
  for (const Shape& pod : input.pods) biggest = Shape::Max(biggest, pod);
  if (biggest.cpu_m > 0) piece.cpu_m = std::min(piece.cpu_m, biggest.cpu_m);
  if (biggest.mem_mib > 0) piece.mem_mib = std::min(piece.mem_mib, biggest.mem_mib);
  return piece;
}

// How many times a node holds it.
std::int64_t TimesInBiggest(const Shape& size, const SizingInput& input) {
  std::int64_t times = 0;
  const auto look = [&](const Shape& node) {
    std::int64_t n = INT64_MAX;
    if (size.cpu_m > 0) n = std::min(n, node.cpu_m / size.cpu_m);
    if (size.mem_mib > 0) n = std::min(n, node.mem_mib / size.mem_mib);
    times = std::max(times, n);
  };
  std::ranges::for_each(input.nodes, look);
  std::ranges::for_each(input.templates, look);
  return times;
}

// Fewer and larger pieces of the same proportions. A node still holds each: S6 gives way, S3 never.
void Merge(const SizingInput& input, Sizing& out) {
  const std::int64_t wanted = CeilDiv(out.count, input.max_placeholders);
  out.size = out.size * std::min(wanted, TimesInBiggest(out.size, input));
  out.count = PiecesFor(out.remaining, out.size);
  out.capped = out.count > input.max_placeholders;
  out.count = std::min(out.count, input.max_placeholders);
}

bool Near(std::int64_t before, std::int64_t now) { return std::abs(now - before) <= before / 10; }

}  // namespace

Shape Sizing::Total() const {
  Shape total = size * count;
  for (const Shape& shape : special) total = total + shape;
  return total;
}

std::int64_t PiecesFor(const Shape& amount, const Shape& size) {
  std::int64_t pieces = 0;
  if (amount.cpu_m > 0 && size.cpu_m > 0) pieces = CeilDiv(amount.cpu_m, size.cpu_m);
  if (amount.mem_mib > 0 && size.mem_mib > 0)
    pieces = std::max(pieces, CeilDiv(amount.mem_mib, size.mem_mib));
  return pieces;
}

std::int64_t PartOf(std::int64_t amount, std::int64_t ppm) {
  const Wide exact = static_cast<Wide>(amount) * ppm;
  const Wide part = (exact + 999'999) / 1'000'000;
  return part > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(part);
}

Sizing SizeSlack(const SizingInput& input) {
  Sizing out;
  out.granularity = input.granularity;
  if (input.rate_ppm == 0 || input.nodes.empty()) return out;
  out.extra = {PartOf(input.base.cpu_m, input.rate_ppm),
               PartOf(input.base.mem_mib, input.rate_ppm)};
  if (out.extra.empty()) return out;
  Shape sum;
  for (const Shape& node : input.nodes) sum = sum + node;
  out.special = Special(input);
  out.remaining = out.extra;
  for (const Shape& shape : out.special) {
    out.remaining.cpu_m = std::max<std::int64_t>(0, out.remaining.cpu_m - shape.cpu_m);
    out.remaining.mem_mib = std::max<std::int64_t>(0, out.remaining.mem_mib - shape.mem_mib);
  }
  const std::optional<std::int64_t> granularity = SmallestFitting(sum, input);
  if (!granularity) {
    out.too_large = true;
    return out;
  }
  out.granularity = *granularity;
  out.size =
      Clamped(Piece(sum, static_cast<std::int64_t>(input.nodes.size()), *granularity), input);
  const bool keep = input.keep && Near(input.keep->cpu_m, out.size.cpu_m) &&
                    Near(input.keep->mem_mib, out.size.mem_mib) && FitsAny(*input.keep, input);
  if (keep) out.size = *input.keep;
  out.count = PiecesFor(out.remaining, out.size);
  if (out.count > input.max_placeholders) Merge(input, out);
  return out;
}

}  // namespace batholith
