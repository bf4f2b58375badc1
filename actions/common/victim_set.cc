#include "actions/common/victim_set.h"

#include <algorithm>
#include <functional>

namespace batholith {

VictimSet::VictimSet(VictimJudge& judge, NodeIndex node, std::span<const TaskIndex> options,
                     std::int64_t& questions)
    : judge_(judge), node_(node), questions_(questions) {
  const Snapshot& snapshot = judge_.session().snapshot();
  const ResourceVector room = judge_.RoomOn(node);
  const ResourceVector& wanted = snapshot.task(judge_.preemptor()).request;
  for (std::size_t r = 0; r < snapshot.schema.size(); ++r) {
    const std::int64_t lack = ResourceVector::SubSaturating(wanted[r], room[r]);
    if (wanted[r] > 0 && lack > 0) lacks_.emplace_back(r, lack);
  }
  for (const TaskIndex t : options) {
    const JobIndex job = snapshot.task(t).job;
    auto it = std::ranges::find(jobs_, job, &Job::job);
    if (it == jobs_.end()) it = jobs_.insert(it, Job{job, judge_.MostOf(job), 0});
    options_.push_back(
        {t, &judge.Given(node, t), static_cast<std::size_t>(it - jobs_.begin()), options_.size()});
    options_.back().alike = AlikeTo(options_.size() - 1);
  }
  passed_over_.resize(options_.size(), false);
  scratch_.resize(jobs_.size());
}

std::size_t VictimSet::AlikeTo(std::size_t i) const {
  if (judge_.InUnit(options_[i].task)) return i;
  const Session& session = judge_.session();
  const TaskFacts& a = session.snapshot().task(options_[i].task);
  for (std::size_t other = 0; other < i; ++other) {
    if (options_[other].alike != other || options_[other].job != options_[i].job) continue;
    const TaskIndex task = options_[other].task;
    if (judge_.InUnit(task)) continue;
    const TaskFacts& b = session.snapshot().task(task);
    if (a.role == b.role && a.sub_job == b.sub_job && a.base_class == b.base_class &&
        session.state().node(options_[i].task) == session.state().node(task) &&
        session.classes().Of(options_[i].task) == session.classes().Of(task) &&
        a.record->meta.labels == b.record->meta.labels)
      return other;
  }
  return i;
}

std::optional<std::vector<TaskIndex>> VictimSet::Find() {
  for (last_ = 0; last_ < options_.size(); ++last_) {
    if (!Gives(0)) continue;
    if (Extend(0)) return Tasks();
    if (questions_ <= 0) break;
  }
  return std::nullopt;
}

// Whether the chosen ones and those from there on could give enough, as many of each job as may
// fall.
bool VictimSet::Gives(std::size_t from) {
  for (const auto& [resource, lack] : lacks_) {
    std::int64_t sum = (*options_[last_].request)[resource];
    for (const std::size_t i : chosen_)
      sum = ResourceVector::AddSaturating(sum, (*options_[i].request)[resource]);
    for (std::vector<std::int64_t>& amounts : scratch_) amounts.clear();
    for (std::size_t i = from; i < last_; ++i)
      scratch_[options_[i].job].push_back((*options_[i].request)[resource]);
    for (std::size_t j = 0; j < jobs_.size() && sum < lack; ++j) {
      std::vector<std::int64_t>& amounts = scratch_[j];
      const std::int64_t own = options_[last_].job == j ? 1 : 0;
      const std::int64_t left = std::max<std::int64_t>(jobs_[j].most - jobs_[j].taken - own, 0);
      std::ranges::sort(amounts, std::greater<>());
      for (std::int64_t i = 0; i < std::min(left, std::ssize(amounts)); ++i)
        sum = ResourceVector::AddSaturating(sum, amounts[static_cast<std::size_t>(i)]);
    }
    if (sum < lack) return false;
  }
  return true;
}

bool VictimSet::Covers() const {
  return std::ranges::all_of(lacks_, [&](const auto& lack) {
    std::int64_t sum = (*options_[last_].request)[lack.first];
    for (const std::size_t i : chosen_)
      sum = ResourceVector::AddSaturating(sum, (*options_[i].request)[lack.first]);
    return sum >= lack.second;
  });
}

std::vector<TaskIndex> VictimSet::Tasks() const {
  std::vector<TaskIndex> tasks;
  for (const std::size_t i : chosen_) tasks.push_back(options_[i].task);
  tasks.push_back(options_[last_].task);
  return tasks;
}

// False: they may not fall together.
bool VictimSet::Add(std::size_t i) {
  chosen_.push_back(i);
  ++jobs_[options_[i].job].taken;
  --questions_;
  if (judge_.MayFallTogether(Tasks())) return true;
  Drop();
  return false;
}

void VictimSet::Drop() {
  --jobs_[options_[chosen_.back()].job].taken;
  chosen_.pop_back();
}

// Whether what is chosen does, or more of those from there on makes it do.
bool VictimSet::Extend(std::size_t from) {
  if (Covers()) {
    --questions_;
    if (judge_.MakesRoom(node_, Tasks())) return true;
  }
  std::vector<std::size_t> passed;
  bool found = false;
  for (std::size_t i = from; i < last_ && !found && questions_ > 0; ++i) {
    if (passed_over_[options_[i].alike]) continue;
    if (!Gives(i)) break;
    if (Add(i)) {
      found = Extend(i + 1);
      if (!found) Drop();
    }
    passed_over_[options_[i].alike] = true;
    passed.push_back(options_[i].alike);
  }
  for (const std::size_t i : passed) passed_over_[i] = false;
  return found;
}

}  // namespace batholith
