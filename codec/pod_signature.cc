#include <string>

#include "codec/pod.h"

namespace batholith {
namespace {

// Text with the length of every part before it, so that no two different inputs read the same.
class Writer {
 public:
  void Text(const std::string& text) {
    Number(static_cast<std::int64_t>(text.size()));
    out_ += text;
  }
  void Number(std::int64_t number) {
    out_ += std::to_string(number);
    out_ += ' ';
  }
  void Texts(const std::vector<std::string>& texts) {
    List(texts, [this](const std::string& t) { Text(t); });
  }
  template <typename List_, typename Write>
  void List(const List_& list, Write write) {
    Number(static_cast<std::int64_t>(list.size()));
    for (const auto& item : list) write(item);
  }
  void Requirements(const std::vector<Requirement>& list) {
    List(list, [this](const Requirement& r) {
      Text(r.key);
      Number(static_cast<int>(r.op));
      Texts(r.values);
    });
  }
  void Selector(const std::optional<LabelSelector>& selector) {
    Number(selector ? 1 : 0);
    if (selector) Requirements(selector->requirements);
  }
  void NodeTerm(const NodeSelectorTerm& term) {
    Requirements(term.expressions);
    Requirements(term.fields);
  }
  void PodTerms(const std::vector<PodAffinityTerm>& terms) {
    List(terms, [this](const PodAffinityTerm& t) {
      Selector(t.selector);
      Texts(t.namespaces);
      Selector(t.namespace_selector);
      Text(t.topology_key);
      Number(t.weight);
    });
  }
  std::string Release() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace

std::string SignatureOf(const PodConstraints& c) {
  Writer w;
  w.List(c.node_selector, [&w](const auto& entry) {
    w.Text(entry.first);
    w.Text(entry.second);
  });
  w.Number(c.has_required_node_affinity ? 1 : 0);
  w.List(c.required_node_terms, [&w](const NodeSelectorTerm& t) { w.NodeTerm(t); });
  w.List(c.preferred_node_terms, [&w](const PreferredNodeTerm& t) {
    w.Number(t.weight);
    w.NodeTerm(t.term);
  });
  w.PodTerms(c.required_affinity);
  w.PodTerms(c.preferred_affinity);
  w.PodTerms(c.required_anti_affinity);
  w.PodTerms(c.preferred_anti_affinity);
  w.List(c.topology_spread, [&w](const TopologySpread& s) {
    w.Number(s.max_skew);
    w.Text(s.topology_key);
    w.Number(s.hard ? 1 : 0);
    w.Selector(s.selector);
    w.Number(s.min_domains);
    w.Number(s.honor_node_affinity ? 1 : 0);
    w.Number(s.honor_node_taints ? 1 : 0);
  });
  w.List(c.tolerations, [&w](const Toleration& t) {
    w.Text(t.key);
    w.Number(t.exists ? 1 : 0);
    w.Text(t.value);
    w.Number(t.effect ? static_cast<int>(*t.effect) : -1);
  });
  w.List(c.host_ports, [&w](const HostPort& p) {
    w.Text(p.ip);
    w.Text(p.protocol);
    w.Number(p.port);
  });
  w.Texts(c.images);
  return w.Release();
}

}  // namespace batholith
