#include "actions/slack/slack.h"

#include <algorithm>
#include <unordered_map>

#include "actions/common/node_state.h"
#include "actions/common/placeholder_shapes.h"
#include "actions/slack/buffers.h"
#include "actions/slack/model/placement.h"
#include "actions/slack/options.h"
#include "actions/slack/room.h"
#include "actions/slack/sources.h"
#include "framework/session.h"

namespace batholith {
namespace {

ResourceList ToList(const Snapshot& snapshot, const ResourceVector& amounts) {
  ResourceList out;
  for (std::size_t r = 0; r < snapshot.schema.size(); ++r) {
    if (r != ResourceSchema::kPods && amounts[r] > 0) out[snapshot.schema.name(r)] = amounts[r];
  }
  return out;
}

// Grows at once, and shrinks to the largest count of the window. Keeps the falling tail of it.
std::int64_t Damped(std::int64_t wanted, TimeNs now, std::int64_t window_ns,
                    std::vector<WantedCount>& window) {
  std::erase_if(window,
                [&](const WantedCount& w) { return w.count <= wanted || now - w.at >= window_ns; });
  window.push_back({now, wanted});
  return window.front().count;
}

class SlackSession {
 public:
  SlackSession(Session& session, const SlackOptions& options)
      : session_(session),
        snapshot_(session.snapshot()),
        options_(options),
        before_(session.options().slack_before) {
    for (const NodeFacts& node : snapshot_.nodes) takes_slack_.push_back(TakesSlack(node));
  }

  void Run() {
    report_.ran = true;
    SessionBuffers buffers(session_);
    wanted_ = FindSources(session_, options_, takes_slack_, before_, buffers);
    for (const WantedSource& source : wanted_) AddSource(source);
    CountForgotten();
    SessionRoom room(session_, classes_, takes_slack_, Order());
    Fill(PlaceSlack(items_, sizes_, room));
    session_.result().buffers = buffers.Statuses(report_);
    session_.result().slack = std::move(report_);
    PlaceholderShapes shapes;
    for (std::uint32_t s = 0; s < wanted_.size(); ++s) {
      shapes.sources.push_back(
          {wanted_[s].size, wanted_[s].constraints.sample, room.ClosedDomains(s)});
    }
    session_.handover().Leave(std::move(shapes));
  }

 private:
  const PlaceholderSource* Before(const std::string& name) const {
    if (before_ == nullptr) return nullptr;
    const auto it = std::ranges::find(before_->sources, name, &PlaceholderSource::name);
    return it == before_->sources.end() ? nullptr : &*it;
  }

  NodeIndex NodeNamed(const std::string& name) {
    if (name.empty()) return {};
    if (node_by_name_.empty()) {
      for (std::size_t n = 0; n < snapshot_.nodes.size(); ++n)
        node_by_name_.emplace(snapshot_.nodes[n].record->meta.name, NodeIndex(n));
    }
    const auto it = node_by_name_.find(name);
    if (it == node_by_name_.end()) ++report_.node_gone;
    return it == node_by_name_.end() ? NodeIndex() : it->second;
  }

  void AddSource(const WantedSource& source) {
    const auto item_class = static_cast<std::uint32_t>(classes_.size());
    classes_.push_back(source.constraints);
    sizes_.push_back(source.size);
    PlaceholderSource out;
    out.name = source.name;
    out.size = ToList(snapshot_, source.size);
    out.expendable = source.expendable;
    const PlaceholderSource* before = Before(source.name);
    std::int64_t count = source.count;
    if (source.damped) {
      if (before != nullptr) out.window = before->window;
      count = Damped(count, snapshot_.now, options_.window.count(), out.window);
    }
    out.nodes.resize(static_cast<std::size_t>(count));
    const bool resized = before != nullptr && before->size != out.size;
    for (std::size_t i = 0; i < out.nodes.size(); ++i) {
      SlackItem item{item_class, NodeIndex(), out.expendable};
      if (before != nullptr && i < before->nodes.size()) item.node = NodeNamed(before->nodes[i]);
      if (resized && !item.node.is_none()) ++report_.resized;
      items_.push_back(item);
    }
    report_.sources.push_back(std::move(out));
  }

  void CountForgotten() {
    if (before_ == nullptr) return;
    for (const PlaceholderSource& source : before_->sources) {
      const auto it = std::ranges::find(report_.sources, source.name, &PlaceholderSource::name);
      const std::size_t kept = it == report_.sources.end() ? 0 : it->nodes.size();
      if (source.nodes.size() > kept)
        report_.trimmed += static_cast<std::int64_t>(source.nodes.size() - kept);
    }
  }

  // auto: as the conf places pods.
  SlackOrder Order() const {
    if (options_.order) return *options_.order;
    const FillStyle fill = session_.chains().PreferredFill().value_or(FillStyle::kPack);
    return fill == FillStyle::kPack ? SlackOrder::kPack : SlackOrder::kSpread;
  }

  void Fill(const SlackPlacement& placement) {
    report_.node_gone += static_cast<std::int64_t>(placement.node_gone.size());
    report_.pushed_out = static_cast<std::int64_t>(placement.pushed_out.size());
    report_.evaluations = placement.evaluations;
    ResourceVector reserved;
    ResourceVector unmet;
    std::size_t i = 0;
    for (std::size_t s = 0; s < report_.sources.size(); ++s) {
      PlaceholderSource& source = report_.sources[s];
      std::size_t homeless = 0;
      for (std::string& name : source.nodes) {
        const NodeIndex node = placement.nodes[i++];
        (node.is_none() ? unmet : reserved) += sizes_[s];
        if (node.is_none()) {
          ++homeless;
        } else {
          name = snapshot_.node(node).record->meta.name;
        }
      }
      if (homeless > 0) source.reason = WhyHomeless(s);
    }
    report_.desired = ToList(snapshot_, reserved + unmet);
    report_.reserved = ToList(snapshot_, reserved);
    report_.unmet = ToList(snapshot_, unmet);
  }

  std::string WhyHomeless(std::size_t s) const {
    const bool fits = std::ranges::any_of(
        snapshot_.nodes, [&](const NodeFacts& node) { return sizes_[s].FitsIn(node.allocatable); });
    return fits ? "NoRoom" : "TooLarge";
  }

  Session& session_;
  const Snapshot& snapshot_;
  const SlackOptions& options_;
  const SlackReport* before_;
  std::vector<bool> takes_slack_;
  std::vector<WantedSource> wanted_;
  std::vector<SlackClass> classes_;    // by source
  std::vector<ResourceVector> sizes_;  // by source
  std::vector<SlackItem> items_;
  std::unordered_map<std::string_view, NodeIndex> node_by_name_;  // looked up only, never walked
  SlackReport report_;
};

void Slack(Session& session, const SlackOptions& options) { SlackSession(session, options).Run(); }

ActionNeeds NeedsOf(const SlackOptions& options) {
  return {.consumers = options.consumers, .reads_buffers = options.capacity_buffers};
}

}  // namespace

ActionDescriptor SlackAction() {
  return DescribeAction<Slack, ReadSlackOptions, NeedsOf>({
      .name = "slack",
      .summary = "keeps room free, as placeholders for pods to come",
      .arguments = SlackArguments(),
      .reads_clock = true,
      .stands_last = true,
  });
}

}  // namespace batholith
