#include "devices/device_state.h"

#include <algorithm>
#include <utility>

#include "api/node_match.h"
#include "devices/claim_allocation.h"
#include "devices/claim_signature.h"

namespace batholith {
namespace {

// In the detail of a kDevicesNotReady: how the search ended, below the class.
constexpr std::uint32_t kEnds = 16;

constexpr DeviceMatcher::Answer AnswerOf(SearchEnd end) {
  if (end == SearchEnd::kCompileError) return DeviceMatcher::Answer::kCompileError;
  return end == SearchEnd::kNotBool ? DeviceMatcher::Answer::kNotBool
                                    : DeviceMatcher::Answer::kRuntimeError;
}

}  // namespace

DeviceState::DeviceState(const ClusterObjects& objects, std::vector<const NodeRecord*> nodes,
                         std::vector<DevicePod> pods)
    : nodes_(std::move(nodes)),
      pods_(std::move(pods)),
      pools_(objects.resource_slices, nodes_),
      matcher_(pools_),
      device_classes_(objects.device_classes),
      names_(objects.device_claims),
      claims_(objects.device_claims, pools_),
      plan_of_(objects.device_claims.size()),
      pods_of_(objects.device_claims.size()),
      leaving_(pods_.size()),
      class_of_(pods_.size(), kNoDevice) {
  FindClaims();
  for (std::uint32_t p = 0; p < pods_.size(); ++p) {
    if (pods_[p].record != nullptr && pods_[p].node < 0) class_of_[p] = MakeClass(p);
  }
}

void DeviceState::FindClaims() {
  for (std::uint32_t p = 0; p < pods_.size(); ++p) {
    const DevicePod& pod = pods_[p];
    if (pod.record == nullptr) continue;
    PodClaims found = names_.Of(*pod.record, pod.node < 0);
    for (const DeviceClaimId claim : found.claims) {
      ++pods_of_[claim];
      if (pod.node >= 0) claims_.AddUser(claim, *pod.record, pod.leaving);
    }
    leaving_[p] = pod.leaving;
    of_pod_.emplace(p, std::move(found));
  }
}

std::span<const DeviceClaimId> DeviceState::ClaimsOf(std::uint32_t pod) const {
  const auto it = of_pod_.find(pod);
  return it == of_pod_.end() ? std::span<const DeviceClaimId>() : it->second.claims;
}

// One pod's own, and without devices: any other of its spec finds the same.
bool DeviceState::IsOwn(DeviceClaimId claim) const {
  const ResourceClaimRecord& record = claims_.record(claim);
  return pods_of_[claim] < 2 && !record.allocation && record.reserved_for.empty();
}

const ClaimPlan* DeviceState::PlanFor(DeviceClaimId claim) {
  if (plan_of_[claim] != nullptr) return plan_of_[claim];
  const DeviceClaimSpec& spec = claims_.record(claim).spec;
  std::unique_ptr<ClaimPlan>& plan = plans_[SignatureOf(spec)];
  if (plan == nullptr) plan = std::make_unique<ClaimPlan>(PlanOf(spec, device_classes_, matcher_));
  return plan_of_[claim] = plan.get();
}

DeviceState::ClassId DeviceState::MakeClass(std::uint32_t pod) {
  const PodClaims& own = of_pod_.at(pod);
  Class made;
  made.example = pods_[pod].record;
  made.refusal = own.refusal;
  std::string key = own.refusal;
  for (const DeviceClaimId claim : own.claims) {
    const bool given = claims_.record(claim).allocation.has_value();
    const ClaimPlan* plan = given ? nullptr : PlanFor(claim);
    if (plan != nullptr && made.refusal.empty())
      made.refusal = RefusalOfPlan(*plan, claims_.record(claim).meta.name);
    if (IsOwn(claim)) {
      made.parts.push_back({kNoClaim, plan});
      key += "\nspec " + std::to_string(reinterpret_cast<std::uintptr_t>(plan));
    } else {
      made.parts.push_back({claim, plan});
      key += "\nclaim " + std::to_string(claim);
      const std::size_t users = pods_of_[claim] + claims_.record(claim).reserved_for.size();
      made.around = made.around || !given || users >= kMaxClaimUsers;
    }
    made.searches = made.searches || !given;
  }
  made.around = made.around || (made.searches && !pools_.AllLocal());
  const auto [it, added] =
      known_.try_emplace(std::move(key), static_cast<ClassId>(classes_.size()));
  if (added) classes_.push_back(std::move(made));
  return it->second;
}

std::string DeviceState::RefusalOfPlan(const ClaimPlan& plan, const std::string& claim) const {
  for (const RequestPlan& request : plan.requests) {
    for (const AskPlan& ask : request.asks) {
      const std::string where =
          "resourceclaim \"" + claim + "\": request " + request.request->name + ": device class ";
      if (ask.device_class == nullptr) return where + ask.ask->device_class + " does not exist";
      if (!ask.device_class->meta.flaw.empty())
        return where + ask.ask->device_class + " could not be read: " + ask.device_class->meta.flaw;
    }
  }
  return {};
}

bool DeviceState::IsUsableFrom(DeviceClaimId claim, std::uint32_t node) const {
  const DeviceAllocation& allocation = *claims_.AllocationOf(claim);
  return !allocation.nodes || MatchesAnyTerm(*allocation.nodes, *nodes_[node]);
}

Unfit DeviceState::Check(ClassId id, std::uint32_t node, bool with_leaving) const {
  const Class& c = classes_[id];
  if (!c.refusal.empty()) {
    const auto end = static_cast<std::uint32_t>(SearchEnd::kNone);
    return {Reason::kDevicesNotReady, false, id * kEnds + end};
  }
  std::vector<const ClaimPlan*> plans;
  for (const Part& part : c.parts) {
    if (part.claim == kNoClaim || claims_.AllocationOf(part.claim) == nullptr) {
      plans.push_back(part.plan);
    } else if (!IsUsableFrom(part.claim, node)) {
      return {Reason::kClaimElsewhere, false, 0};
    }
    if (part.claim != kNoClaim && claims_.IsFull(part.claim, *c.example))
      return {Reason::kClaimFull, true, 0};
  }
  if (plans.empty()) return {};
  return UnfitOf(id, FindDevices(pools_, matcher_, claims_.ledger(with_leaving), plans, node));
}

Unfit DeviceState::UnfitOf(ClassId c, const SearchResult& result) const {
  switch (result.end) {
    case SearchEnd::kFound:
      return {};
    case SearchEnd::kNone:
      return {Reason::kNoDevices, true, 0};
    case SearchEnd::kStepLimit:
      return {Reason::kDeviceSearch, true, 0};
    case SearchEnd::kPoolInvalid:
    case SearchEnd::kAllInvalid:
      return {Reason::kDevicePool, result.end == SearchEnd::kPoolInvalid, result.pool * 2};
    case SearchEnd::kAllIncomplete:
      return {Reason::kDevicePool, false, result.pool * 2 + 1};
    default:
      return {Reason::kDevicesNotReady, false, c * kEnds + static_cast<std::uint32_t>(result.end)};
  }
}

std::string DeviceState::TextOf(const Unfit& why) const {
  if (why.reason == Reason::kDevicePool) {
    const DevicePool& pool = pools_.pool(why.detail / 2);
    const std::string name =
        "pool " + std::string(pool.name) + " of driver " + std::string(pool.driver);
    if (why.detail % 2 != 0)
      return name + " is being updated, and all of its devices are asked for";
    return name + " is invalid: " + pool.fault;
  }
  const Class& c = classes_[why.detail / kEnds];
  const auto end = static_cast<SearchEnd>(why.detail % kEnds);
  if (end == SearchEnd::kNone) return c.refusal;  // before any node was looked at
  if (end == SearchEnd::kTooManyDevices)
    return "a claim asks for more than " + std::to_string(kMaxDevicesOfClaim) + " devices";
  for (const Part& part : c.parts) {
    if (part.plan == nullptr) continue;
    for (const RequestPlan& request : part.plan->requests) {
      for (const AskPlan& ask : request.asks) {
        if (const auto text = matcher_.ErrorText(ask.shape, AnswerOf(end)); !text.empty())
          return "request " + request.request->name + ": " + text;
      }
    }
  }
  return "a selector of devices fails";
}

void DeviceState::Take(std::uint32_t pod, std::uint32_t node) {
  std::vector<DeviceClaimId> open;
  std::vector<const ClaimPlan*> plans;
  for (const DeviceClaimId claim : ClaimsOf(pod)) {
    if (claims_.AllocationOf(claim) != nullptr) continue;
    open.push_back(claim);
    plans.push_back(PlanFor(claim));
  }
  if (open.empty()) return;
  // A place that is reserved counts on what those who are leaving have.
  for (const bool with_leaving : {true, false}) {
    const SearchResult found =
        FindDevices(pools_, matcher_, claims_.ledger(with_leaving), plans, node);
    if (found.end != SearchEnd::kFound) continue;
    for (std::uint32_t c = 0; c < open.size(); ++c) {
      std::vector<GivenDevice> given;
      for (const DevicePick& pick : found.picks) {
        if (pick.claim == c) given.push_back(GivenOf(pick, plans, pools_));
      }
      claims_.Decide(
          open[c],
          AllocationOf(found.picks, plans, c, claims_.record(open[c]), pools_, *nodes_[node]),
          std::move(given));
    }
    return;
  }
}

void DeviceState::Place(std::uint32_t pod, std::uint32_t node) {
  const std::span<const DeviceClaimId> own = ClaimsOf(pod);
  if (own.empty()) return;
  Take(pod, node);
  for (const DeviceClaimId claim : own) claims_.AddUser(claim, *pods_[pod].record, false);
}

void DeviceState::Remove(std::uint32_t pod) {
  for (const DeviceClaimId claim : ClaimsOf(pod))
    claims_.RemoveUser(claim, *pods_[pod].record, leaving_[pod]);
  leaving_[pod] = false;
}

void DeviceState::Leave(std::uint32_t pod) {
  leaving_[pod] = true;
  for (const DeviceClaimId claim : ClaimsOf(pod)) claims_.Leave(claim);
}

void DeviceState::Stay(std::uint32_t pod) {
  leaving_[pod] = false;
  for (const DeviceClaimId claim : ClaimsOf(pod)) claims_.Stay(claim);
}

std::vector<DeviceChoice> DeviceState::ChoicesOf(std::uint32_t pod) const {
  std::vector<DeviceChoice> out;
  for (const DeviceClaimId claim : ClaimsOf(pod)) {
    DeviceChoice& choice = out.emplace_back(claims_.record(claim).meta.Key());
    if (claims_.IsDecided(claim)) choice.allocation = *claims_.AllocationOf(claim);
  }
  return out;
}

}  // namespace batholith
