#include "client/watch/kube_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "api/csi_migration.h"
#include "client/http/reply.h"
#include "client/watch/seen_object.h"

namespace batholith {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostWarned = 10'000;

// Whether the kind is an older version of the other.
bool IsOlder(const KubeKind& kind, const KubeKind& other) {
  return kind.newer != nullptr && std::string_view(kind.newer) == other.api_version &&
         std::string_view(kind.kind) == other.kind;
}

// Whether sessions say something about an object of a kind that is written to. Of pods those that
// wait: most pods of a cluster run, and nothing is kept of them here.
bool IsSpokenOf(const ObjectRecord& record) {
  const auto* pod = std::get_if<PodRecord>(&record);
  return pod == nullptr || (pod->node_name.empty() && !pod->group.empty());
}

// Whether the pod may have to be judged by claims, volumes and what storage drivers say of nodes.
bool AsksForVolumes(const PodRecord& pod) {
  return !pod.volumes->claims.empty() ||
         std::ranges::any_of(pod.volumes->disks,
                             [](const PodDisk& d) { return CsiVolumeOf(d).has_value(); });
}

}  // namespace

struct KubeSource::Kind {
  const KubeKind* kube = nullptr;
  std::size_t place = 0;
  std::map<std::string, std::string> flawed;  // what is not read in full, by namespace/name
  std::unique_ptr<Watch> watch;
};

KubeSource::KubeSource(HttpClient& client, EventInbox& inbox, ServerState& state,
                       KubeSourceOptions options)
    : client_(client),
      inbox_(inbox),
      state_(state),
      options_(std::move(options)),
      reader_(options_.scheduler_names, options_.default_queue) {
  for (const KubeKind& kube : KubeKinds()) {
    if (kube.use == KindUse::kFiles) continue;
    auto kind = std::make_unique<Kind>();
    kind->kube = &kube;
    kind->place = kinds_.size();
    kinds_.push_back(std::move(kind));
    KindHealth& health = health_.emplace_back();
    health.kind = kube.name();
    health.use = kube.use;
    health.watched = kube.waited_for() && kube.newer == nullptr;
  }
}

KubeSource::~KubeSource() = default;

void KubeSource::Start() {
  for (const auto& kind : kinds_) {
    if (kind->kube->waited_for() && kind->kube->newer == nullptr) Begin(*kind);
  }
}

void KubeSource::Begin(Kind& kind) {
  if (kind.watch != nullptr) return;
  {
    const std::lock_guard lock(health_mutex_);
    health_[kind.place].watched = true;
  }
  WatchListener listener;
  listener.on_put = [this, &kind](json::value&& object) { OnPut(kind, object); };
  listener.on_gone = [this, &kind](const std::string& key, const std::string& uid) {
    OnGone(kind, key, uid);
  };
  listener.on_state = [this, &kind](WatchState s, const std::string& why) {
    OnState(kind, s, why);
  };
  listener.on_alive = [this, &kind] {
    const std::lock_guard lock(health_mutex_);
    health_[kind.place].alive = std::chrono::steady_clock::now();
  };
  const KubeKind& kube = *kind.kube;
  kind.watch = std::make_unique<Watch>(
      client_, WatchTarget{kube.name(), kube.list_path(), "", kube.resource(), kube.protobuf()},
      options_.watch, std::move(listener));
  kind.watch->Start();
}

// What it told stays: a newer version tells the same objects.
void KubeSource::End(Kind& kind) {
  kind.watch.reset();
  kind.flawed.clear();
  CountFlawed(kind);
  const std::lock_guard lock(health_mutex_);
  health_[kind.place].watched = false;
}

void KubeSource::Want(KindUse use) {
  const unsigned bit = 1U << static_cast<unsigned>(use);
  if ((wanted_.fetch_or(bit) & bit) != 0) return;
  client_.Post([this, use] {
    for (const auto& kind : kinds_) {
      if (kind->kube->use == use && kind->kube->newer == nullptr) Begin(*kind);
    }
  });
}

// Workloads are many and large: of them only kinds that a buffer refers to are watched.
void KubeSource::WantBuffered(const CapacityBufferRecord& buffer) {
  for (const auto& kind : kinds_) {
    if (kind->kube->use != KindUse::kBuffered) continue;
    const bool is_template = std::string_view(kind->kube->kind) == "PodTemplate";
    const bool wanted = is_template
                            ? !buffer.pod_template.empty()
                            : buffer.scalable && buffer.scalable->kind == kind->kube->kind &&
                                  buffer.scalable->api_group == kind->kube->group();
    if (wanted) Begin(*kind);
  }
}

// A pod waits for claims that it names, so these are told last: then all is known that they may be
// bound to, and no pod is placed on half of it.
void KubeSource::BeginVolumes() {
  bool known = true;
  Kind* claims = nullptr;
  for (const auto& kind : kinds_) {
    if (kind->kube->use != KindUse::kVolumes) continue;
    if (kind->kube->record == KindOf<PersistentVolumeClaimRecord>()) {
      claims = kind.get();
      continue;
    }
    Begin(*kind);
    const std::lock_guard lock(health_mutex_);
    known = known && health_[kind->place].is_good();
  }
  if (known) Begin(*claims);
}

std::vector<KindHealth> KubeSource::Health() const {
  const std::lock_guard lock(health_mutex_);
  std::vector<KindHealth> out;
  std::ranges::copy_if(health_, std::back_inserter(out), &KindHealth::watched);
  return out;
}

bool KubeSource::IsSynced() const {
  const std::lock_guard lock(health_mutex_);
  return std::ranges::all_of(health_, [](const KindHealth& kind) {
    return !kind.watched || !IsWaitedFor(kind.use) || kind.is_good();
  });
}

bool KubeSource::IsServed(const std::string& kind) const {
  const std::lock_guard lock(health_mutex_);
  const auto it = std::ranges::find(health_, kind, &KindHealth::kind);
  return it != health_.end() && it->state == WatchState::kSynced;
}

void KubeSource::Warn(const std::string& message) {
  if (warned_.size() >= kMostWarned) warned_.clear();  // pods come and go, and each has a name
  if (warned_.insert(message).second && options_.warn) options_.warn(message);
}

// A pod of another scheduler counts where it stands; while it waits or is over it is nothing to us.
bool KubeSource::TakesRoom(const PodRecord& pod) const {
  if (std::ranges::find(options_.scheduler_names, pod.scheduler_name) !=
      options_.scheduler_names.end())
    return true;
  // Where a pod of one of our groups is another scheduler's, the group waits.
  if (pod.group.ends_with(SuffixOf(GroupApi::kKubernetes)) && pod.phase == PodPhase::kPending)
    return true;
  return !pod.node_name.empty() && pod.phase != PodPhase::kSucceeded &&
         pod.phase != PodPhase::kFailed;
}

void KubeSource::OnPut(Kind& kind, const json::value& object) {
  Result<ObjectReader::Read> read = reader_.ReadObject(object);
  if (!read) {
    Warn(fmt::format("{}; it is left as it was known before", read.error().message));
    return;
  }
  for (const std::string& warning : read->warnings) Warn(warning);
  if (const auto* pod = std::get_if<PodRecord>(&read->records.front())) {
    if (!TakesRoom(*pod)) return OnGone(kind, pod->meta.Key(), pod->meta.uid);
    if (pod->node_name.empty() && AsksForVolumes(*pod)) BeginVolumes();
  }
  RecordFlaw(kind, *read, object);
  if (const auto* buffer = std::get_if<CapacityBufferRecord>(&read->records.front()))
    WantBuffered(*buffer);
  const std::string key =
      std::visit([](const auto& record) { return KeyOf(record); }, read->records.front());
  if (kind.kube->written && IsSpokenOf(read->records.front())) {
    state_.Record(kind.kube->kind, key, SeenObjectOf(*kind.kube, object));
  } else if (kind.kube->written) {
    state_.Forget(kind.kube->kind, key, "");
  }
  for (ObjectRecord& record : read->records) inbox_.Push(ObjectPut{std::move(record)});
}

// What has a flaw is counted for as long as it is there, and told when it comes with another one.
void KubeSource::RecordFlaw(Kind& kind, const ObjectReader::Read& read, const json::value& object) {
  const ObjectMeta& meta = std::visit(
      [](const auto& record) -> const ObjectMeta& { return record.meta; }, read.records.front());
  if (read.flaw.empty()) return DropFlaw(kind, meta.Key());
  std::string& known = kind.flawed[meta.Key()];
  if (std::exchange(known, read.flaw) == read.flaw) return;
  CountFlawed(kind);
  Warn(fmt::format("{}; it is kept on the safe side, see docs/live.md", read.flaw));
  if (!options_.tell) return;
  options_.tell({TextIn(object, {"apiVersion"}), TextIn(object, {"kind"}), meta.namespace_,
                 meta.name, meta.uid,
                 /*warning=*/true, "Unreadable", "Reading", meta.flaw});
}

void KubeSource::DropFlaw(Kind& kind, const std::string& key) {
  if (kind.flawed.erase(key) != 0) CountFlawed(kind);
}

void KubeSource::CountFlawed(const Kind& kind) {
  const std::lock_guard lock(health_mutex_);
  health_[kind.place].flawed = kind.flawed.size();
  health_[kind.place].flaw = kind.flawed.empty() ? "" : kind.flawed.begin()->second;
}

void KubeSource::OnGone(Kind& kind, const std::string& key, const std::string& uid) {
  DropFlaw(kind, key);
  const std::size_t record = kind.kube->record;
  std::string identity = key;
  if (record == KindOf<ElasticQuotaRecord>() || record == KindOf<ScalableRecord>())
    identity = std::string(kind.kube->kind) + "." + std::string(kind.kube->group()) + "/" + key;
  if (record == KindOf<PodGroupRecord>()) identity += SuffixOf(GroupApiOf(kind.kube->group()));
  inbox_.Push(ObjectGone{record, identity, uid});
  if (kind.kube->written) state_.Forget(kind.kube->kind, identity, uid);
  if (record != KindOf<PodRecord>()) return;
  // The group that was made for it alone; an object of that name has another uid.
  const std::string made = key.substr(0, key.find('/')) + "/podgroup-" + uid;
  inbox_.Push(GoneOf<PodGroupRecord>(made, made));
}

void KubeSource::OnState(Kind& kind, WatchState state, const std::string& why) {
  {
    const std::lock_guard lock(health_mutex_);
    KindHealth& health = health_[kind.place];
    health.state = state;
    health.why = why;
    health.alive = std::chrono::steady_clock::now();
  }
  TellTrouble(kind, state, why);
  for (const auto& other : kinds_) {
    if (!IsOlder(*other->kube, *kind.kube)) continue;
    if (state == WatchState::kMissing) Begin(*other);
    if (state == WatchState::kSynced) End(*other);
  }
  if (kind.kube->use == KindUse::kVolumes) BeginVolumes();
  if (!told_missing_) TellMissing();
  inbox_.Wake();
}

void KubeSource::TellTrouble(const Kind& kind, WatchState state, const std::string& why) {
  if (state == WatchState::kMissing && !told_missing_ && kind.kube->use != KindUse::kRequired) {
    missing_.push_back(kind.kube);
  } else if (options_.warn && state != WatchState::kSynced && state != WatchState::kSyncing) {
    options_.warn(why);
  }
  if (options_.note && state == WatchState::kSyncing && !why.empty())
    options_.note(fmt::format("{}; all of it is read anew", why));
}

// Most clusters lack most kinds: those are told in one line, once every kind has been looked for.
void KubeSource::TellMissing() {
  {
    const std::lock_guard lock(health_mutex_);
    if (std::ranges::any_of(health_, [](const KindHealth& kind) {
          return kind.watched && kind.state == WatchState::kSyncing;
        }))
      return;
    // Served in an older version is served.
    for (const auto& kind : kinds_) {
      if (health_[kind->place].state != WatchState::kSynced) continue;
      std::erase_if(missing_, [&](const KubeKind* missing) {
        return std::string_view(missing->kind) == kind->kube->kind &&
               missing->group() == kind->kube->group();
      });
    }
  }
  told_missing_ = true;
  std::vector<std::string> names;
  for (const KubeKind* missing : missing_) {
    if (missing->newer == nullptr) names.push_back(missing->name());
  }
  if (!options_.note || names.empty()) return;
  std::ranges::sort(names);
  options_.note(fmt::format("what is not served is left out and looked for again each minute: {}",
                            fmt::join(names, ", ")));
}

void KubeSource::Heard(const json::value& object) {
  for (const auto& kind : kinds_) {
    if (TextIn(object, {"apiVersion"}) == kind->kube->api_version &&
        TextIn(object, {"kind"}) == kind->kube->kind)
      return kind->watch->Heard(object);
  }
}

}  // namespace batholith
