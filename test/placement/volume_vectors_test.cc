#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "codec/json/text.h"
#include "test/placement/vector_files.h"
#include "volumes/volume_state.h"

// What kube-scheduler decided of pods with volumes, node by node: every file of kind VolumeVectors
// in $BATHOLITH_SHARED/placement.
namespace batholith {
namespace {

namespace json = boost::json;

struct Filter {
  const char* name;
  VolumeRules rules;
};
const std::vector<Filter> kFilters{{"VolumeRestrictions", {true, false, false, false}},
                                   {"NodeVolumeLimits", {false, true, false, false}},
                                   {"VolumeBinding", {false, false, true, false}},
                                   {"VolumeZone", {false, false, false, true}}};

std::string NameOf(ClaimRefusal refusal) {
  switch (refusal) {
    case ClaimRefusal::kNone:
      return "";
    case ClaimRefusal::kClaimMissing:
      return "claim-missing";
    case ClaimRefusal::kEphemeralClaimMissing:
      return "ephemeral-claim-missing";
    case ClaimRefusal::kNotOwned:
      return "ephemeral-claim-not-owned";
    case ClaimRefusal::kClaimLost:
      return "claim-lost";
    case ClaimRefusal::kClaimDeleting:
      return "claim-deleting";
    case ClaimRefusal::kUnboundImmediate:
      return "unbound-immediate";
    case ClaimRefusal::kVolumeMissing:
      return "volume-missing";
    case ClaimRefusal::kClaimWithoutClass:
      return "claim-without-class";
    case ClaimRefusal::kClassMissing:
      return "class-missing";
    case ClaimRefusal::kClaimWithoutVolume:
      return "claim-without-volume";
    case ClaimRefusal::kClaimUnread:
      return "claim-unread";
  }
  return "";
}

std::string NameOf(Reason reason) {
  static const std::map<Reason, std::string> kNames{
      {Reason::kVolumeNodeAffinity, "volume-node-affinity"},
      {Reason::kNoVolumeToBind, "no-volume-to-bind"},
      {Reason::kNotEnoughStorage, "not-enough-storage"},
      {Reason::kVolumeMissing, "volume-missing"},
      {Reason::kVolumeZone, "volume-zone"},
      {Reason::kReadWriteOncePod, "read-write-once-pod-in-use"},
      {Reason::kDiskConflict, "disk-conflict"},
      {Reason::kTooManyVolumes, "volume-limit"}};
  return kNames.at(reason);
}

// The cluster of a vector.
class Cluster {
 public:
  explicit Cluster(const json::object& vector) {
    objects_ = ObjectsOf(vector);
    const std::string pod(vector.at("pod").as_string());
    for (std::uint32_t p = 0; p < objects_.pods.size(); ++p) {
      if (objects_.pods[p].meta.Key() == pod) pod_ = p;
    }
  }

  const ClusterObjects& objects() const { return objects_; }
  std::uint32_t pod() const { return pod_; }

  std::unique_ptr<VolumeState> State(VolumeRules rules) const {
    std::vector<const NodeRecord*> nodes;
    std::map<std::string, std::int64_t> numbers;
    for (const NodeRecord& node : objects_.nodes) {
      numbers[node.meta.name] = static_cast<std::int64_t>(nodes.size());
      nodes.push_back(&node);
    }
    std::vector<VolumePod> pods;
    for (const PodRecord& pod : objects_.pods) {
      VolumePod& out = pods.emplace_back();
      if (pod.phase == PodPhase::kSucceeded || pod.phase == PodPhase::kFailed) continue;
      out.record = &pod;
      if (!pod.node_name.empty() && numbers.contains(pod.node_name))
        out.node = numbers[pod.node_name];
    }
    return std::make_unique<VolumeState>(objects_, nodes, rules, pods);
  }

 private:
  ClusterObjects objects_;
  std::uint32_t pod_ = 0;
};

json::array Names(const std::vector<Reason>& reasons) {
  std::set<std::string> names;
  for (const Reason reason : reasons) names.insert(NameOf(reason));
  return json::array(names.begin(), names.end());
}

json::value Sorted(const json::value& value) {
  if (!value.is_array()) return value;
  std::set<std::string> names;
  for (const json::value& name : value.as_array()) names.emplace(name.as_string());
  return json::array(names.begin(), names.end());
}

std::vector<Reason> Ask(const VolumeState& state, const std::string& filter, std::uint32_t pod,
                        std::uint32_t node) {
  const VolumeState::ClassId c = state.ClassOf(pod);
  if (filter == "VolumeRestrictions") return state.AskRestrictions(c, node, true);
  if (filter == "NodeVolumeLimits") return state.AskLimits(c, node, true);
  if (filter == "VolumeBinding") return state.AskBinding(c, node);
  return state.AskZones(c, node);
}

class VolumeVectors : public testing::TestWithParam<std::string> {};

// Nodes of which the vector says that kube-scheduler does what one may not want, or that hang on
// ties.
std::set<std::string> Unsure(const json::object& vector) {
  std::set<std::string> out;
  const json::object& expected = vector.at("expected").as_object();
  if (const json::value* open = expected.if_contains("open")) {
    for (const json::value& node : open->as_array()) out.emplace(node.as_string());
  }
  const json::value* quirks = vector.if_contains("quirk");
  if (quirks == nullptr) return out;
  const std::string text = JsonText(*quirks);
  for (const auto& [node, unused] : expected.at("nodes").as_object()) {
    if (text.find(std::string(node)) != std::string::npos) out.emplace(node);
  }
  return out;
}

// Where this scheduler decides otherwise on purpose, and the difference is just that
// (docs/parity.md). Properties hold what it decides there against an exhaustive search.
class Ours {
 public:
  explicit Ours(const VolumeState& state, std::uint32_t pod) {
    if (state.ClassOf(pod) == kNoId) return;
    const PodNeeds& needs = state.NeedsOfClass(state.ClassOf(pod));
    several_open_ = needs.delayed.size() > 1;
    several_counted_ = std::ranges::count_if(needs.delayed, [](const DelayedClaim& claim) {
                         return claim.shape->counted;
                       }) > 1;
    attached_ = !state.facts().objects().volume_attachments.empty();
  }

  // Which difference it is, and how it is counted; empty: none.
  std::string Of(const json::value& wanted, const json::value& got) const {
    const std::set<std::string> theirs = Reasons(wanted);
    const std::set<std::string> ours = Reasons(got);
    std::vector<std::string> differ;
    std::ranges::set_symmetric_difference(theirs, ours, std::back_inserter(differ));
    if (differ.size() != 1) return {};
    const std::string& reason = differ.front();
    const bool only_theirs = theirs.contains(reason);
    if (reason == "no-volume-to-bind" && only_theirs && several_open_)
      return "an assignment that the smallest claim first does not find";
    if (reason == "not-enough-storage" && !only_theirs && several_counted_)
      return "room that two claims of the pod cannot both have";
    if (reason == "volume-limit" && only_theirs && attached_)
      return "an attached volume that counts once";
    return {};
  }

 private:
  static std::set<std::string> Reasons(const json::value& value) {
    std::set<std::string> out;
    if (!value.is_array()) return out;
    for (const json::value& reason : value.as_array()) out.emplace(reason.as_string());
    return out;
  }

  bool several_open_ = false;
  bool several_counted_ = false;
  bool attached_ = false;
};

class Compare {
 public:
  Compare(const json::object& vector, const Cluster& cluster)
      : expected_(vector.at("expected").as_object()),
        cluster_(cluster),
        pod_(cluster.pod()),
        unsure_(Unsure(vector)) {}

  void All() {
    BeforeNodes();
    Alone();
    if (expected_.at("prefilter").is_null()) Nodes();
  }

 private:
  static const PodNeeds& NeedsIn(const VolumeState& state, std::uint32_t pod) {
    static const PodNeeds kNothing;
    return state.ClassOf(pod) == kNoId ? kNothing : state.NeedsOfClass(state.ClassOf(pod));
  }

  void BeforeNodes() {
    const auto state = cluster_.State({});
    const json::value& wanted = expected_.at("prefilter");
    EXPECT_EQ(NameOf(NeedsIn(*state, pod_).refusal),
              wanted.is_null() ? "" : std::string(wanted.as_string()));
    if (wanted.is_null()) return;
    for (const Filter& filter : kFilters) {
      const auto alone = cluster_.State(filter.rules);
      if (NeedsIn(*alone, pod_).refusal == ClaimRefusal::kNone) continue;
      EXPECT_EQ(expected_.at("by").as_string(), filter.name);
      return;
    }
  }

  void Alone() {
    const json::value* alone = expected_.if_contains("alone");
    for (const Filter& filter : kFilters) {
      const json::value* wanted =
          alone == nullptr ? nullptr : alone->as_object().if_contains(filter.name);
      const auto state = cluster_.State(filter.rules);
      // Where a claim is missing, another filter refuses before limits are looked at.
      if (filter.name == std::string("NodeVolumeLimits") && !expected_.at("prefilter").is_null())
        continue;
      const ClaimRefusal refusal = NeedsIn(*state, pod_).refusal;
      if (wanted != nullptr && wanted->is_string()) {
        EXPECT_EQ(wanted->as_string(), NameOf(refusal)) << filter.name;
        continue;
      }
      EXPECT_EQ(NameOf(refusal), "") << filter.name;
      if (refusal != ClaimRefusal::kNone || state->ClassOf(pod_) == kNoId) continue;
      for (std::uint32_t n = 0; n < cluster_.objects().nodes.size(); ++n) {
        const std::string& node = cluster_.objects().nodes[n].meta.name;
        if (unsure_.contains(node)) continue;
        const json::value* of_node =
            wanted == nullptr ? nullptr : wanted->as_object().if_contains(node);
        const json::value got(Names(Ask(*state, filter.name, pod_, n)));
        const json::value theirs =
            of_node == nullptr ? json::value(json::array()) : Sorted(*of_node);
        if (!Ours(*state, pod_).Of(theirs, got).empty()) continue;
        EXPECT_EQ(got, theirs) << filter.name << " alone, " << node;
      }
    }
  }

  void Nodes() {
    const auto state = cluster_.State({});
    for (std::uint32_t n = 0; n < cluster_.objects().nodes.size(); ++n) {
      const std::string& node = cluster_.objects().nodes[n].meta.name;
      const json::value* wanted = expected_.at("nodes").as_object().if_contains(node);
      if (wanted == nullptr || unsure_.contains(node)) continue;
      if (state->ClassOf(pod_) == kNoId) {
        EXPECT_EQ(*wanted, "fits") << node;
        continue;
      }
      json::value got("fits");
      std::string by;
      for (const Filter& filter : kFilters) {
        const std::vector<Reason> reasons = Ask(*state, filter.name, pod_, n);
        if (reasons.empty()) continue;
        got = Names(reasons);
        by = filter.name;
        break;
      }
      const std::string ours = Ours(*state, pod_).Of(*wanted, got);
      if (!ours.empty()) {
        std::cout << node << ": " << ours << "\n";
        continue;
      }
      EXPECT_EQ(got, Sorted(*wanted)) << node;
      if (by.empty() || !wanted->is_array()) {
        EXPECT_EQ(by, "") << node;
      } else {
        EXPECT_EQ(expected_.at("by").at(node).as_string(), by) << node;
      }
      const Reason first = state->Check(state->ClassOf(pod_), n, true);
      EXPECT_EQ(first == Reason::kNone, got == "fits") << node;
      if (got == "fits") Picks(*state, n, node);
    }
  }

  void Picks(VolumeState& state, std::uint32_t n, const std::string& node) {
    const json::value* picks = expected_.if_contains("picks");
    const json::value* wanted = picks == nullptr ? nullptr : picks->as_object().if_contains(node);
    state.Place(pod_, n);
    std::map<std::string, std::string> got;
    for (const VolumeChoice& choice : state.ChoicesOf(pod_)) {
      got[choice.claim.substr(choice.claim.find('/') + 1)] =
          choice.volume.empty() ? "provision" : choice.volume;
    }
    state.Remove(pod_, n);
    const json::object none;
    const json::object& claims = wanted == nullptr ? none : wanted->as_object();
    EXPECT_EQ(got.size(), claims.size()) << node;
    for (const auto& [claim, volume] : claims) {
      const std::string& name = got[std::string(claim)];
      if (!volume.is_array()) {
        EXPECT_EQ(volume.as_string(), name) << node << " " << claim;
        continue;
      }
      const json::array& any = volume.as_array();
      EXPECT_NE(std::ranges::find(any, json::value(name)), any.end())
          << node << " " << claim << ": " << name << " is none of " << JsonText(volume);
    }
  }

  const json::object& expected_;
  const Cluster& cluster_;
  const std::uint32_t pod_;
  const std::set<std::string> unsure_;
};

TEST(VolumeVectors, are_decided_as_kube_scheduler_does) {
  if (!std::filesystem::exists(PlacementFolder())) GTEST_SKIP() << "the vectors are not there";
  const int compared = ForEachVector(
      "VolumeVectors", [](const json::object& vector) { Compare(vector, Cluster(vector)).All(); });
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace batholith
