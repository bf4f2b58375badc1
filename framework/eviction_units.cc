#include "framework/eviction_units.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include "api/composite_path.h"

namespace batholith {
namespace {

// What a unit is called, by the identity of each group whose pods belong to one.
class UnitNames {
 public:
  explicit UnitNames(const ClusterObjects& objects) {
    const auto falls_whole = [](const auto& group) { return group.falls_whole; };
    if (std::ranges::none_of(objects.pod_groups, falls_whole) &&
        std::ranges::none_of(objects.composite_groups, falls_whole))
      return;
    const CompositeIndex composites(objects);
    for (const PodGroupRecord& group : objects.pod_groups) {
      if (group.api != GroupApi::kKubernetes) continue;
      std::string name = Above(composites, group);
      if (name.empty() && group.falls_whole) name = "PodGroup " + group.meta.Key();
      if (!name.empty()) names_.emplace(group.Identity(), std::move(name));
    }
  }

  const std::map<std::string, std::string>& all() const { return names_; }

 private:
  // The composite group furthest above it that falls whole; empty: none does.
  static std::string Above(const CompositeIndex& composites, const PodGroupRecord& group) {
    std::string found;
    for (const CompositePodGroupRecord* c :
         composites.Around(group.meta.namespace_, group.parent).around) {
      if (c->falls_whole) found = "CompositePodGroup " + c->meta.Key();
    }
    return found;
  }

  std::map<std::string, std::string> names_;
};

using Kept = std::shared_ptr<const EvictionUnits>;

}  // namespace

EvictionUnits::EvictionUnits(const Snapshot& snapshot) {
  const UnitNames names(*snapshot.objects);
  if (names.all().empty()) return;
  unit_of_.assign(snapshot.tasks.size(), kAlone);
  concerned_.assign(snapshot.jobs.size(), false);
  std::map<std::string_view, std::uint32_t> known;  // by name
  for (std::size_t t = 0; t < snapshot.tasks.size(); ++t) {
    const TaskFacts& facts = snapshot.tasks[t];
    if (facts.sample || !facts.record->group.contains('@')) continue;
    const auto name = names.all().find(facts.record->meta.namespace_ + "/" + facts.record->group);
    if (name == names.all().end()) continue;
    const auto [at, added] =
        known.try_emplace(name->second, static_cast<std::uint32_t>(units_.size()));
    if (added) units_.push_back({.name = name->second, .tasks = {}});
    EvictionUnit& unit = units_[at->second];
    unit.tasks.push_back(TaskIndex(t));
    unit_of_[t] = at->second;
    if (!facts.job.is_none()) concerned_[facts.job.value()] = true;
    if (HoldsAllocation(facts.status) && (facts.job.is_none() || facts.node.is_none()))
      unit.stays = true;
  }
}

const EvictionUnits& EvictionUnits::Of(Session& session) {
  if (session.handover().Find<Kept>() == nullptr)
    session.handover().Leave<Kept>(std::make_shared<const EvictionUnits>(session.snapshot()));
  return **session.handover().Find<Kept>();
}

const EvictionUnits* EvictionUnits::Known(const Session& session) {
  const Kept* kept = session.handover().Find<Kept>();
  return kept == nullptr ? nullptr : kept->get();
}

std::vector<TaskIndex> StandingOf(const EvictionUnit& unit, const SessionState& state) {
  std::vector<TaskIndex> standing;
  if (unit.stays) return standing;
  for (const TaskIndex t : unit.tasks) {
    const TaskStatus status = state.status(t);
    if (status == TaskStatus::kAllocated || status == TaskStatus::kBinding) return {};
    if (status == TaskStatus::kRunning || status == TaskStatus::kBound) standing.push_back(t);
  }
  return standing;
}

std::vector<TaskIndex> WithoutPartsOfUnits(const EvictionUnits& units, const SessionState& state,
                                           std::vector<TaskIndex> tasks) {
  if (units.none()) return tasks;
  const std::set<TaskIndex> named(tasks.begin(), tasks.end());
  std::map<const EvictionUnit*, bool> whole;  // looked up only
  std::erase_if(tasks, [&](TaskIndex t) {
    const EvictionUnit* unit = units.Find(t);
    if (unit == nullptr) return false;
    const auto [it, added] = whole.try_emplace(unit, false);
    if (added) {
      const std::vector<TaskIndex> standing = StandingOf(*unit, state);
      it->second = !standing.empty() &&
                   std::ranges::all_of(standing, [&](TaskIndex s) { return named.contains(s); });
    }
    return !it->second;
  });
  return tasks;
}

std::string EvictionReason(const EvictionUnits& units, TaskIndex task, std::string_view why) {
  std::string reason(why);
  if (const EvictionUnit* unit = units.Find(task))
    reason += ", with all pods of " + unit->name + ", which fall together";
  return reason;
}

}  // namespace batholith
