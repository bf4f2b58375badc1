#include "actions/slack/options.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "api/value_text.h"

namespace batholith {

template <>
struct Vocabulary<SlackShape> {
  static constexpr std::pair<std::string_view, SlackShape> kWords[] = {
      {"average", SlackShape::kAverage},
      {"biggest", SlackShape::kBiggest},
      {"envelope", SlackShape::kEnvelope}};
};

namespace {

using Type = ArgumentSpec::Type;

constexpr std::int64_t kOne = 1'000'000;
// What the seed of this feature called the rate.
constexpr std::string_view kSeedRate = "extra-capacity-min-rate";

constexpr std::string_view kBases[] = {"requested", "capacity"};
constexpr std::string_view kPlacements[] = {"auto", "pack", "spread"};

constexpr ArgumentSpec kConsumers[] = {
    {.name = "minPriority",
     .type = Type::kInt,
     .min = INT32_MIN,
     .max = INT32_MAX,
     .summary = "pods, or groups, of this priority at least"},
    {.name = "queues", .type = Type::kStringList, .summary = "pods of these queues"},
};

constexpr ArgumentSpec kArguments[] = {
    {.name = "rate",
     .type = Type::kString,
     .default_text = "0",
     .summary = "room to keep, as a part of the base: 10% or 0.1"},
    {.name = kSeedRate, .type = Type::kString, .summary = "another spelling of rate"},
    {.name = "base",
     .type = Type::kString,
     .default_text = "requested",
     .summary = "what the rate is of",
     .choices = kBases},
    {.name = "granularity",
     .type = Type::kInt,
     .default_text = "5",
     .min = 1,
     .max = 100,
     .summary = "how many standard placeholders an average node holds"},
    {.name = "shape",
     .type = Type::kString,
     .default_text = "envelope",
     .summary = "placeholders of an average size only, also of the biggest pods, or of their "
                "envelope",
     .choices = kWordsOf<SlackShape>},
    {.name = "maxPlaceholders",
     .type = Type::kInt,
     .default_text = "5000",
     .min = 1,
     .max = 100'000,
     .summary = "standard placeholders; beyond it they are made larger"},
    {.name = "stabilizationWindow",
     .type = Type::kDuration,
     .default_text = "5m",
     .min = 0,
     .max = 86'400,
     .summary = "slack shrinks to the largest count of this time"},
    {.name = "placement",
     .type = Type::kString,
     .default_text = "auto",
     .summary = "full nodes first, empty ones first, or as pods are placed",
     .choices = kPlacements},
    BoolArgument("capacityBuffers", "true", "read CapacityBuffer objects"),
    {.name = "consumers",
     .type = Type::kMap,
     .summary = "who may use the room of placeholders; nobody named: anybody",
     .fields = kConsumers},
};

// "10%", "0.1", "12.5 %", exact to a millionth. Nothing where the text is no such number, is
// negative or has more digits.
std::optional<std::int64_t> ParseRatePpm(std::string_view text) {
  text = Trim(text);
  int decimals = 6;
  if (text.ends_with('%')) {
    text = Trim(text.substr(0, text.size() - 1));
    decimals = 4;
  }
  const std::size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  std::string_view part = dot == std::string_view::npos ? "" : text.substr(dot + 1);
  while (part.ends_with('0')) part.remove_suffix(1);
  if (part.size() > static_cast<std::size_t>(decimals) || whole.size() > 6) return std::nullopt;
  if (whole.empty() && part.empty()) return std::nullopt;
  std::string digits(whole);
  digits += part;
  digits.append(static_cast<std::size_t>(decimals) - part.size(), '0');
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  return ParseInt(digits);
}

OptionResult<void> ReadRate(const Arguments& arguments, SlackOptions& out) {
  if (arguments.Has("rate") && arguments.Has(kSeedRate))
    return arguments.Fail(kSeedRate,
                          "rate and " + std::string(kSeedRate) + " are the same: give one of them");
  const std::string name(arguments.Has(kSeedRate) ? kSeedRate : "rate");
  const std::string text = arguments.Text(name);
  const std::optional<std::int64_t> rate = ParseRatePpm(text);
  if (!rate) {
    return arguments.Fail(
        name,
        name + ": \"" + text + "\" is not a rate: write 10% or 0.1, not negative, to a millionth");
  }
  out.rate_ppm = *rate;
  out.capacity_base = arguments.Text("base") == "capacity";
  if (!out.capacity_base || out.rate_ppm < kOne) return {};
  return arguments.Fail(
      name, name + ": \"" + text +
                "\" of the capacity never settles, since each node that joins asks for another: "
                "it must be below 100%, or base: requested");
}

OptionResult<SlackConsumers> ReadConsumers(const Arguments& arguments) {
  SlackConsumers out;
  if (arguments.Has("minPriority"))
    out.min_priority = static_cast<std::int32_t>(arguments.Int("minPriority"));
  for (std::string& name : arguments.Items("queues")) {
    if (Trim(name).empty())
      return arguments.Fail("queues", "consumers/queues: a queue without a name");
    if (std::ranges::find(out.queues, name) != out.queues.end())
      return arguments.Fail("queues", "consumers/queues: \"" + name + "\" appears twice");
    out.queues.push_back(std::move(name));
  }
  if (arguments.Has("queues") && out.queues.empty())
    return arguments.Fail("queues", "consumers/queues: names no queue");
  return out;
}

std::optional<SlackOrder> OrderNamed(const std::string& placement) {
  if (placement == "pack") return SlackOrder::kPack;
  if (placement == "spread") return SlackOrder::kSpread;
  return std::nullopt;
}

}  // namespace

std::span<const ArgumentSpec> SlackArguments() { return kArguments; }

OptionResult<SlackOptions> ReadSlackOptions(const Arguments& arguments) {
  SlackOptions out;
  if (const OptionResult<void> rate = ReadRate(arguments, out); !rate)
    return std::unexpected(rate.error());
  out.granularity = arguments.Int("granularity");
  out.shape = arguments.Choice<SlackShape>("shape");
  out.max_placeholders = arguments.Int("maxPlaceholders");
  out.window = *arguments.Duration("stabilizationWindow");
  out.order = OrderNamed(arguments.Text("placement"));
  out.capacity_buffers = arguments.Bool("capacityBuffers");
  OptionResult<SlackConsumers> consumers = ReadConsumers(arguments.Map("consumers"));
  if (!consumers) return std::unexpected(consumers.error());
  out.consumers = *std::move(consumers);
  return out;
}

}  // namespace batholith
