#include "devices/claim_signature.h"

namespace batholith {
namespace {

// Each text with its length before it, so that no two lists of texts are written alike.
class ClaimSigner {
 public:
  void Add(const std::string& text) {
    Add(static_cast<std::int64_t>(text.size()));
    out_ += text;
  }
  void Add(std::int64_t number) {
    out_ += std::to_string(number);
    out_ += ':';
  }
  void Add(const std::vector<std::string>& texts) {
    Add(static_cast<std::int64_t>(texts.size()));
    for (const std::string& text : texts) Add(text);
  }

  void Add(const DeviceAsk& ask) {
    Add(ask.name);
    Add(ask.device_class);
    Add(ask.selectors);
    Add(ask.all ? -1 : ask.count);
    Add(std::int64_t{ask.admin_access});
    Add(static_cast<std::int64_t>(ask.tolerations.size()));
    for (const DeviceToleration& toleration : ask.tolerations) {
      Add(toleration.key);
      Add(std::int64_t{toleration.exists});
      Add(toleration.value);
      Add(toleration.effect ? static_cast<std::int64_t>(*toleration.effect) : -1);
    }
    Add(static_cast<std::int64_t>(ask.capacity.size()));
    for (const auto& [name, amount] : ask.capacity) {
      Add(name);
      Add(DeviceAmountText(amount));
    }
  }

  void Add(const DeviceClaimSpec& spec) {
    Add(static_cast<std::int64_t>(spec.requests.size()));
    for (const DeviceRequest& request : spec.requests) {
      Add(request.name);
      Add(static_cast<std::int64_t>(request.asks.size()));
      for (const DeviceAsk& ask : request.asks) Add(ask);
    }
    Add(static_cast<std::int64_t>(spec.constraints.size()));
    for (const DeviceConstraint& constraint : spec.constraints) {
      Add(constraint.requests);
      Add(constraint.match_attribute);
      Add(constraint.distinct_attribute);
    }
  }

  std::string Take() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace

std::string SignatureOf(const DeviceClaimSpec& spec) {
  ClaimSigner signer;
  signer.Add(spec);
  return signer.Take();
}

}  // namespace batholith
