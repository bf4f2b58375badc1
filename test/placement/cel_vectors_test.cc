#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "api/device_amount.h"
#include "codec/json/text.h"
#include "codec/yaml.h"
#include "devices/device_selector.h"
#include "test/source_dir.h"

// What Kubernetes' compiler and evaluator of device selectors decided: every file of kind
// SelectorVectors in $BATHOLITH_SHARED/placement.
namespace batholith {
namespace {

namespace json = boost::json;

std::filesystem::path VectorFolder() {
  const char* shared = std::getenv("BATHOLITH_SHARED");
  const std::filesystem::path root = SourceDir();
  return (shared == nullptr ? root.parent_path() / "shared" : std::filesystem::path(shared)) /
         "placement";
}

std::string TextOf(const json::value& value) {
  return value.is_string() ? std::string(value.as_string()) : JsonText(value);
}

DeviceAttribute AttributeOf(const json::object& written) {
  const auto& [kind, value] = *written.begin();
  if (kind == "int") return value.as_int64();
  if (kind == "bool") return value.as_bool();
  if (kind == "version") return DeviceVersion{TextOf(value)};
  return TextOf(value);
}

struct NamedDevice {
  std::string driver;
  Device device;
};

NamedDevice SelectorDevice(const json::object& written) {
  NamedDevice out;
  out.driver = written.at("driver").as_string();
  for (const auto& [name, attribute] : written.at("attributes").as_object())
    out.device.attributes[std::string(name)] = AttributeOf(attribute.as_object());
  for (const auto& [name, capacity] : written.at("capacity").as_object()) {
    const auto amount = ParseDeviceAmount(TextOf(capacity.at("value")));
    EXPECT_TRUE(amount) << name;
    if (amount) out.device.capacity[std::string(name)].value = *amount;
  }
  const json::value* shareable = written.if_contains("allowMultipleAllocations");
  out.device.shareable = shareable != nullptr && shareable->as_bool();
  return out;
}

void CheckSelector(const json::object& vector, const NamedDevice& device) {
  SCOPED_TRACE(TextOf(vector.at("id")) + ": " + TextOf(vector.at("expr")));
  const std::string wanted = TextOf(vector.at("result"));
  const auto selector = DeviceSelector::Compile(TextOf(vector.at("expr")));
  EXPECT_EQ(!selector, wanted == "compile-error");
  if (!selector) return;
  const auto matches = selector->Matches(device.driver, device.device);
  if (matches) {
    EXPECT_EQ(*matches ? "true" : "false", wanted);
    return;
  }
  EXPECT_EQ(wanted, "runtime-error") << matches.error().message;
  const json::value* reason = vector.if_contains("reason");
  EXPECT_EQ(ReasonName(matches.error()), reason == nullptr ? "" : TextOf(*reason));
}

// How many expressions a document has.
std::size_t CheckAll(const json::object& document) {
  const json::value* kind = document.if_contains("kind");
  if (kind == nullptr || *kind != "SelectorVectors") return 0;
  std::map<std::string, NamedDevice> devices;
  for (const auto& [name, device] : document.at("devices").as_object())
    devices.emplace(std::string(name), SelectorDevice(device.as_object()));
  const json::array& expressions = document.at("expressions").as_array();
  for (const json::value& vector : expressions)
    CheckSelector(vector.as_object(), devices.at(TextOf(vector.at("device"))));
  return expressions.size();
}

TEST(SelectorVectors, each_expression_gives_what_kubernetes_found) {
  const std::filesystem::path folder = VectorFolder();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  std::size_t compared = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".yaml") continue;
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto documents = ParseDocuments(text, file.path().string());
    ASSERT_TRUE(documents) << documents.error().message;
    for (const json::value& document : *documents) compared += CheckAll(document.as_object());
  }
  EXPECT_GT(compared, 0U);
}

}  // namespace
}  // namespace batholith
