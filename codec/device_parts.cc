#include "codec/device_parts.h"

#include <algorithm>
#include <boost/json.hpp>

#include "codec/encode_parts.h"
#include "codec/json/parse.h"
#include "codec/json/text.h"
#include "codec/selector.h"

namespace batholith {

namespace json = boost::json;

std::string_view DeviceTaintEffectName(DeviceTaintEffect effect) {
  return kDeviceTaintEffects[static_cast<std::size_t>(effect)].text;
}

std::vector<Field> ItemsUpTo(std::size_t most, const Field& list) {
  std::vector<Field> out = list.Items();
  if (out.size() <= most) return out;
  list.Flaw("has more than " + std::to_string(most) + " entries");
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(most), out.end());
  return out;
}

DeviceAmount ReadDeviceAmount(const Field& amount) {
  if (!amount.present()) return 0;
  const std::size_t flaws = amount.flaw_count();
  const std::string text = amount.TextOrNumber();
  if (amount.flaw_count() != flaws) return 0;
  const Result<DeviceAmount> read = ParseDeviceAmount(text);
  if (!read) {
    amount.Flaw(read.error().message);
    return 0;
  }
  if (*read < 0) amount.Flaw("must not be negative");
  return std::max<DeviceAmount>(*read, 0);
}

DeviceAmounts ReadDeviceAmounts(const Field& amounts) {
  DeviceAmounts out;
  for (const auto& [name, amount] : amounts.Entries()) out[name] = ReadDeviceAmount(amount);
  return out;
}

json::object DeviceAmountsObject(const DeviceAmounts& amounts) {
  json::object out;
  for (const auto& [name, amount] : amounts) out[name] = DeviceAmountText(amount);
  return out;
}

std::optional<std::vector<NodeSelectorTerm>> ReadNodeTerms(const Field& selector) {
  if (!selector.present()) return std::nullopt;
  std::vector<NodeSelectorTerm> out;
  for (const Field& term : selector["nodeSelectorTerms"].Items()) out.push_back(ReadNodeTerm(term));
  return out;
}

json::object NodeTermsObject(const std::vector<NodeSelectorTerm>& terms) {
  json::array list;
  for (const NodeSelectorTerm& term : terms) list.push_back(NodeTermObject(term));
  return {{"nodeSelectorTerms", std::move(list)}};
}

std::vector<std::string> ReadDeviceSelectors(const Field& selectors) {
  std::vector<std::string> out;
  for (const Field& selector : ItemsUpTo(32, selectors)) {
    const Field expression = selector["cel"]["expression"];
    if (!expression.present()) expression.Flaw("is missing");
    out.push_back(expression.Text());
  }
  return out;
}

json::array DeviceSelectorList(const std::vector<std::string>& selectors) {
  json::array out;
  for (const std::string& selector : selectors)
    out.push_back(json::object{{"cel", json::object{{"expression", selector}}}});
  return out;
}

DeviceConfig ReadDeviceConfig(const Field& config) {
  const Field opaque = config["opaque"];
  DeviceConfig out{config["requests"].Texts(), opaque["driver"].Text(), {}};
  if (const Field parameters = opaque["parameters"]; parameters.present())
    out.parameters = JsonText(*parameters.value());
  return out;
}

json::object DeviceConfigObject(const DeviceConfig& config) {
  json::object out;
  Put(out, "requests", TextList(config.requests));
  json::object opaque;
  Put(opaque, "driver", config.driver);
  if (!config.parameters.empty())
    opaque["parameters"] = ParseJsonValue(config.parameters).value_or(nullptr);
  Put(out, "opaque", std::move(opaque));
  return out;
}

}  // namespace batholith
