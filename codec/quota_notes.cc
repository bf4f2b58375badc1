#include "codec/quota_notes.h"

#include <utility>

#include "api/elastic_quota.h"
#include "codec/json.h"
#include "codec/pod.h"

namespace batholith {
namespace {

boost::json::value ParseNote(const Field& note) {
  if (!note.present()) return nullptr;
  auto values = ParseJson(note.Text());
  if (!values) note.Fail("is no JSON: " + values.error().reason);
  if (values->size() != 1) note.Fail("is no JSON: one value is expected");
  return std::move(values->front());
}

std::string FullKey(std::string_view key) {
  return std::string(kQuotaKeyPrefix) + std::string(key);
}

}  // namespace

JsonNote::JsonNote(const Field& object, std::string_view key) : field_(nullptr, {}) {
  const Field note = object["metadata"]["annotations"][FullKey(key)];
  value_ = ParseNote(note);
  field_ = Field(&value_, note.path());
}

std::optional<ResourceList> JsonNote::Bounds() const {
  if (!field_.present()) return std::nullopt;
  return field_.Bounds();
}

const std::string* FindQuotaLabel(const Labels& labels, std::string_view key) {
  return labels.empty() ? nullptr : FindNote(labels, FullKey(key));
}

SpelledLabel FindSpelledLabel(const Labels& labels, std::string_view current,
                              std::string_view older) {
  const std::string* now = FindQuotaLabel(labels, current);
  const std::string* before = FindQuotaLabel(labels, older);
  if (now == nullptr || before == nullptr || *now == *before) {
    return {now == nullptr ? before : now, {}};
  }
  return {now, "metadata.labels." + FullKey(older) + ": \"" + Printable(*before) +
                   "\" is not what the label " + std::string(current) + " says, which counts: \"" +
                   Printable(*now) + "\""};
}

}  // namespace batholith
