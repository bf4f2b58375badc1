#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/decode.h"
#include "codec/yaml.h"

namespace batholith {

inline constexpr TimeNs kNow = 1'767'225'600'000'000'000;  // 2026-01-01T00:00:00Z
inline constexpr TimeNs kSecondNs = 1'000'000'000;

// Decodes YAML or JSON text; a text that cannot be read is one refused line.
inline Loaded Decode(std::string_view text) {
  ManifestDecoder decoder({.now = kNow});
  const auto documents = ParseDocuments(text, "f.yaml");
  if (!documents) {
    Loaded loaded = decoder.Finish();
    loaded.refused.push_back(documents.error().message);
    return loaded;
  }
  for (std::size_t i = 0; i < documents->size(); ++i)
    decoder.Add((*documents)[i], "f.yaml: document " + std::to_string(i + 1));
  return decoder.Finish();
}

// A pod `p` of ours with this spec (flow style, without the braces).
inline std::string PodWith(std::string_view spec) {
  return "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, labels: {app: web}}, "
         "spec: {schedulerName: volcano, " +
         std::string(spec) + "}}\n";
}

inline std::string JoinedLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace batholith
