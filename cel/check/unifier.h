#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cel/type.h"

namespace batholith::cel {

// Finds out what the type parameters of an expression stand for, as cel-go's checker does: what
// fits is remembered, and decides what may come later.
class Unifier {
 public:
  TypeRef NewParameter() { return ParameterType("_" + std::to_string(next_++)); }

  // Whether a value of the one type may stand where the other is expected. If not, nothing has been
  // learnt.
  bool IsAssignable(const TypeRef& from, const TypeRef& to);
  bool AreAssignable(std::span<const TypeRef> from, std::span<const TypeRef> to);

  // The type with what is known of its parameters; `free_to_dyn`: what is not known becomes dyn.
  TypeRef Substitute(const TypeRef& type, bool free_to_dyn);
  // The type with parameters of its own, so that two uses of a function do not mix. One map for all
  // types of an overload.
  using Fresh = std::unordered_map<std::string, TypeRef>;
  TypeRef Instantiate(const TypeRef& type, Fresh& fresh);

  static const TypeRef& MostGeneral(const TypeRef& a, const TypeRef& b);

  // Types can be out of all proportion to the text that they belong to.
  bool exhausted() const { return steps_ > kMostSteps; }

 private:
  static constexpr std::uint64_t kMostSteps = 500'000;

  const TypeRef* Find(const Type& parameter) const;
  void Learn(const std::string& parameter, TypeRef type);
  void ForgetSince(std::size_t size);
  bool Assignable(const TypeRef& from, const TypeRef& to);
  bool AllAssignable(std::span<const TypeRef> from, std::span<const TypeRef> to);
  struct Fit {
    bool fits;
    bool known;  // the parameter stood for something already
  };
  Fit FitParameter(const TypeRef& type, const TypeRef& parameter);
  bool OccursIn(const Type& parameter, const TypeRef& type);

  std::unordered_map<std::string, TypeRef> known_;
  std::vector<std::pair<std::string, TypeRef>> trail_;  // what was known before
  int next_ = 0;
  std::uint64_t steps_ = 0;
};

bool IsSameType(const Type& a, const Type& b);
bool IsDynamic(const Type& type);         // dyn or any
bool IsDynamicOrError(const Type& type);  // or of what was refused already

}  // namespace batholith::cel
