#include "devices/device_variable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace batholith {
namespace {

using cel::Value;

constexpr std::array<std::string_view, 4> kFields{"driver", "allowMultipleAllocations",
                                                  "attributes", "capacity"};
// device, its domains, their names.
constexpr std::int32_t kDomainsDepth = 2;
constexpr std::int32_t kNamesDepth = 1;

Value ValueOf(const DeviceAttribute& attribute) {
  if (const auto* number = std::get_if<std::int64_t>(&attribute)) return Value::Int(*number);
  if (const auto* flag = std::get_if<bool>(&attribute)) return Value::Bool(*flag);
  if (const auto* text = std::get_if<std::string>(&attribute)) return Value::BorrowedString(*text);
  if (const auto* version = std::get_if<DeviceVersion>(&attribute))
    return Value::BorrowedVersion(version->text);
  return {};
}

Value ValueOf(const DeviceCapacity& capacity) {
  return Value::Quantity(capacity.value, {capacity.value % kOneUnit == 0, false});
}

// "domain/name" or "name" → its domain, and the name in it.
std::pair<std::string_view, std::string_view> Split(std::string_view name,
                                                    std::string_view driver) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {driver, name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

// What a device has in one domain, by name.
template <typename Record>
class Domain final : public cel::Map {
 public:
  Domain(std::string_view driver, const Record& record, const Value& domain)
      : driver_(driver), record_(record), domain_(domain) {}

  std::size_t size() const override { return Keys().size(); }

  std::optional<Value> Find(const Value& key) const override {
    if (!key.is(Value::Kind::kString) || !domain_.is(Value::Kind::kString)) return std::nullopt;
    // Without a slash, a name belongs to the driver; with one, to what stands before the first.
    if (domain_.text() == driver_ && key.text().find('/') == std::string_view::npos) {
      const auto own = record_.find(key.text());
      if (own != record_.end()) return ValueOf(own->second);
    }
    if (domain_.text().find('/') != std::string_view::npos) return std::nullopt;
    std::string name;
    name.reserve(domain_.text().size() + 1 + key.text().size());
    name.append(domain_.text()).append("/").append(key.text());
    const auto found = record_.find(name);
    if (found == record_.end()) return std::nullopt;
    return ValueOf(found->second);
  }

  std::vector<Value> Keys() const override {
    std::vector<Value> out;
    if (!domain_.is(Value::Kind::kString)) return out;
    for (const auto& [full, value] : record_) {
      const auto [domain, name] = Split(full, driver_);
      if (domain != domain_.text()) continue;
      // Once, if it is there with the driver's domain and without.
      const bool again = full.size() != name.size() && domain == driver_ && record_.contains(name);
      if (!again) out.push_back(Value::BorrowedString(name));
    }
    return out;
  }

 private:
  std::string_view driver_;
  const Record& record_;
  Value domain_;
};

// What a device has, by domain. One that it does not have is empty.
template <typename Record>
class Domains final : public cel::Map {
 public:
  Domains(std::string_view driver, const Record& record) : driver_(driver), record_(record) {}

  std::size_t size() const override { return Keys().size(); }

  std::optional<Value> Find(const Value& key) const override {
    std::shared_ptr<const cel::Map> domain =
        std::make_shared<const Domain<Record>>(driver_, record_, key);
    return Value::Of(std::move(domain), kNamesDepth);
  }

  bool Contains(const Value& key) const override {
    if (!key.is(Value::Kind::kString)) return false;
    for (const auto& [full, value] : record_) {
      if (Split(full, driver_).first == key.text()) return true;
    }
    return false;
  }

  std::vector<Value> Keys() const override {
    std::vector<std::string_view> domains;
    for (const auto& [full, value] : record_) {
      const std::string_view domain = Split(full, driver_).first;
      if (std::find(domains.begin(), domains.end(), domain) == domains.end())
        domains.push_back(domain);
    }
    std::vector<Value> out;
    for (const std::string_view domain : domains) out.push_back(Value::BorrowedString(domain));
    return out;
  }

 private:
  std::string_view driver_;
  const Record& record_;
};

template <typename Record>
Value DomainsOf(std::string_view driver, const Record& record) {
  std::shared_ptr<const cel::Map> domains = std::make_shared<const Domains<Record>>(driver, record);
  return Value::Of(std::move(domains), kDomainsDepth);
}

}  // namespace

const cel::Environment& DeviceEnvironment() {
  using cel::MapType;
  using cel::Simple;
  using Kind = cel::Type::Kind;
  static const cel::Environment kEnvironment = [] {
    const auto by_domain = [](cel::TypeRef type) {
      const cel::TypeRef& text = Simple(Kind::kString);
      return MapType(text, MapType(text, std::move(type)));
    };
    cel::Environment::Object device{"kubernetes.DRADevice", {}};
    device.fields = {{"driver", Simple(Kind::kString)},
                     {"allowMultipleAllocations", Simple(Kind::kBool)},
                     {"attributes", by_domain(Simple(Kind::kAny))},
                     {"capacity", by_domain(cel::ObjectType("kubernetes.Quantity"))}};
    cel::Environment out;
    out.variables = {{"device", cel::ObjectType(device.name)}};
    out.objects = {std::move(device)};
    return out;
  }();
  return kEnvironment;
}

std::size_t DeviceVariable::size() const { return kFields.size(); }

std::optional<Value> DeviceVariable::Find(const Value& key) const {
  if (!key.is(Value::Kind::kString)) return std::nullopt;
  if (key.text() == "attributes") return DomainsOf(driver_, device_.attributes);
  if (key.text() == "capacity") return DomainsOf(driver_, device_.capacity);
  if (key.text() == "driver") return Value::BorrowedString(driver_);
  if (key.text() == "allowMultipleAllocations") return Value::Bool(device_.shareable);
  return std::nullopt;
}

std::vector<Value> DeviceVariable::Keys() const {
  std::vector<Value> out;
  for (const std::string_view field : kFields) out.push_back(Value::BorrowedString(field));
  return out;
}

}  // namespace batholith
