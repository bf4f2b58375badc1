#pragma once

#include "quota/validate.h"

namespace batholith {

// One quota that is judged.
struct QuotaCase {
  const QuotaWorld& world;
  const ElasticQuotaRecord& quota;
  const ElasticQuotaRecord* old = nullptr;     // how an updated one was
  const ElasticQuotaRecord* stored = nullptr;  // the object of its identity in the world
  bool whole_world = false;                    // every quota has its turn
  QuotaProblems& problems;

  void Report(std::string field, std::string reason,
              QuotaSeverity severity = QuotaSeverity::kReject) const {
    problems.push_back({quota.Identity(), std::move(field), std::move(reason), severity});
  }
};

std::string QuotaLabelField(std::string_view key);
std::string QuotaAnnotationField(std::string_view key);

// What Koordinator asks of a quota's place in the tree: the rules of its quota webhook.
void CheckTree(const QuotaCase& c);

}  // namespace batholith
