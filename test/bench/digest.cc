#include "test/bench/digest.h"

#include <bit>
#include <string_view>

namespace batholith::bench {
namespace {

// FNV-1a; every text ends with a byte that is in none.
class Hasher {
 public:
  void Add(std::string_view text) {
    for (const char c : text) Byte(static_cast<std::uint8_t>(c));
    Byte(0xff);
  }
  void Add(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    for (int shift = 0; shift < 64; shift += 8) Byte(static_cast<std::uint8_t>(bits >> shift));
  }
  void Add(double number) { Add(std::bit_cast<std::int64_t>(number)); }
  void Add(const ResourceList& list) {
    for (const auto& [name, amount] : list) {
      Add(std::string_view(name));
      Add(amount);
    }
    Byte(0xfe);
  }
  std::uint64_t value() const { return hash_; }

 private:
  void Byte(std::uint8_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }

  std::uint64_t hash_ = 0xcbf29ce484222325;
};

template <typename... Parts>
void AddAll(Hasher& hash, const Parts&... parts) {
  (hash.Add(parts), ...);
}

void AddTexts(Hasher& hash, std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) hash.Add(text);
}

void AddDecisions(Hasher& hash, const CycleResult& result) {
  for (const Bind& b : result.binds) AddTexts(hash, {b.pod, b.job, b.queue, b.node, b.action});
  for (const Evict& e : result.evictions) {
    AddTexts(hash, {e.pod, e.job, e.queue, e.node, e.action, e.for_job, e.reason});
    hash.Add(static_cast<std::int64_t>(e.by));
  }
  for (const Pipelined& p : result.pipelined) {
    AddTexts(hash, {p.pod, p.job, p.node, p.action});
    hash.Add(std::int64_t{p.nominates});
  }
}

void AddJobs(Hasher& hash, const CycleResult& result) {
  for (const JobStatus& job : result.jobs) {
    AddTexts(hash, {job.key, job.queue, job.message});
    hash.Add(static_cast<std::int64_t>(job.phase));
    hash.Add(std::int64_t{job.min_member});
    hash.Add(job.share);
    for (const auto& [status, count] : job.tasks) {
      hash.Add(std::string_view(status));
      hash.Add(std::int64_t{count});
    }
    for (const JobCondition& c : job.conditions)
      AddTexts(hash, {c.type, c.status, c.reason, c.message});
  }
}

void AddFigures(Hasher& hash, const CycleResult& result) {
  for (const QueueStatus& q : result.queues) {
    hash.Add(std::string_view(q.name));
    AddAll(hash, q.share, q.deserved, q.allocated, q.request, q.capability, q.inqueue);
    AddAll(hash, std::int64_t{q.overused}, std::int64_t{q.jobs});
  }
  for (const NamespaceStatus& n : result.namespaces) {
    AddTexts(hash, {n.queue, n.name});
    AddAll(hash, n.share, n.allocated);
  }
  for (const NodeStatus& n : result.nodes) {
    hash.Add(std::string_view(n.name));
    AddAll(hash, n.allocatable, n.used, n.idle);
  }
  for (const QuotaStatus& q : result.quotas) {
    AddTexts(hash, {q.name, q.group, q.kind});
    AddAll(hash, q.request, q.used, q.runtime, q.scaled_min, q.guaranteed, q.allocated, q.borrowed);
  }
  for (const PodStatus& pod : result.pods) AddTexts(hash, {pod.key, pod.reason, pod.message});
  for (const PodLabel& label : result.labels) AddTexts(hash, {label.pod, label.key, label.value});
  for (const std::string& notice : result.notices) hash.Add(std::string_view(notice));
}

}  // namespace

Digest DigestOf(const CycleResult& result) {
  Digest digest;
  Hasher hash;
  AddDecisions(hash, result);
  digest.decisions = hash.value();
  AddJobs(hash, result);
  AddFigures(hash, result);
  digest.all = hash.value();
  return digest;
}

}  // namespace batholith::bench
