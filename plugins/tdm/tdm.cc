#include "plugins/tdm/tdm.h"

#include <map>

#include "api/value_text.h"
#include "framework/describe_plugin.h"
#include "plugins/tdm/options.h"

namespace batholith {
namespace {

constexpr std::string_view kZoneLabel = "volcano.sh/revocable-zone";
constexpr std::string_view kPreemptableKey = "volcano.sh/preemptable";
constexpr double kOpenZoneScore = 100;
constexpr std::int32_t kOneByOne = 1;  // budget of a job that names none
constexpr std::uint32_t kNoZone = 0xffffffffU;

// A start behind the end means over midnight, equal ones the whole day. The end belongs to it.
bool IsOpen(std::int64_t start, std::int64_t end, std::int64_t clock) {
  if (start == end) return true;
  if (start < end) return start <= clock && clock <= end;
  return start <= clock || clock <= end;
}

// "3" or "50%", a share rounded up. Nothing when it is neither.
std::optional<std::int64_t> ParseBudget(std::string_view text, std::int64_t total) {
  text = Trim(text);
  if (!text.ends_with('%')) return ParseNumber<std::int64_t>(text);
  text.remove_suffix(1);
  const auto percent = ParseNumber<std::int64_t>(text);
  if (!percent || *percent < 0 || *percent > 1'000'000) return std::nullopt;
  return (*percent * total + 99) / 100;
}

// A group is preemptable only if it says so (a pod: unless it says no).
bool GroupIsPreemptable(const ObjectMeta& meta) {
  for (const Labels* from : {&*meta.annotations, &*meta.labels}) {
    const auto it = from->find(kPreemptableKey);
    if (it == from->end()) continue;
    return ParseGoBool(it->second).value_or(false);
  }
  return false;
}

class Tdm final : public Plugin,
                  public Predicate,
                  public NodeOrder,
                  public Preemptable,
                  public VictimTasks,
                  public batholith::JobOrder,
                  public batholith::JobPipelined,
                  public batholith::JobStarving,
                  public TaskSignature {
 public:
  Tdm(const PluginContext& context, const TdmOptions& options)
      : snapshot_(context.snapshot), state_(context.state) {
    OpenZones(options);
    zone_of_node_.reserve(snapshot_.nodes.size());
    for (const NodeFacts& node : snapshot_.nodes) {
      const auto it = node.record->meta.labels.find(kZoneLabel);
      const bool plain = it == node.record->meta.labels.end() || it->second.empty();
      zone_of_node_.push_back(plain ? kNoZone : ZoneNamed(it->second));
    }
    for (const JobFacts& job : snapshot_.jobs) {
      preemptable_.push_back(GroupIsPreemptable(job.record->meta));
    }
  }

  std::unique_ptr<NodeCheck> Prepare(TaskIndex task) const override {
    const bool revocable = snapshot_.task(task).revocable;
    return MakeNodeCheck([this, revocable](NodeIndex node) -> Unfit {
      const std::uint32_t zone = zone_of_node_[node.value()];
      if (zone == kNoZone) return {};
      if (!zones_[zone].known) return {Reason::kRevocableZoneUnknown, false, zone};
      if (!zones_[zone].open) return {Reason::kRevocableZoneClosed, false, zone};
      if (!revocable) return {Reason::kRevocableTaskOnly, false, zone};
      return {};
    });
  }

  std::string DetailText(const Unfit& unfit) const override {
    if (unfit.detail >= zones_.size()) return {};
    const Zone& zone = zones_[unfit.detail];
    return zone.hours.empty() ? zone.name : zone.name + ":" + zone.hours;
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    if (!snapshot_.task(task).revocable) return;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t zone = zone_of_node_[nodes[i].value()];
      if (zone != kNoZone && zones_[zone].open) scores[i] += kOpenZoneScore;
    }
  }

  void Sign(TaskIndex task, std::string& out) const override {
    out += snapshot_.task(task).revocable ? 'r' : '-';
  }

  // Batch pods push nobody away. For the others, preemptable pods of plain nodes fall, each job
  // within its budget.
  Victims PreemptVictims(TaskIndex preemptor,
                         std::span<const TaskIndex> candidates) const override {
    std::vector<TaskIndex> victims;
    const TaskFacts& task = snapshot_.task(preemptor);
    if (task.preemptable || task.revocable) return victims;
    std::map<JobIndex, std::int64_t> budgets;
    for (const TaskIndex t : candidates) {
      const NodeIndex node = state_.node(t);
      if (node.is_none() || zone_of_node_[node.value()] != kNoZone) continue;
      if (MayGo(t) && Spend(t, budgets)) victims.push_back(t);
    }
    return victims;
  }
  VictimRole PreemptRole() const override { return VictimRole::kRanker; }

  // What runs in zones that have closed, lowest priority and youngest first within each job.
  std::vector<TaskIndex> ShuffleVictims() const override {
    std::vector<TaskIndex> victims;
    std::map<JobIndex, std::int64_t> budgets;
    for (const JobFacts& job : snapshot_.jobs) {
      std::vector<TaskIndex> order;
      for (const TaskIndex t : job.tasks) {
        if (InClosedZone(state_.node(t)) && MayGo(t)) order.push_back(t);
      }
      std::ranges::sort(order, [&](TaskIndex a, TaskIndex b) {
        const std::int32_t pa = snapshot_.task(a).priority;
        const std::int32_t pb = snapshot_.task(b).priority;
        return pa != pb ? pa < pb : b < a;
      });
      for (const TaskIndex t : order) {
        if (Spend(t, budgets)) victims.push_back(t);
      }
    }
    return victims;
  }

  std::weak_ordering CompareJobs(JobIndex a, JobIndex b) const override {
    const bool first = preemptable_[a.value()];
    const bool second = preemptable_[b.value()];
    return first <=> second;
  }

  Vote IsJobPipelined(JobIndex job) const override {
    const JobCounters& c = state_.job(job);
    const std::int32_t enough = snapshot_.job(job).min_available;
    return c.Waiting() + c.Ready() + c.pending_best_effort >= enough ? Vote::kPermit
                                                                     : Vote::kReject;
  }

  bool IsJobStarving(JobIndex job) const override {
    return !preemptable_[job.value()] && state_.job(job).Of(TaskStatus::kPending) > 0;
  }

 private:
  struct Zone {
    std::string name;
    std::string hours;   // as written
    bool known = false;  // the conf names it
    bool open = false;
  };

  void OpenZones(const TdmOptions& options) {
    constexpr TimeNs kSecond = 1'000'000'000;
    constexpr std::int64_t kDay = 24 * 60 * 60;
    const std::int64_t clock = (snapshot_.now / kSecond % kDay + kDay) % kDay;
    for (const TdmOptions::Zone& zone : options.zones)
      zones_.push_back({zone.name, zone.hours, true, IsOpen(zone.start, zone.end, clock)});
  }

  // Zones that only nodes name are unknown ones.
  std::uint32_t ZoneNamed(const std::string& name) {
    const auto it = std::ranges::find(zones_, name, &Zone::name);
    const auto index = static_cast<std::uint32_t>(it - zones_.begin());
    if (it == zones_.end()) zones_.push_back({name, "", false, false});
    return index;
  }

  bool InClosedZone(NodeIndex node) const {
    if (node.is_none()) return false;
    const std::uint32_t zone = zone_of_node_[node.value()];
    return zone != kNoZone && zones_[zone].known && !zones_[zone].open;
  }

  bool MayGo(TaskIndex t) const {
    const TaskFacts& task = snapshot_.task(t);
    return !task.job.is_none() && task.preemptable && state_.status(t) == TaskStatus::kRunning;
  }

  bool Spend(TaskIndex t, std::map<JobIndex, std::int64_t>& budgets) const {
    const JobIndex job = snapshot_.task(t).job;
    auto it = budgets.find(job);
    if (it == budgets.end()) it = budgets.emplace(job, BudgetOf(job)).first;
    return it->second-- > 0;
  }

  // How many pods of the job may go now.
  std::int64_t BudgetOf(JobIndex index) const {
    const JobFacts& job = snapshot_.job(index);
    const JobCounters& c = state_.job(index);
    const Labels& annotations = job.record->meta.annotations;
    const std::int64_t total = std::ssize(job.tasks);
    const std::int64_t running = c.Of(TaskStatus::kRunning);
    if (const auto it = annotations.find("volcano.sh/jdb-max-unavailable");
        it != annotations.end()) {
      const std::int64_t finished = c.Of(TaskStatus::kSucceeded) + c.Of(TaskStatus::kFailed);
      const std::int64_t unavailable = total - finished - running;
      return std::max<std::int64_t>(
          ResourceVector::SubSaturating(ParseBudget(it->second, total).value_or(0), unavailable),
          0);
    }
    if (const auto it = annotations.find("volcano.sh/jdb-min-available"); it != annotations.end()) {
      return std::max<std::int64_t>(
          ResourceVector::SubSaturating(running, ParseBudget(it->second, total).value_or(total)),
          0);
    }
    return kOneByOne;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  std::vector<Zone> zones_;
  std::vector<std::uint32_t> zone_of_node_;  // by NodeIndex
  std::vector<bool> preemptable_;            // by JobIndex
};

}  // namespace

PluginDescriptor TdmPlugin() {
  return DescribePlugin<Tdm, ReadTdmOptions>({
      .name = "tdm",
      .summary = "lends nodes of a revocable zone for a part of the day",
      .arguments = TdmArguments(),
      .ranks = {Point::kPreemptable},
      .reads_clock = true,
  });
}

}  // namespace batholith
