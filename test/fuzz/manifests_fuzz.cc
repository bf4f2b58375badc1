// Manifests in YAML or JSON → records, as `-f` reads them, and back from a dump of these records.
#include "codec/decode.h"
#include "codec/yaml.h"
#include "test/fuzz/fuzz.h"
#include "test/fuzz/read_back.h"

namespace batholith {
namespace {

constexpr TimeNs kNow = 1'767'225'600'000'000'000;

void Read(std::string_view text) {
  const auto documents = ParseDocuments(text, "f.yaml");
  if (!documents) {
    CHECK(!documents.error().message.empty());
    return;
  }
  ManifestDecoder decoder(LoadOptions{.now = kNow});
  for (const auto& document : *documents) decoder.Add(document, "f.yaml");
  Loaded loaded = decoder.Finish();
  SessionDump dump;
  dump.now = kNow;
  dump.objects = std::make_shared<const ClusterObjects>(std::move(loaded.objects));
  fuzz::CheckReadsBack(dump);
}

}  // namespace
}  // namespace batholith

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  batholith::Read(batholith::fuzz::TextOf(data, size));
  return batholith::fuzz::kKeep;
}
