#include "quota/gpu_memory.h"

#include <algorithm>

#include "api/resource_vector.h"
#include "api/value_text.h"

namespace batholith {
namespace {

constexpr std::string_view kGpu = "nvidia.com/gpu";
constexpr std::string_view kMpsPrefix = "nvidia.com/gpu-";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// How many digits stand at the end of `text`, and at its beginning.
std::size_t DigitsBefore(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && IsDigit(text[text.size() - 1 - n])) ++n;
  return n;
}

std::size_t DigitsAfter(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
}

// Cut off at 64 bits.
std::int64_t Number(std::string_view digits) {
  return ParseNumber<std::int64_t>(digits).value_or(INT64_MAX);
}

std::optional<std::int64_t> MpsGigabytes(std::string_view resource) {
  if (!resource.starts_with(kMpsPrefix) || !resource.ends_with("gb")) return std::nullopt;
  const std::string_view digits =
      resource.substr(kMpsPrefix.size(), resource.size() - kMpsPrefix.size() - 2);
  if (digits.empty() || DigitsAfter(digits) != digits.size()) return std::nullopt;
  return Number(digits);
}

}  // namespace

bool IsGpuMemory(std::string_view resource) {
  return resource == kGpuMemory || resource == kOldGpuMemory;
}

bool IsMigSlice(std::string_view resource) {
  constexpr std::string_view kPrefix = "nvidia.com/mig-";
  for (std::size_t at = resource.find(kPrefix); at != resource.npos;
       at = resource.find(kPrefix, at + 1)) {
    const std::string_view rest = resource.substr(at + kPrefix.size());
    const std::size_t parts = DigitsAfter(rest);
    if (parts == 0 || !rest.substr(parts).starts_with("g.")) continue;
    const std::string_view size = rest.substr(parts + 2);
    const std::size_t digits = DigitsAfter(size);
    if (digits > 0 && size.substr(digits).starts_with("gb")) return true;
  }
  return false;
}

std::optional<std::int64_t> MigGigabytes(std::string_view resource) {
  if (!IsMigSlice(resource)) return std::nullopt;
  std::optional<std::int64_t> gigabytes;
  for (std::size_t at = resource.find("gb"); at != resource.npos;
       at = resource.find("gb", at + 2)) {
    const std::size_t digits = DigitsBefore(resource.substr(0, at));
    if (digits == 0) continue;
    if (gigabytes) return std::nullopt;
    gigabytes = Number(resource.substr(at - digits, digits));
  }
  return gigabytes;
}

std::int64_t GpuMemoryOf(const ResourceList& request, const GpuMemoryOptions& options) {
  std::int64_t computed = 0;
  std::int64_t asked = 0;
  bool has_gpus = false;
  for (const auto& [name, amount] : request) {
    if (IsGpuMemory(name)) asked = std::max(asked, amount);
    std::optional<std::int64_t> gigabytes;
    if (name == kGpu) gigabytes = options.gpu_gigabytes;
    if (IsMigSlice(name)) gigabytes = MigGigabytes(name).value_or(0);
    if (options.mps_slices && !gigabytes) gigabytes = MpsGigabytes(name);
    if (!gigabytes || amount <= 0) continue;
    has_gpus = true;
    computed =
        ResourceVector::AddSaturating(computed, ResourceVector::MulSaturating(amount, *gigabytes));
  }
  return has_gpus ? computed : asked;
}

}  // namespace batholith
