#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json/field.h"

// Annotations and labels that Koordinator puts on quotas, their profiles and pods.
namespace batholith {

// An annotation whose value is JSON. `key` is without the prefix. A flaw of the annotation where
// its text is no JSON; the fields inside name it too.
class JsonAnnotation {
 public:
  JsonAnnotation(const Field& object, std::string_view key);
  JsonAnnotation(const JsonAnnotation&) = delete;
  JsonAnnotation& operator=(const JsonAnnotation&) = delete;

  bool present() const { return field_.present(); }
  std::vector<std::string> Texts() const { return field_.Texts(); }
  std::optional<ResourceList> Bounds() const;

 private:
  boost::json::value value_;
  Field field_;
};

// What to say of a label whose two spellings differ; empty: nothing.
std::string SpellingsDiffer(const Labels& labels, std::string_view current, std::string_view older);

}  // namespace batholith
