#include "plugins/resource_strategy_fit/resource_strategy_fit.h"

#include <boost/json.hpp>
#include <cstdlib>
#include <map>
#include <vector>

namespace batholith {
namespace {

struct Strategy {
  bool most = false;
  double weight = 1;
};
using Strategies = std::map<std::string, Strategy, std::less<>>;

constexpr const char* kTypeNote = "volcano.sh/resource-strategy-scoring-type";
constexpr const char* kWeightNote = "volcano.sh/resource-strategy-weight";

std::vector<std::string> SplitCommas(const std::string& text) {
  std::vector<std::string> out;
  std::string part;
  for (const char c : text + ",") {
    if (c == ',') {
      if (!part.empty()) out.push_back(part);
      part.clear();
    } else if (c != ' ') {
      part += c;
    }
  }
  return out;
}

class ResourceStrategyFit final : public Plugin,
                                  public NodeOrder,
                                  public Predicate,
                                  public TaskSignature {
 public:
  explicit ResourceStrategyFit(const PluginContext& context)
      : snapshot_(context.snapshot),
        state_(context.state),
        weight_(static_cast<double>(context.args.Int("resourceStrategyFitWeight"))) {
    for (const auto& [path, text] : context.args.Nested("resources")) {
      if (path.size() != 2) continue;
      if (path[1] == "type") strategies_[path[0]].most = text == "MostAllocated";
      if (path[1] == "weight") strategies_[path[0]].weight = std::atof(text.c_str());
    }
    if (strategies_.empty()) strategies_ = {{"cpu", {}}, {"memory", {}}};
    ReadScarce(context);
    ReadProportional(context);
  }

  void Sign(TaskIndex task, std::string& out) const override {
    const Labels& notes = snapshot_.task(task).record->meta.annotations;
    for (const char* key : {kTypeNote, kWeightNote}) {
      if (const auto it = notes.find(key); it != notes.end()) out += it->second;
      out += '\x1e';
    }
  }

  void Score(TaskIndex task, std::span<const NodeIndex> nodes,
             std::span<double> scores) const override {
    const Strategies strategies = StrategiesOf(task);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (weight_ > 0) scores[i] += weight_ * FitScore(task, nodes[i], strategies);
      if (scarce_weight_ > 0) scores[i] += scarce_weight_ * ScarceScore(task, nodes[i]);
    }
  }

  Unfit CheckNode(TaskIndex task, NodeIndex node) const override {
    const ResourceVector& request = snapshot_.task(task).request;
    for (const auto& [r, ratio] : proportional_) {
      if (request[r] > 0) return {};
    }
    for (const auto& [r, ratio] : proportional_) {
      if (snapshot_.node(node).allocatable[r] <= 0) continue;
      const ResourceVector idle = state_.idle(node) - request;
      const double devices = static_cast<double>(idle[r]);  // thousandths
      const bool cpu = static_cast<double>(idle[ResourceSchema::kCpu]) >= devices * ratio.first;
      const bool memory =
          static_cast<double>(idle[ResourceSchema::kMemory]) >= devices * ratio.second * 1e6;
      if (!cpu || !memory) return {Reason::kProportional, false, static_cast<std::uint32_t>(r)};
    }
    return {};
  }

  std::string DetailText(const Unfit& unfit) const override {
    return snapshot_.schema.name(unfit.detail);
  }

 private:
  void ReadScarce(const PluginContext& context) {
    std::map<std::string, double> weights;
    std::vector<std::string> names;
    bool enabled = false;
    double weight = 0;
    for (const auto& [path, text] : context.args.Nested("sra")) {
      if (path.empty()) continue;
      if (path[0] == "enable") enabled = text == "true";
      if (path[0] == "weight") weight = std::atof(text.c_str());
      if (path[0] == "resources") {
        for (std::string& name : SplitCommas(text)) names.push_back(std::move(name));
      }
      if (path[0] == "resourceWeight" && path.size() == 2)
        weights[path[1]] = std::atof(text.c_str());
    }
    if (!enabled) return;
    scarce_weight_ = weight;
    for (const std::string& name : names) {
      const auto it = weights.find(name);
      scarce_.emplace_back(snapshot_.schema.Find(name), it == weights.end() ? 1 : it->second);
    }
  }

  void ReadProportional(const PluginContext& context) {
    bool enabled = false;
    std::vector<std::string> names;
    std::map<std::string, double> ratios;
    for (const auto& [path, text] : context.args.Nested("proportional")) {
      if (path.empty()) continue;
      if (path[0] == "enable") enabled = text == "true";
      if (path[0] == "resources") {
        for (std::string& name : SplitCommas(text)) names.push_back(std::move(name));
      }
      if (path[0] == "resourceProportion" && path.size() == 2)
        ratios[path[1]] = std::atof(text.c_str());
    }
    if (!enabled) return;
    for (const std::string& name : names) {
      if (const auto r = snapshot_.schema.Find(name)) {
        proportional_.emplace_back(*r, std::pair(ratios[name + ".cpu"], ratios[name + ".memory"]));
      }
    }
  }

  // The longest prefix wins: "nvidia.com/*".
  static const Strategy* Find(const Strategies& strategies, const std::string& name) {
    if (const auto it = strategies.find(name); it != strategies.end()) return &it->second;
    const Strategy* best = nullptr;
    std::size_t length = 0;
    for (const auto& [pattern, strategy] : strategies) {
      if (pattern.size() < 2 || pattern.back() != '*' ||
          !name.starts_with(pattern.substr(0, pattern.size() - 1)))
        continue;
      if (pattern.size() > length) best = &strategy;
      length = std::max(length, pattern.size());
    }
    return best;
  }

  // The pod's annotations override the conf.
  Strategies StrategiesOf(TaskIndex task) const {
    const Labels& notes = snapshot_.task(task).record->meta.annotations;
    const auto type = notes.find(kTypeNote);
    const auto weight = notes.find(kWeightNote);
    if (type == notes.end() && weight == notes.end()) return strategies_;
    Strategies out = strategies_;
    if (type != notes.end()) {
      for (auto& [name, s] : out) s.most = type->second == "MostAllocated";
    }
    if (weight != notes.end()) {
      boost::system::error_code error;
      const boost::json::value json = boost::json::parse(weight->second, error);
      if (!error && json.is_object()) {
        for (const auto& entry : json.get_object()) {
          Strategy& s = out[std::string(entry.key())];
          if (type != notes.end()) s.most = type->second == "MostAllocated";
          if (entry.value().is_number()) s.weight = entry.value().to_number<double>();
        }
      }
    }
    return out;
  }

  double FitScore(TaskIndex task, NodeIndex node, const Strategies& strategies) const {
    const ResourceVector& request = snapshot_.task(task).request;
    const ResourceVector& allocatable = snapshot_.node(node).allocatable;
    double sum = 0;
    double weights = 0;
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (request[r] <= 0 || r == ResourceSchema::kPods) continue;
      const Strategy* s = Find(strategies, snapshot_.schema.name(r));
      if (s == nullptr) continue;
      weights += s->weight;
      if (allocatable[r] <= 0) continue;
      const std::int64_t used = state_.used(node)[r] + request[r];
      if (used > allocatable[r]) continue;
      const double share = static_cast<double>(used) / static_cast<double>(allocatable[r]);
      sum += s->weight * (s->most ? share : 1 - share);
    }
    return weights > 0 ? sum / weights * 100 : 0;
  }

  // 100 on nodes without the scarce resources; 0 where the node lacks something that is asked for.
  double ScarceScore(TaskIndex task, NodeIndex node) const {
    const ResourceVector& request = snapshot_.task(task).request;
    const ResourceVector& allocatable = snapshot_.node(node).allocatable;
    for (std::size_t r = 0; r < snapshot_.schema.size(); ++r) {
      if (request[r] > 0 && allocatable[r] <= 0) return 0;
    }
    double all = 0;
    double present = 0;
    for (const auto& [r, weight] : scarce_) {
      all += weight;
      if (r && allocatable[*r] > 0) present += weight;
    }
    return all > 0 ? (1 - present / all) * 100 : 0;
  }

  const Snapshot& snapshot_;
  const SessionState& state_;
  double weight_;
  Strategies strategies_;
  double scarce_weight_ = 0;
  std::vector<std::pair<std::optional<std::size_t>, double>> scarce_;
  std::vector<std::pair<std::size_t, std::pair<double, double>>> proportional_;
};

}  // namespace

std::unique_ptr<Plugin> MakeResourceStrategyFit(const PluginContext& context) {
  return std::make_unique<ResourceStrategyFit>(context);
}

}  // namespace batholith
