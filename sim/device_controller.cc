#include "sim/device_controller.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace batholith {
namespace {

bool IsToBeMade(const PodDeviceClaim& claim) {
  return claim.claim.empty() && !claim.template_.empty() && !claim.made;
}

bool Lives(const PodRecord& pod) {
  return !pod.meta.deleting && pod.phase != PodPhase::kSucceeded && pod.phase != PodPhase::kFailed;
}

bool LacksClaims(const PodRecord& pod) {
  return !pod.device_claims.empty() && Lives(pod) &&
         std::ranges::any_of(*pod.device_claims, IsToBeMade);
}

const std::string& NameOfClaim(const PodDeviceClaim& claim) {
  static const std::string kNone;
  if (!claim.claim.empty()) return claim.claim;
  return claim.made ? *claim.made : kNone;
}

bool IsFor(const ClaimUser& user, const PodRecord& pod) {
  return user.resource == "pods" && user.name == pod.meta.name && user.uid == pod.meta.uid;
}

}  // namespace

void DeviceController::Index() {
  if (std::exchange(indexed_, true)) return;
  for (std::size_t i = 0; i < objects_.device_claims.size(); ++i)
    claims_.emplace(objects_.device_claims[i].meta.Key(), i);
  for (std::size_t i = 0; i < objects_.device_claim_templates.size(); ++i)
    templates_.emplace(objects_.device_claim_templates[i].meta.Key(), i);
}

ResourceClaimRecord* DeviceController::Find(const std::string& key) {
  const auto it = claims_.find(key);
  return it == claims_.end() ? nullptr : &objects_.device_claims[it->second];
}

void DeviceController::OnBound(const Bind& bind, const PodRecord& pod) {
  if (bind.devices.empty()) return;
  Index();
  for (const DeviceChoice& choice : bind.devices) {
    ResourceClaimRecord* claim = Find(choice.claim);
    if (claim == nullptr) continue;
    if (choice.allocation && !claim->allocation) claim->allocation = choice.allocation;
    const auto is_user = [&](const ClaimUser& user) { return IsFor(user, pod); };
    if (std::ranges::none_of(claim->reserved_for, is_user))
      claim->reserved_for.push_back({"", "pods", pod.meta.name, pod.meta.uid});
  }
}

void DeviceController::Make(PodRecord& pod, PodDeviceClaim& named, TimeNs now) {
  const auto found = templates_.find(pod.meta.namespace_ + "/" + named.template_);
  if (found == templates_.end()) return;
  const ResourceClaimTemplateRecord& from = objects_.device_claim_templates[found->second];
  ResourceClaimRecord claim;
  claim.meta.name = pod.meta.name + "-" + named.name;
  claim.meta.namespace_ = pod.meta.namespace_;
  while (claims_.contains(claim.meta.Key())) claim.meta.name += "-2";
  claim.meta.uid = claim.meta.Key();
  claim.meta.creation = now;
  claim.meta.labels = from.labels;
  claim.meta.annotations = from.annotations;
  claim.meta.owner.Edit().uid = pod.meta.uid;
  claim.meta.owner.Edit().kind = "Pod";
  claim.meta.owner.Edit().name = pod.meta.name;
  claim.meta.flaw = from.meta.flaw;
  claim.spec = from.spec;
  named.made = claim.meta.name;
  claims_.emplace(claim.meta.Key(), objects_.device_claims.size());
  objects_.device_claims.push_back(std::move(claim));
}

void DeviceController::Reconcile(TimeNs now) {
  Index();
  for (PodRecord& pod : objects_.pods) {
    if (!LacksClaims(pod)) continue;
    for (PodDeviceClaim& named : pod.device_claims.Edit()) {
      if (IsToBeMade(named)) Make(pod, named, now);
    }
  }
}

void DeviceController::OnGone(const PodRecord& pod) {
  for (const PodDeviceClaim& named : *pod.device_claims) {
    const std::string key = pod.meta.namespace_ + "/" + NameOfClaim(named);
    const auto claim = std::ranges::find_if(
        objects_.device_claims, [&](const auto& record) { return record.meta.Key() == key; });
    if (claim == objects_.device_claims.end()) continue;
    if (named.claim.empty() && claim->meta.owner->uid == pod.meta.uid) {
      objects_.device_claims.erase(claim);
      continue;
    }
    const bool was_used = std::erase_if(claim->reserved_for, [&](const ClaimUser& user) {
                            return IsFor(user, pod);
                          }) > 0;
    if (was_used && claim->reserved_for.empty()) claim->allocation.reset();
  }
}

bool HasDeviceWork(const ClusterObjects& objects) {
  std::set<std::string> templates;
  const auto is_there = [&](const PodRecord& pod, const PodDeviceClaim& named) {
    if (templates.empty()) {
      for (const auto& record : objects.device_claim_templates) templates.insert(record.meta.Key());
    }
    return templates.contains(pod.meta.namespace_ + "/" + named.template_);
  };
  if (objects.device_claim_templates.empty()) return false;
  return std::ranges::any_of(objects.pods, [&](const PodRecord& pod) {
    return LacksClaims(pod) && std::ranges::any_of(*pod.device_claims, [&](const auto& named) {
             return IsToBeMade(named) && is_there(pod, named);
           });
  });
}

void ForgetMadeClaims(PodRecord& pod) {
  if (pod.device_claims.empty()) return;
  for (PodDeviceClaim& named : pod.device_claims.Edit()) {
    if (named.claim.empty()) named.made.reset();
  }
}

}  // namespace batholith
