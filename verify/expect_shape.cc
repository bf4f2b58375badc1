#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>
#include <span>

#include "verify/expect.h"
#include "verify/fields.h"

namespace batholith {
namespace {

namespace json = boost::json;

// What a field of an expectation may hold.
enum class Shape : std::uint8_t {
  kScalar,      // a string, number or boolean
  kScalars,     // one, or a list of the allowed ones
  kList,        // of scalars
  kPods,        // a list, or a map to a node or nodes
  kSwitch,      // a boolean
  kJobs,        // a list of jobs, true, or a number
  kCount,       // n, {min, max}, or a list of the allowed numbers
  kCounts,      // a count, or a map to counts
  kResources,   // a map to quantities
  kLabels,      // a map to scalars or null
  kNumbers,     // a map to numbers (a fraction is read as text)
  kConditions,  // a list of conditions
};

struct FieldShape {
  std::string_view name;
  Shape shape;
};

// The fields that hold a map from a name to a block of these fields.
struct BlockShape {
  std::string_view name;
  std::span<const FieldShape> fields;
};

constexpr std::array<FieldShape, 7> kSet{{{"pods", Shape::kPods},
                                          {"only", Shape::kSwitch},
                                          {"never", Shape::kList},
                                          {"from", Shape::kList},
                                          {"count", Shape::kCounts},
                                          {"wholeGangs", Shape::kJobs},
                                          {"distinctNodes", Shape::kJobs}}};
constexpr std::array<FieldShape, 4> kJob{{{"phase", Shape::kScalars},
                                          {"ready", Shape::kCount},
                                          {"pending", Shape::kCount},
                                          {"conditions", Shape::kConditions}}};
constexpr std::array<FieldShape, 5> kQueue{{{"deserved", Shape::kResources},
                                            {"allocated", Shape::kResources},
                                            {"request", Shape::kResources},
                                            {"share", Shape::kScalar},
                                            {"state", Shape::kScalars}}};
constexpr std::array<FieldShape, 3> kNamespace{
    {{"weight", Shape::kScalar}, {"share", Shape::kScalar}, {"allocated", Shape::kResources}}};
constexpr std::array<FieldShape, 9> kQuota{{{"used", Shape::kResources},
                                            {"runtime", Shape::kResources},
                                            {"request", Shape::kResources},
                                            {"min", Shape::kResources},
                                            {"max", Shape::kResources},
                                            {"guaranteedOverquotas", Shape::kResources},
                                            {"scaledMin", Shape::kResources},
                                            {"guaranteed", Shape::kResources},
                                            {"allocated", Shape::kResources}}};
constexpr std::array<FieldShape, 4> kPod{{{"phase", Shape::kScalars},
                                          {"node", Shape::kScalars},
                                          {"labels", Shape::kLabels},
                                          {"conditions", Shape::kConditions}}};
constexpr std::array<FieldShape, 4> kNodeGroup{{{"current", Shape::kCount},
                                                {"target", Shape::kCount},
                                                {"recommended", Shape::kCount},
                                                {"reason", Shape::kScalars}}};
constexpr std::array<FieldShape, 4> kPlaceholders{{{"count", Shape::kCount},
                                                   {"unplaced", Shape::kCount},
                                                   {"size", Shape::kResources},
                                                   {"pods", Shape::kLabels}}};
constexpr std::array<BlockShape, 6> kBlocks{{{"jobs", kJob},
                                             {"queues", kQueue},
                                             {"namespaces", kNamespace},
                                             {"quotas", kQuota},
                                             {"pods", kPod},
                                             {"nodeGroups", kNodeGroup}}};
constexpr std::array<std::string_view, 4> kSets{"bound", "evicted", "pipelined", "pending"};
constexpr std::array<std::string_view, 4> kConditionFields{"type", "status", "reason", "message"};
constexpr std::array<std::string_view, 16> kFields{
    "bound",        "evicted",    "pipelined", "pending", "jobs",     "queues",
    "namespaces",   "pods",       "quotas",    "scores",  "feasible", "noEvictionsAfter",
    "placeholders", "nodeGroups", "error",     "anyOf"};

bool IsScalar(const json::value& v) { return !v.is_null() && !v.is_structured(); }
bool IsScalarList(const json::value& v) {
  return v.is_array() && std::ranges::all_of(v.get_array(), IsScalar);
}

template <typename Accepts>
bool IsMapOf(const json::value& v, Accepts accepts) {
  return v.is_object() &&
         std::ranges::all_of(v.get_object(), [&](const auto& e) { return accepts(e.value()); });
}

bool IsRange(const json::value& v) {
  return IsMapOf(v, [](const json::value& bound) { return bound.is_int64(); }) &&
         std::ranges::all_of(v.get_object(),
                             [](const auto& e) { return e.key() == "min" || e.key() == "max"; });
}

bool IsCount(const json::value& v) {
  const auto is_integer = [](const json::value& n) { return n.is_int64(); };
  return v.is_int64() || IsRange(v) ||
         (v.is_array() && std::ranges::all_of(v.get_array(), is_integer));
}

bool IsConditions(const json::value& v) {
  return v.is_array() && std::ranges::all_of(v.get_array(), [](const json::value& condition) {
           return IsMapOf(condition,
                          [](const json::value& e) { return IsScalar(e) || IsScalarList(e); });
         });
}

// What was expected instead; nothing: the value is right.
std::optional<std::string_view> Mismatch(Shape shape, const json::value& v) {
  using Wanted = std::optional<std::string_view>;
  const auto unless = [](bool holds, std::string_view wanted) {
    return holds ? Wanted() : Wanted(wanted);
  };
  const auto node = [](const json::value& e) {
    return e.is_null() || IsScalar(e) || IsScalarList(e);
  };
  switch (shape) {
    case Shape::kScalar:
      return unless(IsScalar(v), "one value");
    case Shape::kScalars:
      return unless(IsScalar(v) || IsScalarList(v), "a value or a list of the allowed ones");
    case Shape::kList:
      return unless(IsScalarList(v), "a list of names");
    case Shape::kPods:
      return unless(IsScalarList(v) || IsMapOf(v, node),
                    "a list of pods, or a map from pods to their nodes");
    case Shape::kSwitch:
      return unless(v.is_bool(), "true or false");
    case Shape::kJobs:
      return unless(v.is_bool() || v.is_int64() || IsScalarList(v),
                    "true, a number or a list of jobs");
    case Shape::kCount:
      return unless(IsCount(v), "a count: n, {min: n, max: n} or a list of numbers");
    case Shape::kCounts:
      return unless(IsCount(v) || IsMapOf(v, IsCount), "a count, or a map from names to counts");
    case Shape::kResources:
      return unless(IsMapOf(v, IsScalar), "a map from resources to quantities");
    case Shape::kLabels:
      return unless(IsMapOf(v, node), "a map");
    case Shape::kNumbers:
      return unless(IsMapOf(v, IsScalar), "a map from nodes to numbers");
    case Shape::kConditions:
      return unless(IsConditions(v), "a list of {type, status, reason, message}");
  }
  return std::nullopt;
}

Result<void> CheckShape(Shape shape, const json::value& value, const std::string& path) {
  if (const auto wanted = Mismatch(shape, value)) {
    return Invalid(path + ": expected " + std::string(*wanted) + ", got " +
                   std::string(KindOf(value)));
  }
  if (shape != Shape::kConditions) return {};
  for (const json::value& condition : value.get_array()) {
    const Result<void> known = OnlyKnown(condition.get_object(), path, kConditionFields);
    if (!known) return known;
  }
  return {};
}

Result<void> CheckBlock(std::span<const FieldShape> fields, const json::value& value,
                        const std::string& path) {
  const auto mapping = AsMapping(value, path);
  if (!mapping) return std::unexpected(mapping.error());
  std::vector<std::string_view> known;
  for (const FieldShape& field : fields) known.push_back(field.name);
  if (Result<void> ok = OnlyKnown(**mapping, path, known); !ok) return ok;
  for (const FieldShape& field : fields) {
    const json::value* entry = (*mapping)->if_contains(field.name);
    if (entry == nullptr) continue;
    const std::string at = path + "." + std::string(field.name);
    if (Result<void> ok = CheckShape(field.shape, *entry, at); !ok) return ok;
  }
  return {};
}

// A map from names to what `check` accepts.
template <typename Check>
Result<void> CheckEach(const json::value& value, const std::string& path, Check check) {
  const auto mapping = AsMapping(value, path);
  if (!mapping) return std::unexpected(mapping.error());
  for (const auto& entry : **mapping) {
    const Result<void> ok = check(entry.value(), path + "." + std::string(entry.key()));
    if (!ok) return ok;
  }
  return {};
}

Result<void> CheckAnyOf(const json::value& value, const std::string& path) {
  const auto blocks = AsList(value, path);
  if (!blocks) return std::unexpected(blocks.error());
  if ((*blocks)->empty()) return Invalid(path + ": at least one block is needed");
  for (const json::value& block : **blocks) {
    const auto mapping = AsMapping(block, path);
    if (!mapping) return std::unexpected(mapping.error());
    if (Result<void> ok = CheckExpectShape(**mapping, path); !ok) return ok;
  }
  return {};
}

Result<void> CheckField(std::string_view name, const json::value& value, const std::string& path) {
  if (name == "anyOf") return CheckAnyOf(value, path);
  if (name == "error") return CheckShape(Shape::kScalars, value, path);
  if (name == "noEvictionsAfter") {
    const Result<std::int64_t> n = AsInteger(value, path);
    if (!n) return std::unexpected(n.error());
    return {};
  }
  if (std::ranges::find(kSets, name) != kSets.end()) return CheckBlock(kSet, value, path);
  if (name == "placeholders") return CheckBlock(kPlaceholders, value, path);
  if (name == "scores" || name == "feasible") {
    const Shape shape = name == "scores" ? Shape::kNumbers : Shape::kList;
    return CheckEach(value, path, [shape](const json::value& entry, const std::string& at) {
      return CheckShape(shape, entry, at);
    });
  }
  const auto block = std::ranges::find(kBlocks, name, &BlockShape::name);
  return CheckEach(value, path, [block](const json::value& entry, const std::string& at) {
    return CheckBlock(block->fields, entry, at);
  });
}

}  // namespace

Result<void> CheckExpectShape(const json::object& expect, const std::string& path) {
  if (Result<void> ok = OnlyKnown(expect, path, kFields); !ok) return ok;
  for (const auto& field : expect) {
    const std::string_view name(field.key().data(), field.key().size());
    Result<void> ok = CheckField(name, field.value(), path + "." + std::string(name));
    if (!ok) return ok;
  }
  return {};
}

}  // namespace batholith
