#include "quota/gpu_memory.h"

#include <algorithm>
#include <charconv>

#include "api/resource_vector.h"

namespace batholith {
namespace {

constexpr std::string_view kGpu = "nvidia.com/gpu";
constexpr std::string_view kMigPrefix = "nvidia.com/mig-";
constexpr std::string_view kMpsPrefix = "nvidia.com/gpu-";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits from `at` on, followed by `unit`: the position behind it; npos: it is not so.
std::size_t DigitsThen(std::string_view text, std::size_t at, std::string_view unit) {
  std::size_t end = at;
  while (end < text.size() && IsDigit(text[end])) ++end;
  if (end == at || !text.substr(end).starts_with(unit)) return text.npos;
  return end + unit.size();
}

std::optional<std::int64_t> Number(std::string_view digits) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return out;
}

std::int64_t Saturated(std::int64_t count, std::int64_t gb) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(count, gb, &out) ? INT64_MAX : out;
}

}  // namespace

bool IsMigResource(std::string_view resource) {
  for (std::size_t at = resource.find(kMigPrefix); at != resource.npos;
       at = resource.find(kMigPrefix, at + 1)) {
    const std::size_t slices = DigitsThen(resource, at + kMigPrefix.size(), "g.");
    if (slices != resource.npos && DigitsThen(resource, slices, "gb") != resource.npos) return true;
  }
  return false;
}

std::optional<std::int64_t> MigMemoryGb(std::string_view resource) {
  std::optional<std::int64_t> found;
  for (std::size_t i = 0; i < resource.size();) {
    if (!IsDigit(resource[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < resource.size() && IsDigit(resource[end])) ++end;
    if (resource.substr(end).starts_with("gb")) {
      if (found) return std::nullopt;
      found = Number(resource.substr(i, end - i));
      if (!found) return std::nullopt;
    }
    i = end;
  }
  return found;
}

GpuMemory GpuMemoryOf(const ResourceList& request, std::int64_t gb_per_gpu, bool mps_slices) {
  GpuMemory out;
  for (const auto& [name, amount] : request) {
    std::int64_t gb = 0;
    if (name == kGpu) {
      gb = gb_per_gpu;
    } else if (IsMigResource(name)) {
      gb = MigMemoryGb(name).value_or(0);
    } else if (mps_slices && name.starts_with(kMpsPrefix) &&
               DigitsThen(name, kMpsPrefix.size(), "gb") == name.size()) {
      gb = MigMemoryGb(name).value_or(0);
    } else {
      continue;
    }
    const std::int64_t count = (amount + ResourceScale(name) - 1) / ResourceScale(name);
    if (count <= 0) continue;
    out.has_devices = true;
    out.gb = ResourceVector::AddSaturating(out.gb, Saturated(count, gb));
  }
  return out;
}

}  // namespace batholith
