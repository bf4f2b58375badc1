#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/field.h"

// Labels and annotations that Koordinator puts on quotas, their profiles and pods.
namespace batholith {

// An annotation whose value is JSON. `key` is without the prefix. Errors: FieldError at the
// annotation where its text is no JSON; the fields inside name it too.
class JsonNote {
 public:
  JsonNote(const Field& object, std::string_view key);
  JsonNote(const JsonNote&) = delete;
  JsonNote& operator=(const JsonNote&) = delete;

  bool present() const { return field_.present(); }
  std::vector<std::string> Texts() const { return field_.Texts(); }
  std::optional<ResourceList> Bounds() const;

 private:
  boost::json::value value_;
  Field field_;
};

// The label's value, or nullptr. `key` is without the prefix.
const std::string* FindQuotaLabel(const Labels& labels, std::string_view key);

// A label that has an older spelling. Where both stand the current one counts; `difference` is then
// what to say if they differ, else empty.
struct SpelledLabel {
  const std::string* value = nullptr;
  std::string difference;
};
SpelledLabel FindSpelledLabel(const Labels& labels, std::string_view current,
                              std::string_view older);

}  // namespace batholith
