#include "cmd/scheduler_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/log.h"
#include "cmd/session_dump.h"

namespace batholith {
namespace {

constexpr std::chrono::milliseconds kConfPeriod{500};
// However still the cluster is, so often is a session run: statuses that were not written because
// of an error are written again. One that takes long runs so rarely that it costs a twentieth.
constexpr std::chrono::seconds kWholePeriod{5};
constexpr int kWholeFactor = 20;
constexpr std::chrono::milliseconds kConfReading{20};  // until a conf that changed is read

TimeNs Now() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

double SecondsBetween(std::chrono::steady_clock::time_point a, decltype(a) b) {
  return std::chrono::duration<double>(b - a).count();
}

}  // namespace

SchedulerLoop::SchedulerLoop(LoopOptions options, ConfReload& conf, EventInbox& inbox,
                             OrderSink& sink)
    : options_(std::move(options)),
      conf_(conf),
      inbox_(inbox),
      sink_(sink),
      cluster_(options_.snapshot),
      gathering_(options_.period),
      name_(fmt::format("{:x}", Now())),
      conf_text_(conf.text()) {}

void SchedulerLoop::Run(const std::atomic<bool>& stop) {
  Clock::time_point due = Clock::now(), look = due;
  bool changed = false;
  while (!stop) {
    alive_ = Clock::now().time_since_epoch().count();
    // What is known to have changed waits only for what comes with it.
    const auto until = changed && !refused_ ? gathering_.Due() : std::min(due, look);
    changed = Take(inbox_.TakeUntil(until)) || changed;
    if (Clock::now() >= look) {
      LookAtConf();
      look = Clock::now() + (conf_.reading() ? kConfReading : kConfPeriod);
    }
    // What was refused once would be again at once: the next session waits for its period.
    const bool gathered = changed && !refused_ && Clock::now() >= gathering_.Due();
    const bool overdue = Clock::now() >= due || dumps_.is_asked();
    const bool may = !stop && options_.may_schedule();
    if (!may) dumps_.Refuse("this replica does not schedule now");
    if (!may || (!gathered && !overdue)) {
      if (overdue) due = Clock::now() + options_.period;
      continue;
    }
    if (IsStill()) {
      gathering_.Begin();
      if (options_.on_still) options_.on_still();
    } else {
      decision_.Forget();
      health_.Try([this] { Session(); }, [this](const auto& trouble) { OnFailure(trouble); });
    }
    changed = refused_ = false;
    due = Clock::now() + options_.period;
  }
  dumps_.Close("the scheduler is ending");
}

void SchedulerLoop::OnFailure(const SessionHealth::Trouble& trouble) {
  dumps_.Refuse("the session failed: " + trouble.why);
  if (options_.on_failure) options_.on_failure(trouble);
}

// Whether there were any.
bool SchedulerLoop::Take(std::vector<ClusterEvent> events) {
  const bool came = !events.empty();
  for (ClusterEvent& event : events) {
    gathering_.Came(event, Clock::now());
    const auto* outcome = std::get_if<EffectOutcome>(&event);
    refused_ = refused_ || (outcome != nullptr && !outcome->done);
    if (auto* failure = std::get_if<ScaleFailure>(&event)) {
      failures_.push_back(*failure);
      failures_.back().at = Now();
    }
    const auto* put = std::get_if<ObjectPut>(&event);
    const bool quota = put != nullptr && std::holds_alternative<ElasticQuotaRecord>(put->record);
    hints_due_ = hints_due_ || quota;
    cluster_.Apply(std::move(event));
  }
  return came;
}

void SchedulerLoop::LookAtConf() {
  const auto change = conf_.Look();
  if (!change) return;
  hints_due_ = hints_due_ || change->adopted;
  decision_.Forget();
  {
    const std::lock_guard lock(mutex_);
    conf_text_ = conf_.text();
  }
  if (options_.on_conf) options_.on_conf(*change);
}

void SchedulerLoop::Session() {
  const Clock::time_point began = Clock::now();
  const TimeNs now = Now();
  gathering_.Begin();
  auto snapshot =
      cluster_.Take(now, conf_.pipeline().needs.node_resources, conf_.pipeline().ignored);
  const std::uint64_t seen = cluster_.version();
  SessionFigures session;
  session.built_anew = cluster_.snapshots().last_was_built;
  Clock::time_point at = Clock::now();
  session.snapshot_s = SecondsBetween(began, at);
  CycleOptions cycle;
  cycle.threads = options_.threads;
  cycle.nodes = dumps_.is_asked();  // nobody but a dump has them
  const std::shared_ptr<const CycleResult> before = last();
  AutoscaleReport told;  // with what came of its orders
  if (before != nullptr) {
    cycle.slack_before = &before->slack;
    cycle.autoscale_before = &before->autoscale;
    if (!failures_.empty()) {
      told = before->autoscale;
      std::ranges::copy(failures_, std::back_inserter(told.memory.failures));
      cycle.autoscale_before = &told;
    }
  }
  cycle.on_phase = [&](CyclePhase phase) {
    if (phase == CyclePhase::kActions) session.open_s = SecondsBetween(at, Clock::now());
    at = Clock::now();
  };
  cycle.on_action = [&](std::string_view action) {
    session.actions_s.emplace_back(action, SecondsBetween(at, Clock::now()));
    at = Clock::now();
  };
  CycleResult result = options_.decide(*snapshot, conf_.pipeline(), cycle);
  failures_.clear();
  session.close_s = SecondsBetween(at, Clock::now());
  if (cycle.nodes) KeepForDump(*snapshot, cycle);
  snapshot.reset();  // it looks into the records that are about to change
  SessionOrders orders = cluster_.Assume(std::move(result), now);
  decision_.Keep(conf_.pipeline(), seen, cluster_.version());
  const auto took = Clock::now() - began;
  whole_due_ = Clock::now() + std::max<Clock::duration>(kWholePeriod, kWholeFactor * took);
  orders.session = fmt::format("{}-{}", name_, ++sessions_);
  {
    const std::lock_guard lock(mutex_);
    last_ = orders.report;
  }
  gathering_.Decided(*orders.report, Clock::now());
  dumps_.Hand(orders.report);
  const LiveCluster::Unanswered unanswered = cluster_.unanswered();
  session.unanswered = unanswered.count;
  if (unanswered.since != 0)
    session.oldest_unanswered_s = static_cast<double>(now - unanswered.since) / 1e9;
  session.total_s = SecondsBetween(began, Clock::now());
  session.report = last_.get();
  notices_.Tell(cluster_.objects(), conf_.pipeline(), *orders.report,
                std::exchange(hints_due_, false), options_.on_hint);
  const bool had_effect = !orders.binds.empty() || !orders.evictions.empty();
  Log(had_effect ? LogLevel::kInfo : LogLevel::kDebug, "session",
      {{"id", orders.session},
       {"binds", std::to_string(orders.binds.size())},
       {"evictions", std::to_string(orders.evictions.size())},
       {"ms", fmt::format("{:.1f}", 1000 * session.total_s)}});
  sink_.Send(std::move(orders));
  if (options_.on_session) options_.on_session(session);
}

// The records change when the session is over, and whoever asked takes long to write them down.
void SchedulerLoop::KeepForDump(const Snapshot& snapshot, const CycleOptions& cycle) {
  const Clock::time_point began = Clock::now();
  SessionDump dump;
  dump.now = snapshot.now;
  dump.conf = conf_.text();
  PutOptions(options_.snapshot, dump);
  dump.objects = std::make_shared<const ClusterObjects>(*snapshot.objects);
  if (cycle.slack_before != nullptr) dump.memory.slack = *cycle.slack_before;
  if (cycle.autoscale_before != nullptr) dump.memory.autoscale = *cycle.autoscale_before;
  dumps_.Keep(std::move(dump));
  Log(LogLevel::kInfo, "the session was copied for /debug/snapshot",
      {{"ms", fmt::format("{:.1f}", 1000 * SecondsBetween(began, Clock::now()))}});
}

void SchedulerLoop::AskForDump(DumpTaker::Done done) {
  dumps_.Ask(std::move(done));
  inbox_.Wake();
}

}  // namespace batholith
