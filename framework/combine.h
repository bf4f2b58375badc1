#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>

#include "framework/chain.h"
#include "framework/extension_points.h"

// How the answers of the plugins of a chain become one answer. `ask` puts the question to one
// plugin. A function stops asking as soon as the answer is certain.
namespace batholith {

// The first tier in which somebody votes decides: one rejection up to the end of that tier is
// final. If nobody votes at all, the answer is yes.
template <typename PointClass, typename Ask>
bool FirstTierThatVotes(const Chain<PointClass>& chain, Ask ask) {
  bool permitted = false;
  std::size_t tier = 0;
  for (const Link<PointClass>& link : chain) {
    if (link.tier != tier && permitted) return true;
    tier = link.tier;
    const Vote vote = ask(*link.plugin);
    if (vote == Vote::kReject) return false;
    permitted = permitted || vote == Vote::kPermit;
  }
  return true;
}

// The first plugin that tells the two apart decides, whatever its tier.
template <typename PointClass, typename Ask>
std::weak_ordering FirstDecisive(const Chain<PointClass>& chain, Ask ask) {
  for (const Link<PointClass>& link : chain) {
    const std::weak_ordering order = ask(*link.plugin);
    if (order != 0) return order;
  }
  return std::weak_ordering::equivalent;
}

// The first answer that is not ok, or one that is.
template <typename PointClass, typename Ask>
auto FirstRefusal(const Chain<PointClass>& chain, Ask ask) -> decltype(ask(*chain[0].plugin)) {
  for (const Link<PointClass>& link : chain) {
    auto answer = ask(*link.plugin);
    if (!answer.ok()) return answer;
  }
  return {};
}

template <typename PointClass, typename Ask>
bool AllAgree(const Chain<PointClass>& chain, Ask ask) {
  return std::ranges::all_of(chain, [&](const Link<PointClass>& l) { return ask(*l.plugin); });
}

template <typename PointClass, typename Ask>
bool AnyAgrees(const Chain<PointClass>& chain, Ask ask) {
  return std::ranges::any_of(chain, [&](const Link<PointClass>& l) { return ask(*l.plugin); });
}

// Only the first tier that has a plugin is asked, and all of it has to agree. With nobody to ask,
// the answer is no.
template <typename PointClass, typename Ask>
bool FirstTierAgrees(const Chain<PointClass>& chain, Ask ask) {
  return !chain.empty() && std::ranges::all_of(chain, [&](const Link<PointClass>& l) {
    return l.tier != chain.front().tier || ask(*l.plugin);
  });
}

}  // namespace batholith
