#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <iostream>
#include <utility>

#include "api/did_you_mean.h"
#include "api/quantity.h"
#include "client/http/reply.h"
#include "cmd/commands.h"
#include "cmd/kube_listing.h"
#include "cmd/queue_explain.h"
#include "cmd/queue_listing.h"
#include "codec/json/field.h"

namespace batholith {
namespace {

namespace po = boost::program_options;
namespace json = boost::json;

Result<void> List(KubeRun& run) { return PrintList(run, QueueListing(run)); }
Result<void> Get(KubeRun& run) { return PrintNamed(run, QueueListing(run)); }

// "cpu=4,memory=8Gi".
Result<json::object> ParseAmounts(const std::string& flag, const std::string& text) {
  json::object out;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    const std::size_t equals = part.find('=');
    const std::string amount = equals == std::string::npos ? "" : part.substr(equals + 1);
    if (equals == 0 || !ParseQuantityCutOff(amount, 1))
      return Invalid(fmt::format("--{} {}: \"{}\" is not an amount, such as cpu=4 or memory=8Gi",
                                 flag, text, Shown(part)));
    out[part.substr(0, equals)] = amount;
    from = comma + 1;
  }
  return out;
}

void DescribeCreate(po::options_description& flags) {
  auto add = flags.add_options();
  add("weight,w", po::value<int>()->default_value(1), "share among the queues beside it");
  add("parent", po::value<std::string>(), "queue above it");
  add("capability", po::value<std::string>(), "never more than this: cpu=4,memory=8Gi");
  add("deserved", po::value<std::string>(), "its share with plugin capacity");
  add("guarantee", po::value<std::string>(), "kept free for it");
}

Result<void> Create(KubeRun& run) {
  json::object spec{{"weight", run.values["weight"].as<int>()}};
  if (run.values.contains("parent")) spec["parent"] = run.values["parent"].as<std::string>();
  for (const char* field : {"capability", "deserved", "guarantee"}) {
    if (!run.values.contains(field)) continue;
    const auto amounts = ParseAmounts(field, run.values[field].as<std::string>());
    if (!amounts) return std::unexpected(amounts.error());
    spec[field] =
        field == std::string("guarantee") ? json::object{{"resource", *amounts}} : *amounts;
  }
  const KubeKind& kind = *KindsNamed({"Queue"}).front();
  const std::string& name = run.flags.names.front();
  const auto made = run.api->Create(kind, "",
                                    json::object{{"apiVersion", kind.api_version},
                                                 {"kind", kind.kind},
                                                 {"metadata", {{"name", name}}},
                                                 {"spec", spec}});
  if (!made) return std::unexpected(made.error());
  std::cout << "queue " << name << " created\n";
  return {};
}

// As the server names it; the kind that is asked for first where it names none that we know.
const KubeKind& KindOfQueue(const json::value& queue) {
  const KubeKind* kind = FindKubeKind(TextIn(queue, {"apiVersion"}), "Queue");
  return kind == nullptr ? *KindsNamed({"Queue"}).front() : *kind;
}

void DescribeOperate(po::options_description& flags) {
  auto add = flags.add_options();
  add("weight,w", po::value<int>(), "the new weight");
  add("action,a", po::value<std::string>()->default_value("update"),
      "open, close, or update (of the weight)");
}

// Opens or closes a queue, or asks whoever keeps queues here to do it: the scheduler, or Volcano's
// controllers.
Result<void> SetState(KubeRun& run, const json::value& queue, const KubeKind& kind, bool open) {
  const std::string name = TextIn(queue, {"metadata", "name"});
  const Result<bool> commands = run.api->IsServed(kCommandKind);
  if (!commands) return std::unexpected(commands.error());
  if (*commands) {
    const auto sent = SendCommand(run, queue, "default", open ? "OpenQueue" : "CloseQueue");
    if (!sent) return sent;
    std::cout << "queue " << name << ": asked the scheduler to " << (open ? "open" : "close")
              << " it\n";
    return {};
  }
  json::object status{{"state", open ? "Open" : "Closed"}};
  // The schema wants it wherever there is a status.
  if (!FieldIn(queue, {"status", "allocated"}).present()) status["allocated"] = json::object();
  const auto done = run.api->Patch(queue, kind, "/status", json::object{{"status", status}});
  if (!done) return std::unexpected(done.error());
  std::cout << "queue " << name << (open ? " opened\n" : " closed\n");
  return {};
}

Result<void> Operate(KubeRun& run) {
  const std::string action = run.values["action"].as<std::string>();
  static constexpr std::array<std::string_view, 3> kActions{"open", "close", "update"};
  if (std::ranges::find(kActions, action) == kActions.end())
    return Invalid("unknown action " + Shown(action) + DidYouMean(action, kActions) +
                   " (open, close or update)");
  const bool weighs = run.values.contains("weight");
  if (action == "update" && !weighs) return Invalid("--action update needs --weight");
  const auto queue = run.api->Find(KindsNamed({"Queue"}), "", run.flags.names.front());
  if (!queue) return std::unexpected(queue.error());
  const KubeKind& kind = KindOfQueue(*queue);
  if (weighs) {
    const int weight = run.values["weight"].as<int>();
    const auto done =
        run.api->Patch(*queue, kind, "", json::object{{"spec", {{"weight", weight}}}});
    if (!done) return std::unexpected(done.error());
    std::cout << "queue " << run.flags.names.front() << ": weight " << weight << "\n";
  }
  return action == "update" ? Result<void>() : SetState(run, *queue, kind, action == "open");
}

Result<void> Delete(KubeRun& run) {
  for (const std::string& name : run.flags.names) {
    const auto queue = run.api->Find(KindsNamed({"Queue"}), "", name);
    if (!queue) return std::unexpected(queue.error());
    const auto done = run.api->Delete(*queue, KindOfQueue(*queue));
    if (!done) return std::unexpected(done.error());
    std::cout << "queue " << name << " deleted\n";
  }
  return {};
}

constexpr std::array kVerbs{
    KubeVerb{"list", "", "all queues, with their pod groups by phase",
             kLists | kPrints | kTree | kOffline, List},
    KubeVerb{"get", "NAME...", "these queues", kNames | kPrints | kTree | kOffline, Get},
    KubeVerb{"explain", "NAME", "what a queue may hold, who holds it, why its next job waits",
             kOneName | kOffline, ExplainQueue},
    KubeVerb{"create", "NAME", "a new queue", kOneName, Create, DescribeCreate},
    KubeVerb{"operate", "NAME", "open or close a queue, change its weight", kOneName, Operate,
             DescribeOperate},
    KubeVerb{"delete", "NAME...", "delete queues", kNames, Delete}};

}  // namespace

std::vector<CommandPage> QueuePages() { return PagesOf("queue", kVerbs); }

int QueueCommand(const std::vector<std::string>& arguments) {
  return RunKubeCommand("queue", kVerbs, arguments);
}

}  // namespace batholith
