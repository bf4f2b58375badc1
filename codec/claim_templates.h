#pragma once

#include <string>
#include <vector>

#include "api/volumes.h"
#include "codec/json/field.h"

// Claims that controllers make from a template: of StatefulSets, Volcano's Jobs and ephemeral
// volumes.
namespace batholith {

// `claim_template`: labels and annotations of its metadata, and its spec. The claim has no owner,
// uid or time yet. Errors: FieldError.
PersistentVolumeClaimRecord ClaimFrom(const Field& claim_template, const std::string& namespace_,
                                      const std::string& name);
// What the claim was made from, on one line and always in the same words: template_text of a
// PodClaim.
std::string TemplateTextOf(const PersistentVolumeClaimRecord& claim);
// The claim of such a text.
PersistentVolumeClaimRecord ClaimFromText(const std::string& template_text,
                                          const std::string& namespace_, const std::string& name);

// volumeClaimTemplates of a StatefulSet, each with its own name.
std::vector<PersistentVolumeClaimRecord> ReadClaimTemplates(const Field& templates);

}  // namespace batholith
