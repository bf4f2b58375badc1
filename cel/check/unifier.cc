#include "cel/check/unifier.h"

namespace batholith::cel {
namespace {

using TypeKind = Type::Kind;

bool HasParameters(TypeKind kind) {
  return kind == TypeKind::kList || kind == TypeKind::kMap || kind == TypeKind::kOpaque ||
         kind == TypeKind::kType;
}

// Whether null may stand for it.
bool IsNullable(const Type& type) {
  return type.kind == TypeKind::kOpaque || type.kind == TypeKind::kObject ||
         type.kind == TypeKind::kAny || type.kind == TypeKind::kTimestamp ||
         type.kind == TypeKind::kDuration || type.kind == TypeKind::kNull ||
         type.kind == TypeKind::kDyn;
}

bool IsLessSpecific(const Type& a, const Type& b) {
  if (IsDynamic(a) || a.kind == TypeKind::kParameter) return true;
  if (IsDynamic(b) || b.kind == TypeKind::kParameter) return false;
  if (a.kind != b.kind) return false;
  if (a.kind == TypeKind::kType) return true;
  if (a.name != b.name || a.parameters.size() != b.parameters.size()) return false;
  for (std::size_t p = 0; p < a.parameters.size(); ++p) {
    if (a.parameters[p] != b.parameters[p] && !IsLessSpecific(*a.parameters[p], *b.parameters[p]))
      return false;
  }
  return true;
}

}  // namespace

bool IsSameType(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.name != b.name || a.parameters.size() != b.parameters.size())
    return false;
  for (std::size_t p = 0; p < a.parameters.size(); ++p) {
    if (!IsSameType(*a.parameters[p], *b.parameters[p])) return false;
  }
  return true;
}

bool IsDynamic(const Type& type) {
  return type.kind == TypeKind::kDyn || type.kind == TypeKind::kAny;
}

bool IsDynamicOrError(const Type& type) { return IsDynamic(type) || type.kind == TypeKind::kError; }

const TypeRef& Unifier::MostGeneral(const TypeRef& a, const TypeRef& b) {
  return IsLessSpecific(*a, *b) ? a : b;
}

const TypeRef* Unifier::Find(const Type& parameter) const {
  if (parameter.kind != TypeKind::kParameter) return nullptr;
  const auto found = known_.find(parameter.name);
  return found == known_.end() ? nullptr : &found->second;
}

void Unifier::Learn(const std::string& parameter, TypeRef type) {
  TypeRef& known = known_[parameter];
  trail_.emplace_back(parameter, std::move(known));
  known = std::move(type);
}

void Unifier::ForgetSince(std::size_t size) {
  while (trail_.size() > size) {
    auto& [parameter, before] = trail_.back();
    if (before) {
      known_[parameter] = std::move(before);
    } else {
      known_.erase(parameter);
    }
    trail_.pop_back();
  }
}

bool Unifier::IsAssignable(const TypeRef& from, const TypeRef& to) {
  return AreAssignable({&from, 1}, {&to, 1});
}

bool Unifier::AreAssignable(std::span<const TypeRef> from, std::span<const TypeRef> to) {
  const std::size_t before = trail_.size();
  if (AllAssignable(from, to)) return true;
  ForgetSince(before);
  return false;
}

bool Unifier::AllAssignable(std::span<const TypeRef> from, std::span<const TypeRef> to) {
  if (from.size() != to.size()) return false;
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (!Assignable(from[t], to[t])) return false;
  }
  return true;
}

bool Unifier::Assignable(const TypeRef& from, const TypeRef& to) {
  if (++steps_ > kMostSteps) return false;
  if (to->kind == TypeKind::kParameter) {
    const Fit fit = FitParameter(from, to);
    if (fit.fits) return true;
    if (fit.known) return false;
  }
  if (from->kind == TypeKind::kParameter) return FitParameter(to, from).fits;
  if (IsDynamicOrError(*from) || IsDynamicOrError(*to)) return true;
  if (from->kind == TypeKind::kNull) return IsNullable(*to);
  if (to->kind == TypeKind::kNull) return IsNullable(*from);
  if (from->kind != to->kind || from->name != to->name) return false;
  if (from->kind == TypeKind::kType || from == to) return true;
  return AllAssignable(from->parameters, to->parameters);
}

Unifier::Fit Unifier::FitParameter(const TypeRef& type, const TypeRef& parameter) {
  if (type->kind == TypeKind::kParameter && type->name == parameter->name) return {true, true};
  if (const TypeRef* found = Find(*parameter)) {
    const TypeRef known = *found;
    if (known == type) return {true, true};
    if (!Assignable(type, known)) return {false, true};
    const TypeRef& general = MostGeneral(type, known);
    if (general != known && !OccursIn(*parameter, general)) Learn(parameter->name, general);
    return {true, true};
  }
  if (OccursIn(*parameter, type)) return {false, false};
  Learn(parameter->name, type);
  return {true, false};
}

bool Unifier::OccursIn(const Type& parameter, const TypeRef& type) {
  if (++steps_ > kMostSteps) return true;
  if (type->kind == TypeKind::kParameter) {
    if (type->name == parameter.name) return true;
    const TypeRef* known = Find(*type);
    return known != nullptr && OccursIn(parameter, *known);
  }
  if (!HasParameters(type->kind)) return false;
  for (const TypeRef& inner : type->parameters) {
    if (OccursIn(parameter, inner)) return true;
  }
  return false;
}

TypeRef Unifier::Substitute(const TypeRef& type, bool free_to_dyn) {
  if (++steps_ > kMostSteps) return Simple(TypeKind::kDyn);
  if (const TypeRef* known = Find(*type)) return Substitute(TypeRef(*known), free_to_dyn);
  if (type->kind == TypeKind::kParameter) return free_to_dyn ? Simple(TypeKind::kDyn) : type;
  if (!HasParameters(type->kind) || type->parameters.empty()) return type;
  std::vector<TypeRef> parameters;
  bool same = true;
  for (const TypeRef& inner : type->parameters) {
    parameters.push_back(Substitute(inner, free_to_dyn));
    same = same && parameters.back() == inner;
  }
  if (same) return type;
  return std::make_shared<const Type>(Type{type->kind, type->name, std::move(parameters)});
}

TypeRef Unifier::Instantiate(const TypeRef& type, Fresh& fresh) {
  if (type->kind == TypeKind::kParameter) {
    TypeRef& own = fresh[type->name];
    if (!own) own = NewParameter();
    return own;
  }
  if (type->parameters.empty()) return type;
  std::vector<TypeRef> parameters;
  for (const TypeRef& inner : type->parameters) parameters.push_back(Instantiate(inner, fresh));
  return std::make_shared<const Type>(Type{type->kind, type->name, std::move(parameters)});
}

}  // namespace batholith::cel
