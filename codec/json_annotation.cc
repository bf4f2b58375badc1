#include "codec/json_annotation.h"

#include <utility>

#include "api/elastic_quota.h"
#include "codec/json/parse.h"

namespace batholith {
namespace {

boost::json::value ParseAnnotation(const Field& annotation) {
  const std::string text = annotation.Text();
  if (text.empty()) return nullptr;  // as if it were not there
  Result<boost::json::value> value = ParseJsonValue(text);
  if (value) return *std::move(value);
  annotation.Flaw("is not JSON: " + value.error().message);
  return nullptr;
}

std::string FullKey(std::string_view key) {
  return std::string(kQuotaKeyPrefix) + std::string(key);
}

}  // namespace

JsonAnnotation::JsonAnnotation(const Field& object, std::string_view key) : field_(nullptr, {}) {
  const Field annotation = object["metadata"]["annotations"][FullKey(key)];
  value_ = ParseAnnotation(annotation);
  field_ = Field(&value_, annotation.path(), annotation.flaws());
}

std::optional<ResourceList> JsonAnnotation::Bounds() const {
  if (!field_.present()) return std::nullopt;
  return field_.Bounds();
}

std::string SpellingsDiffer(const Labels& labels, std::string_view current,
                            std::string_view older) {
  const SpelledLabel label = FindSpelledLabel(labels, current, older);
  if (label.other == nullptr) return {};
  return "metadata.labels." + FullKey(older) + ": \"" + Printable(*label.other) +
         "\" is not what the label " + std::string(current) + " says, which counts: \"" +
         Printable(*label.value) + "\"";
}

}  // namespace batholith
