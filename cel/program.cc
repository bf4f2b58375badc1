#include "cel/program.h"

#include <utility>

#include "api/check.h"
#include "cel/check/checker.h"
#include "cel/eval/evaluator.h"
#include "cel/eval/planner.h"
#include "cel/syntax/parser.h"

namespace batholith::cel {

Result<Program> Program::Compile(std::string_view text, const Environment& environment) {
  auto tree = Parse(text);
  if (!tree) return std::unexpected(std::move(tree.error()));
  const auto checked = Check(**tree, environment);
  if (!checked) return std::unexpected(checked.error());
  auto plan = MakePlan(**tree, checked->slots);
  if (!plan) return std::unexpected(std::move(plan.error()));
  return Program(std::make_shared<const Plan>(std::move(*plan)));
}

Outcome Program::Evaluate(std::span<const Value> variables, std::uint64_t cost_limit) const {
  DCHECK(variables.size() <= plan_->slots);
  return Evaluator(*plan_, cost_limit).Run(variables);
}

const Type& Program::type() const { return *plan_->type; }

}  // namespace batholith::cel
