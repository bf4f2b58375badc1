#include "cmd/kube_follow.h"

#include <algorithm>
#include <condition_variable>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "client/http/reply.h"
#include "client/watch/watch.h"

namespace batholith {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

// The objects of some kinds, as watches tell them.
class Mirror {
 public:
  // Once for each kind, before anything is waited for.
  std::unique_ptr<Watch> Start(HttpClient& client, const KubeKind& kind,
                               const std::string& namespace_, const std::string& selector) {
    const std::string prefix = kind.name() + " ";
    unknown_.insert(prefix);
    WatchListener listener;
    listener.on_put = [this, prefix](json::value&& object) {
      const std::lock_guard lock(mutex_);
      objects_[prefix + KeyOfObject(object)] = std::move(object);
      Change();
    };
    listener.on_gone = [this, prefix](const std::string& key, const std::string&) {
      const std::lock_guard lock(mutex_);
      objects_.erase(prefix + key);
      Change();
    };
    listener.on_state = [this, prefix](WatchState state, const std::string& why) {
      const std::lock_guard lock(mutex_);
      if (state == WatchState::kForbidden || state == WatchState::kFailing)
        std::cerr << "warning: " << prefix << why << "\n";
      if (state != WatchState::kSyncing) unknown_.erase(prefix);
      Change();
    };
    listener.on_alive = [] {};
    WatchTarget target{kind.name(), ListPath(kind, namespace_), selector, kind.resource(),
                       kind.protobuf()};
    auto watch = std::make_unique<Watch>(client, std::move(target), WatchOptions(), listener);
    watch->Start();
    return watch;
  }

  // Waits for a change, then for those that come at once with it. False: the time is over.
  bool Wait(std::optional<Clock::time_point> end) {
    std::unique_lock lock(mutex_);
    const auto is_new = [this] { return changed_ && unknown_.empty(); };
    if (!end) {
      told_.wait(lock, is_new);
    } else if (!told_.wait_until(lock, *end, is_new)) {
      return false;
    }
    told_.wait_for(lock, std::chrono::milliseconds(100), [] { return false; });
    changed_ = false;
    return true;
  }

  // Of these kinds, by namespace and name within each; each object in its newest version.
  Objects Of(const Kinds& kinds) {
    const std::lock_guard lock(mutex_);
    Objects out;
    for (const KubeKind* kind : kinds) {
      const std::string prefix = kind->name() + " ";
      const KubeKind* newer =
          kind->newer == nullptr ? nullptr : FindKubeKind(kind->newer, kind->kind);
      for (auto it = objects_.lower_bound(prefix);
           it != objects_.end() && it->first.starts_with(prefix); ++it) {
        const std::string key = it->first.substr(prefix.size());
        if (newer == nullptr || !objects_.contains(newer->name() + " " + key))
          out.push_back(it->second);
      }
    }
    return out;
  }

 private:
  void Change() {
    changed_ = true;
    told_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable told_;
  std::map<std::string, json::value> objects_;  // by kind and key
  std::set<std::string> unknown_;               // kinds of which nothing was told yet
  bool changed_ = false;
};

// What was printed of each object, so that only what is another thing now is printed again.
class Printed {
 public:
  Printed(const KubeRun& run, const ListOf& list) : run_(run), list_(list) {}

  void Print(const Objects& listed, const Objects& counted) {
    const bool table = IsTable(run_);
    const TextRows cells = table ? list_.cells(listed, counted) : TextRows(listed.size());
    TextRows rows;
    if (table && !head_ && !listed.empty()) {
      head_ = true;
      if (!run_.flags.no_headers) rows.push_back(list_.head);
    }
    std::map<std::string, std::vector<std::string>> now;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const std::string key =
          TextIn(listed[i], {"apiVersion"}) + TextIn(listed[i], {"kind"}) + KeyOfObject(listed[i]);
      auto row = table ? cells[i] : std::vector{TextIn(listed[i], {"metadata", "resourceVersion"})};
      const auto before = rows_.find(key);
      if (before == rows_.end() || before->second != row) {
        if (table) rows.push_back(row);
        if (!table) PrintObject(listed[i]);
      }
      now[key] = std::move(row);
    }
    for (const auto& [key, row] : rows_) {
      if (table && !now.contains(key)) rows.push_back(row);
    }
    rows_ = std::move(now);
    std::cout << TextTable(rows, shape_) << std::flush;
  }

 private:
  void PrintObject(const json::value& object) const {
    if (run_.flags.output == "yaml") std::cout << "---\n";
    std::cout << ObjectText(object, run_.flags.output);
  }

  const KubeRun& run_;
  const ListOf& list_;
  TableShape shape_;
  bool head_ = false;
  std::map<std::string, std::vector<std::string>> rows_;  // by kind and key
};

}  // namespace

Result<void> Follow(KubeRun& run, const ListOf& list) {
  std::optional<Clock::time_point> end;
  if (run.flags.request_timeout.count() > 0) end = Clock::now() + run.flags.request_timeout;
  Mirror mirror;
  std::vector<std::unique_ptr<Watch>> watches;
  for (const KubeKind* kind : list.kinds)
    watches.push_back(mirror.Start(*run.client, *kind, run.list_namespace(), run.flags.selector));
  for (const KubeKind* kind : list.counted)
    watches.push_back(mirror.Start(*run.client, *kind, "", ""));
  Printed printed(run, list);
  while (mirror.Wait(end) && std::cout.good()) {
    Objects listed = mirror.Of(list.kinds);
    if (list.keep) std::erase_if(listed, [&](const json::value& o) { return !list.keep(o); });
    printed.Print(listed, mirror.Of(list.counted));
  }
  run.client.reset();  // it is what calls the watches
  return {};
}

}  // namespace batholith
