#include "codec/made_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "api/value_text.h"
#include "codec/foreign_group.h"
#include "codec/json/field.h"
#include "codec/network_topology.h"
#include "codec/pod.h"

namespace batholith {
namespace {

constexpr std::string_view kMinMember = "scheduling.volcano.sh/group-min-member";

// Those of a pod's labels or annotations that count for its group.
Labels VolcanoKeys(const Labels& all) {
  Labels out;
  for (const auto& [key, value] : all) {
    if (key.starts_with("volcano.sh/")) out.emplace(key, value);
  }
  return out;
}

// The first of them by (creation time, uid) says what the group is.
PodGroupRecord GroupFor(const std::vector<const PodRecord*>& pods, const Labels* owner,
                        const std::string& default_queue, std::vector<std::string>& warnings) {
  const PodRecord& pod = *std::ranges::min(pods, {}, [](const PodRecord* p) {
    return std::tie(p->meta.creation, p->meta.uid, p->meta.name);
  });
  PodGroupRecord group;
  group.meta = pod.meta;
  group.meta.name = pod.group;
  group.meta.uid = group.meta.Key();
  group.meta.deleting = false;
  group.meta.labels = VolcanoKeys(pod.meta.labels);
  group.meta.annotations = owner == nullptr ? Labels() : VolcanoKeys(*owner);
  for (const auto& [key, value] : VolcanoKeys(pod.meta.annotations))
    group.meta.annotations.Edit().try_emplace(key, value);
  const std::string object = "Pod " + pod.meta.Key();
  group.network_topology = TopologyInAnnotations(pod.meta.annotations, object, warnings);
  if (!group.network_topology && owner != nullptr)
    group.network_topology = TopologyInAnnotations(*owner, "the owner of " + object, warnings);
  const bool by_owner = owner != nullptr && owner->contains(kMinMember);
  group.min_member = MinMemberOf(by_owner ? *owner : *pod.meta.annotations, object, warnings);
  const std::string* queue = FindValue(pod.meta.annotations, "scheduling.volcano.sh/queue-name");
  group.queue = queue == nullptr ? default_queue : *queue;
  group.priority_class = pod.priority_class;
  group.min_resources = Times(pod.request, group.min_member);
  group.made_for_pod = true;
  const auto assigned = std::ranges::count_if(pods, [](const PodRecord* p) {
    return !p->node_name.empty() && p->phase != PodPhase::kFailed;
  });
  group.phase = assigned >= group.min_member ? JobPhase::kRunning : JobPhase::kPending;
  return group;
}

// The keys by which Koordinator's gangs are described.
Labels GangKeys(const Labels& all) {
  Labels out;
  for (const auto& [key, value] : all) {
    if (key.starts_with("gang.scheduling.koordinator.sh/") ||
        key == "scheduling.volcano.sh/queue-name")
      out.emplace(key, value);
  }
  return out;
}

}  // namespace

void ForgetForeignGang(PodRecord& pod) {
  if (pod.group.contains('@') && !pod.group.ends_with(SuffixOf(GroupApi::kKubernetes)))
    pod.group.clear();
}

bool NamesGang(const PodRecord& pod) {
  const std::string* name = FindValue(pod.meta.annotations, kGangName);
  return name != nullptr && pod.group == *name + std::string(SuffixOf(GroupApi::kKoordinator));
}

PodGroupRecord MakeGangOf(const PodRecord& pod) {
  PodGroupRecord group;
  group.meta.name = pod.group.substr(0, pod.group.find('@'));
  group.meta.namespace_ = pod.meta.namespace_;
  group.meta.annotations = GangKeys(pod.meta.annotations);
  group.meta.creation = pod.meta.creation;
  group.api = GroupApi::kKoordinator;
  group.meta.uid = group.Identity();
  group.made_for_pod = true;
  ReadGangAnnotations(/*with_minimum=*/true, group);
  return group;
}

std::int32_t MinMemberOf(const Labels& annotations, const std::string& object,
                         std::vector<std::string>& warnings) {
  const std::string* text = FindValue(annotations, kMinMember);
  if (text == nullptr) return 1;
  const std::optional<int> value = ParseNumber<int>(*text);
  if (value && *value >= 1) return *value;
  warnings.push_back(object + ": metadata.annotations." + std::string(kMinMember) + ": \"" +
                     Printable(*text) + "\" is not a whole number from 1 on: counts as 1");
  return 1;
}

PodGroupRecord MakeGroupOf(PodRecord& pod, const std::string& default_queue,
                           std::vector<std::string>& warnings) {
  pod.group = "podgroup-" + pod.meta.uid;
  return GroupFor({&pod}, nullptr, default_queue, warnings);
}

namespace {

// Names the group that Volcano makes for the pods of one owner, or for one pod, by the uid. Uids of
// an input may be the same by accident: each further owner or pod then gets a number.
class GroupNames {
 public:
  std::string NameFor(const PodRecord& pod) {
    const bool owned = !pod.meta.owner->uid.empty();
    const std::string base = "podgroup-" + (owned ? pod.meta.owner->uid : pod.meta.uid);
    const std::string& namespace_ = pod.meta.namespace_;
    std::string& name = names_[{namespace_, base, owned ? "" : pod.meta.name}];
    if (!name.empty()) return name;
    std::size_t& n = given_[{namespace_, base}];
    do {
      name = base + (n == 0 ? "" : "-" + std::to_string(n + 1));
      ++n;
    } while (!used_.insert({namespace_, name}).second);
    return name;
  }

 private:
  std::map<std::array<std::string, 3>, std::string> names_;  // by namespace, base and pod
  std::map<std::pair<std::string, std::string>, std::size_t> given_;
  std::set<std::pair<std::string, std::string>> used_;
};

}  // namespace

void MakeGroups(const LoadOptions& options,
                const std::map<std::string, Labels, std::less<>>& owners, Loaded& loaded) {
  std::vector<PodGroupRecord>& groups = loaded.objects.pod_groups;
  std::set<std::string> existing;
  for (const PodGroupRecord& group : groups) existing.insert(group.Identity());
  const auto& ours = options.scheduler_names;
  std::map<std::string, std::vector<const PodRecord*>> members;
  std::vector<std::string> order;
  GroupNames names;
  for (PodRecord& pod : loaded.objects.pods) {
    if (std::ranges::find(ours, pod.scheduler_name) == ours.end()) {
      ForgetForeignGang(pod);
      continue;
    }
    if (NamesGang(pod) && existing.insert(pod.meta.namespace_ + "/" + pod.group).second)
      groups.push_back(MakeGangOf(pod));
    if (!pod.group.empty()) continue;
    pod.group = names.NameFor(pod);
    const std::string key = pod.meta.namespace_ + "/" + pod.group;
    if (existing.contains(key)) continue;
    std::vector<const PodRecord*>& pods = members[key];
    if (pods.empty()) order.push_back(key);
    pods.push_back(&pod);
  }
  for (const std::string& key : order) {
    const ObjectMeta& meta = members[key].front()->meta;
    const auto owner = owners.find(meta.namespace_ + "/" + meta.owner->uid);
    groups.push_back(GroupFor(members[key], owner == owners.end() ? nullptr : &owner->second,
                              options.default_queue, loaded.warnings));
  }
}

}  // namespace batholith
