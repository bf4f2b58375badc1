#include "topology/name_finder.h"

#include <algorithm>
#include <numeric>

#include "api/label_match.h"
#include "api/pattern.h"
#include "api/sort_unique.h"

namespace batholith {
namespace {

// What compiling a pattern costs, in looks at a name.
constexpr std::size_t kLooksOfPattern = 500;
constexpr std::size_t kLooksOfLetter = 20;

// What every name that matches begins with: the plain letters after ^, where nothing else is
// another way to match.
std::string_view PrefixOf(std::string_view pattern) {
  if (!pattern.starts_with('^') || pattern.find('|') != std::string_view::npos) return {};
  pattern.remove_prefix(1);
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  std::size_t length = 0;
  while (length < pattern.size() && plain(pattern[length])) ++length;
  // The last letter belongs to what repeats it, or leaves it away.
  if (length > 0 && length < pattern.size() &&
      std::string_view("*?+{").find(pattern[length]) != std::string_view::npos)
    --length;
  return pattern.substr(0, length);
}

bool TakeFrom(std::size_t& left, std::size_t looks) {
  if (looks > left) return false;
  left -= looks;
  return true;
}

}  // namespace

NameFinder::NameFinder(std::vector<std::string_view> names, std::size_t& looks_left)
    : looks_left_(looks_left) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    sorted_.emplace_back(names[i], i);
    places_.emplace(names[i], i);
  }
  std::ranges::sort(sorted_);
}

std::optional<std::size_t> NameFinder::Named(std::string_view name) const {
  const auto at = places_.find(name);
  return at == places_.end() ? std::nullopt : std::optional(at->second);
}

NameFinder::Found NameFinder::Matching(const std::string& pattern) {
  if (!TakeFrom(looks_left_, kLooksOfPattern + pattern.size() * kLooksOfLetter))
    return std::nullopt;
  const std::optional<Pattern> compiled = Pattern::Of(pattern);
  if (!compiled) return std::nullopt;
  const std::string_view prefix = PrefixOf(pattern);
  const auto name = &std::pair<std::string_view, std::size_t>::first;
  auto begin = std::ranges::lower_bound(sorted_, prefix, {}, name);
  const auto end = std::find_if_not(
      begin, sorted_.end(), [&](const auto& known) { return known.first.starts_with(prefix); });
  if (!TakeFrom(looks_left_, static_cast<std::size_t>(end - begin))) return std::nullopt;
  std::vector<std::size_t> out;
  for (; begin != end; ++begin) {
    if (compiled->FoundIn(begin->first)) out.push_back(begin->second);
  }
  std::ranges::sort(out);
  return out;
}

bool LabelFinder::Take(std::size_t looks) { return TakeFrom(looks_left_, looks); }

const LabelFinder::Values* LabelFinder::ValuesOf(const std::string& key) {
  const auto [at, added] = by_key_.try_emplace(key);
  if (!added) return &at->second;
  if (!Take(nodes_.size())) {
    by_key_.erase(at);
    return nullptr;
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Labels& labels = nodes_[n]->meta.labels;
    if (const auto label = labels.find(key); label != labels.end())
      at->second[label->second].push_back(n);
  }
  return &at->second;
}

NameFinder::Found LabelFinder::Matching(const LabelSelector& selector) {
  std::vector<std::size_t> candidates;
  bool narrowed = false;
  for (const Requirement& r : selector.requirements) {
    if (r.op != Requirement::Op::kIn) continue;
    const Values* values = ValuesOf(r.key);
    if (values == nullptr) return std::nullopt;
    std::size_t count = 0;
    for (const std::string& value : r.values) {
      if (const auto at = values->find(value); at != values->end()) count += at->second.size();
    }
    if (narrowed && count >= candidates.size()) continue;
    narrowed = true;
    candidates.clear();
    for (const std::string& value : r.values) {
      if (const auto at = values->find(value); at != values->end())
        candidates.insert(candidates.end(), at->second.begin(), at->second.end());
    }
  }
  if (!narrowed) {
    candidates.resize(nodes_.size());
    std::iota(candidates.begin(), candidates.end(), std::size_t{0});
  }
  if (!Take(candidates.size() + selector.requirements.size())) return std::nullopt;
  std::erase_if(candidates, [&](std::size_t n) {
    return !MatchesLabels(selector.requirements, nodes_[n]->meta.labels);
  });
  SortUnique(candidates);
  return candidates;
}

}  // namespace batholith
