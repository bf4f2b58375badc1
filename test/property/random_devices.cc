#include "test/property/random_devices.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace batholith::property {
namespace {

class DeviceGenerator {
 public:
  explicit DeviceGenerator(const RandomParts& parts) : parts_(parts) {}

 private:
  bool Yes() { return parts_.number(0, 1) == 1; }
  std::string Text() { return parts_.text(); }
  std::string Word() { return "w" + std::to_string(parts_.number(0, 9)) + Text(); }
  TimeNs Time() { return parts_.number(0, 4'000'000'000) * 1'000'000'000; }

  template <typename Make>
  auto List(Make make) {
    std::vector<decltype(make())> out;
    for (std::int64_t n = parts_.number(0, 2); n > 0; --n) out.push_back(make());
    return out;
  }
  std::vector<std::string> Texts() {
    return List([this] { return Text(); });
  }
  Labels TextMap() {
    Labels out;
    for (const std::string& key : Texts()) out[key] = Text();
    return out;
  }
  template <typename Make>
  auto Maybe(Make make) {
    return Yes() ? std::optional(make()) : std::nullopt;
  }

  DeviceAmount Amount() {
    const std::int64_t whole = parts_.number(0, 3) == 0 ? INT64_MAX : parts_.number(0, 1 << 20);
    const std::int64_t rest = whole < INT64_MAX && Yes() ? parts_.number(0, 999'999'999) : 0;
    return kOneUnit * whole + rest;
  }
  DeviceAmounts Amounts() {
    DeviceAmounts out;
    for (const std::string& name : Texts()) out[name] = Amount();
    return out;
  }

  std::vector<NodeSelectorTerm> Terms() {
    return List([this] { return parts_.node_term(); });
  }
  DeviceNodes Nodes() {
    return {Text(), Maybe([this] { return Terms(); }), Yes()};
  }

  DeviceAttribute Attribute() {
    switch (parts_.number(0, 4)) {
      case 0:
        return parts_.number(INT64_MIN, INT64_MAX);
      case 1:
        return Yes();
      case 2:
        return Text();
      case 3:
        return DeviceVersion{Text()};
      default:
        return std::monostate();
    }
  }

  CapacityPolicy Policy() {
    CapacityPolicy out;
    out.fallback = Maybe([this] { return Amount(); });
    out.valid_values = List([this] { return Amount(); });
    out.valid_range = Maybe([this] {
      return CapacityPolicy::Range{Amount(), Maybe([this] { return Amount(); }),
                                   Maybe([this] { return Amount(); })};
    });
    return out;
  }

  std::vector<CounterSet> Counters() {
    return List([this] { return CounterSet{Text(), Amounts()}; });
  }

  DeviceTaintEffect Effect() { return static_cast<DeviceTaintEffect>(parts_.number(0, 2)); }

  Device MakeDevice() {
    Device out;
    out.name = Text();
    for (const std::string& name : Texts()) out.attributes[name] = Attribute();
    for (const std::string& name : Texts())
      out.capacity[name] = {Amount(), Maybe([this] { return Policy(); })};
    out.consumes = Counters();
    out.nodes = Nodes();
    out.taints = List([this] { return DeviceTaint{Text(), Text(), Effect(), Time()}; });
    out.binds_to_node = Yes();
    out.binding_conditions = Texts();
    out.binding_failures = Texts();
    out.shareable = Yes();
    return out;
  }

  ResourceSliceRecord Slice() {
    return {parts_.meta(false),
            Text(),
            Text(),
            parts_.number(INT64_MIN, INT64_MAX),
            parts_.number(INT64_MIN, INT64_MAX),
            Nodes(),
            Yes(),
            List([this] { return MakeDevice(); }),
            Counters()};
  }

  DeviceConfig Config(bool named) {
    return {named ? Texts() : std::vector<std::string>(), Text(), Yes() ? R"({"a":[1,"b"]})" : ""};
  }
  std::vector<DeviceConfig> Configs(bool named) {
    return List([this, named] { return Config(named); });
  }

  std::vector<DeviceToleration> Tolerations() {
    return List([this] {
      return DeviceToleration{Text(), Yes(), Text(), Maybe([this] { return Effect(); }),
                              Maybe([this] { return parts_.number(INT64_MIN, INT64_MAX); })};
    });
  }

  DeviceAsk Ask(std::string name) {
    DeviceAsk out{std::move(name), Text(), Texts(), Yes(), 1, Yes(), Tolerations(), Amounts()};
    if (!out.all) out.count = parts_.number(1, INT64_MAX);
    return out;
  }
  DeviceRequest Request() {
    DeviceRequest out{Text(), List([this] { return Ask(Word()); }), true};
    if (!out.asks.empty()) return out;
    return {out.name, {Ask("")}, false};
  }

  DeviceClaimSpec Spec() {
    DeviceClaimSpec out;
    out.requests = List([this] { return Request(); });
    out.constraints = List([this] {
      return Yes() ? DeviceConstraint{Texts(), Word(), {}} : DeviceConstraint{Texts(), {}, Word()};
    });
    out.config = Configs(/*named=*/true);
    return out;
  }

  DeviceAllocation Allocation() {
    DeviceAllocation out;
    out.devices = List([this] {
      return AllocatedDevice{Text(),        Text(),  Text(),  Text(), Yes(),
                             Tolerations(), Texts(), Texts(), Text(), Amounts()};
    });
    out.config = List([this] { return AllocatedConfig{Yes(), Config(/*named=*/true)}; });
    out.nodes = Maybe([this] { return Terms(); });
    out.at = Time();
    return out;
  }

  ResourceClaimRecord Claim() {
    ResourceClaimRecord out;
    out.meta = parts_.meta(true);
    out.resource_version = Text();
    out.spec = Spec();
    out.allocation = Maybe([this] { return Allocation(); });
    out.reserved_for = List([this] { return ClaimUser{Text(), Text(), Text(), Text()}; });
    out.devices = List([this] {
      return AllocatedDeviceStatus{Text(), Text(), Text(), Text(),
                                   List([this] { return DeviceCondition{Text(), Yes()}; })};
    });
    return out;
  }

  // A name tells a pod's claims from each other.
  PodDeviceClaims PodClaims() {
    PodDeviceClaims out = List([this] {
      return PodDeviceClaim{Word(), Text(), Text(), Maybe([this] { return Text(); })};
    });
    for (std::size_t i = 0; i < out.size(); ++i) out[i].name += std::to_string(i);
    return out;
  }

 public:
  void AddTo(ClusterObjects& o) {
    o.device_classes = List([this] {
      return DeviceClassRecord{parts_.meta(false), Texts(), Configs(/*named=*/false), Text()};
    });
    o.resource_slices = List([this] { return Slice(); });
    o.device_claim_templates = List([this] {
      return ResourceClaimTemplateRecord{parts_.meta(true), TextMap(), TextMap(), Spec()};
    });
    o.device_claims = List([this] { return Claim(); });
    for (PodRecord& pod : o.pods) {
      if (Yes()) pod.device_claims = PodClaims();
    }
  }

 private:
  const RandomParts& parts_;
};

}  // namespace

void AddRandomDevices(const RandomParts& parts, ClusterObjects& objects) {
  DeviceGenerator(parts).AddTo(objects);
}

}  // namespace batholith::property
