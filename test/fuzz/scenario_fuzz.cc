// A scenario file → scenarios, with their short forms written out and their objects decoded.
#include "codec/decode.h"
#include "sim/scenario/scenario.h"
#include "test/fuzz/fuzz.h"

namespace batholith {
namespace {

void Decode(const std::vector<Manifest>& manifests, const Scenario& scenario) {
  ManifestDecoder decoder(LoadOptions{.scheduler_names = scenario.scheduler_names,
                                      .default_queue = scenario.default_queue,
                                      .now = scenario.now});
  for (const Manifest& manifest : manifests) decoder.Add(manifest.value, manifest.where);
  (void)decoder.Finish();
}

}  // namespace
}  // namespace batholith

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace batholith;
  const std::string_view text = fuzz::TextOf(data, size);
  if (text.contains("files")) return fuzz::kForget;  // what they name is no input of ours
  const auto scenarios = ParseScenarios(text, "f.yaml");
  if (!scenarios) {
    CHECK(!scenarios.error().message.empty());
    return fuzz::kKeep;
  }
  for (const Scenario& scenario : *scenarios) {
    (void)ExpandedDocument(scenario);
    Decode(scenario.objects, scenario);
    for (const ScenarioEvent& event : scenario.events) {
      Decode(event.add, scenario);
      Decode(event.update, scenario);
    }
  }
  return fuzz::kKeep;
}
