// Runtimes of random trees against a slow model that shares one unit after another. A failure names
// its seed: BATHOLITH_PROPERTY_SEED=<seed> BATHOLITH_PROPERTY_ROUNDS=1 repeats it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "quota/runtime_tree.h"
#include "test/property/quota_env.h"

namespace batholith::property {
namespace {

// One quota in one resource.
struct Member {
  std::string name;
  int parent = -1;
  std::int64_t min = 0;
  std::int64_t max = 0;
  bool limited = true;  // max lists the resource
  std::int64_t weight = 0;
  bool lends = true;
  std::int64_t asked = 0;  // by its own pods
  std::int64_t limited_request = 0;
  std::int64_t runtime = 0;
};

class SlowTree {
 public:
  SlowTree(std::vector<Member> members, std::int64_t total) : members_(std::move(members)) {
    for (std::size_t i = members_.size(); i-- > 0;) Ask(static_cast<int>(i));
    Share(-1, total);
  }
  const Member& operator[](std::size_t i) const { return members_[i]; }
  std::vector<int> ChildrenOf(int parent) const {
    std::vector<int> out;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].parent == parent) out.push_back(static_cast<int>(i));
    }
    std::ranges::sort(out, {}, [&](int i) { return At(i).name; });
    return out;
  }

 private:
  Member& At(int i) { return members_[static_cast<std::size_t>(i)]; }
  const Member& At(int i) const { return members_[static_cast<std::size_t>(i)]; }

  void Ask(int i) {
    std::int64_t request = At(i).asked;
    for (const int child : ChildrenOf(i)) request += At(child).limited_request;
    if (!At(i).lends) request = std::max(request, At(i).min);
    At(i).limited_request = At(i).limited ? std::min(request, At(i).max) : request;
  }

  std::map<int, std::int64_t> Minimums(const std::vector<int>& children, std::int64_t total) const {
    std::map<int, std::int64_t> out;
    std::int64_t sum = 0;
    for (const int i : children) sum += out[i] = At(i).min;
    if (sum <= total) return out;
    for (auto& [i, min] : out) min = total <= 0 ? 0 : total * min / sum;
    return out;
  }

  // A round gives each hungry one the whole units of its part, then single units to whom the
  // greatest part of one is still owed.
  void Share(int parent, std::int64_t total) {
    const std::vector<int> children = ChildrenOf(parent);
    const std::map<int, std::int64_t> minimums = Minimums(children, total);
    std::int64_t left = total;
    std::vector<int> hungry;
    for (const int i : children) {
      const std::int64_t min = minimums.at(i);
      const bool more = At(i).limited_request > min;
      At(i).runtime = more || !At(i).lends ? min : At(i).limited_request;
      if (more) hungry.push_back(i);
      left -= At(i).runtime;
    }
    while (left > 0) {
      std::int64_t weights = 0;
      for (const int i : hungry) weights += At(i).weight;
      if (weights == 0) break;
      std::map<int, std::int64_t> part;
      std::int64_t given = 0;
      for (const int i : hungry) given += part[i] = left * At(i).weight / weights;
      std::map<int, std::int64_t> whole = part;
      for (; given < left; ++given) {
        int best = -1;
        std::int64_t owed = -1;
        for (const int i : hungry) {
          const std::int64_t rest = left * At(i).weight - whole[i] * weights;
          if (At(i).weight == 0 || part[i] != whole[i] || rest <= owed) continue;
          owed = rest;
          best = i;
        }
        ++part[best];
      }
      left = 0;
      std::vector<int> still;
      for (const int i : hungry) {
        At(i).runtime += part[i];
        if (At(i).runtime >= At(i).limited_request) {
          left += At(i).runtime - At(i).limited_request;
          At(i).runtime = At(i).limited_request;
        } else {
          still.push_back(i);
        }
      }
      hungry = std::move(still);
    }
    for (const int i : children) Share(i, At(i).runtime);
  }

  std::vector<Member> members_;
};

std::vector<Member> RandomMembers(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  const std::uint64_t big = random() % 3 == 0 ? 100'000 : 40;
  std::vector<Member> out;
  const auto count = static_cast<std::size_t>(1 + below(12));
  for (std::size_t i = 0; i < count; ++i) {
    Member m;
    m.name = fmt::format("{}{}", static_cast<char>('a' + below(26)), i);
    m.parent = i == 0 || random() % 2 == 0 ? -1 : static_cast<int>(below(i));
    m.min = below(big / 2);
    m.max = m.min + below(big);
    m.limited = random() % 10 != 0;
    m.weight = random() % 8 == 0 ? 0 : below(big) + 1;
    m.lends = random() % 5 != 0;
    m.asked = below(2 * big);
    out.push_back(m);
  }
  return out;
}

RuntimeTree TreeOf(const std::vector<Member>& members) {
  std::vector<TreeQuota> quotas;
  for (const Member& m : members) {
    TreeQuota quota;
    quota.name = m.name;
    if (m.parent >= 0) quota.parent = QuotaIndex(static_cast<std::size_t>(m.parent));
    quota.min.Set(0, m.min);
    if (m.limited) quota.max.Set(0, m.max);
    quota.weight.Set(0, m.weight);
    quota.lends = m.lends;
    quotas.push_back(std::move(quota));
  }
  return RuntimeTree(std::move(quotas), {1, true, false});
}

ResourceVector Amount(std::int64_t value) {
  ResourceVector out;
  out[0] = value;
  return out;
}

TEST(RuntimeTreeProperty, equals_the_slow_model_and_gives_everything_away) {
  std::size_t shared = 0;
  ForEachSeed([&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::vector<Member> members = RandomMembers(random);
    std::int64_t total = 0;
    for (const Member& m : members) total += m.max;
    total = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(total + 2));
    const SlowTree slow(members, total);
    RuntimeTree tree = TreeOf(members);
    tree.SetTotal(Amount(total));
    // In pieces, with looks in between: what was asked and taken back leaves no trace.
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::int64_t extra = static_cast<std::int64_t>(random() % 50);
      tree.AddRequest(QuotaIndex(i), Amount(members[i].asked + extra));
      if (random() % 3 == 0) static_cast<void>(tree.runtime(QuotaIndex(0)));
      tree.AddRequest(QuotaIndex(i), Amount(-extra));
    }
    std::int64_t wanted = 0;
    std::int64_t got = 0;
    bool heavy = true;  // everybody who asks has a weight
    for (std::size_t i = 0; i < members.size(); ++i) {
      const QuotaIndex q(i);
      ASSERT_EQ(tree.limited_request(q)[0], slow[i].limited_request) << "request of " << i;
      ASSERT_EQ(tree.runtime(q)[0], slow[i].runtime) << "runtime of " << i;
      ASSERT_LE(tree.runtime(q)[0],
                std::max(slow[i].limited_request, members[i].lends ? 0 : members[i].min));
      if (members[i].parent >= 0) continue;
      wanted += slow[i].limited_request;
      got += tree.runtime(q)[0];
      heavy = heavy && members[i].weight > 0;
    }
    if (!heavy || wanted < total) return;
    // Minimums that had to shrink are rounded down, so they may leave what nobody gets.
    ASSERT_LE(got, total);
    std::int64_t promised = 0;
    for (const int i : slow.ChildrenOf(-1)) promised += members[static_cast<std::size_t>(i)].min;
    if (promised > total) return;
    ASSERT_EQ(got, total);
    ++shared;
  });
  if (Rounds() >= 100) {
    EXPECT_GT(shared, static_cast<std::size_t>(Rounds() / 20));
  }
}

}  // namespace
}  // namespace batholith::property
