#include "client/http/missing_rules.h"

#include <gmock/gmock.h>

namespace batholith {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kForbidden =
    R"(pods "p" is forbidden: User "system:serviceaccount:b:s" cannot patch resource "pods/status" in API group "" in the namespace "a")";

TEST(MissingRules, a_rule_is_told_once_and_for_ten_minutes) {
  MissingRules rules;
  const MissingRules::Clock::time_point start;
  rules.Record(kForbidden, start);
  rules.Record(kForbidden, start + std::chrono::minutes(5));
  rules.Record(
      R"(User "u" cannot create resource "queues" in API group "scheduling.volcano.sh" at the cluster scope)",
      start);
  EXPECT_THAT(rules.Current(start + std::chrono::minutes(6)),
              ElementsAre(R"(cannot create resource "queues" in API group "scheduling.volcano.sh")",
                          R"(cannot patch resource "pods/status" in API group "")"));
  EXPECT_THAT(rules.Current(start + std::chrono::minutes(11)),
              ElementsAre(R"(cannot patch resource "pods/status" in API group "")"));
}

// A quota of the namespace is also a 403, and no rule.
TEST(MissingRules, other_refusals_are_none) {
  MissingRules rules;
  rules.Record("pods \"p\" is forbidden: exceeded quota: q", {});
  EXPECT_THAT(rules.Current({}), IsEmpty());
}

}  // namespace
}  // namespace batholith
