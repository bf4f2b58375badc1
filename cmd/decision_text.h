#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cmd/output.h"

namespace batholith {

// The document of decisions as text on one line, part by part.
class DecisionText {
 public:
  // Looks into `outcome`, which outlives it.
  explicit DecisionText(const RunOutcome& outcome) : fields_(DecisionFields(outcome)) {}

  // The next part: `bytes` and at most one element more, where there is so much; empty: that was
  // all.
  std::string Next(std::size_t bytes);

 private:
  void AppendElement(std::string& text);

  std::vector<DecisionField> fields_;
  std::size_t field_ = 0;    // that is written now
  std::size_t element_ = 0;  // of it
};

}  // namespace batholith
