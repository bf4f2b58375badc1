// conf check: what is wrong with a conf, and with manifests what in them cannot work under it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/commands.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

CommandResult CheckConf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "check");
  return RunCommand(ConfCommand, arguments);
}

TEST(ConfCheck, says_what_is_wrong_and_what_has_no_effect) {
  const CommandFolder folder;
  const std::string good = folder.Write("good", kGangConf);
  const CommandResult nothing = CheckConf({good});
  EXPECT_EQ(nothing.out, good + ": good\n") << nothing.err;
  EXPECT_EQ(nothing.status, kDone);
  const std::string bad = folder.Write("bad", "actions: alocate\n");
  const CommandResult wrong = CheckConf({good, bad});
  EXPECT_EQ(wrong.status, kAnswerIsNo);
  EXPECT_THAT(wrong.out, HasSubstr("error: " + bad + ":1: action \"alocate\" is unknown"));
  const std::string later = folder.Write("later", "actions: allocate, gangpreempt\n");
  EXPECT_THAT(CheckConf({later}).out, HasSubstr("error: " + later + ":1: action gang"));
  const CommandResult lenient = CheckConf({"--lenient", later});
  EXPECT_THAT(lenient.out, HasSubstr("warning: " + later + ":1: action gangpreempt"));
  EXPECT_EQ(lenient.status, kAnswerIsNo);
  EXPECT_EQ(CheckConf({good + "x"}).status, kBadInput);
  EXPECT_THAT(RunCommand(ConfCommand, {"chek"}).err, HasSubstr("did you mean \"check\"?"));
}

constexpr std::string_view kQuotaCluster = R"(
{apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: 4, pods: 10}}}
---
apiVersion: scheduling.x-k8s.io/v1alpha1
kind: ElasticQuota
metadata: {namespace: a, name: q}
spec: {min: {cpu: 2}, max: {cpu: 4}}
)";

TEST(ConfCheck, with_manifests_says_what_of_them_cannot_work) {
  const CommandFolder folder;
  const std::string cluster = folder.Write("m.yaml", kQuotaCluster);
  const std::string plain = folder.Write("plain", kGangConf);
  const std::string quotas = folder.Write("quotas",
                                          "actions: allocate, reclaim\ntiers: [{plugins: [{name: "
                                          "gang}, {name: predicates}, {name: elasticquota}]}]\n");
  const CommandResult both = CheckConf({plain, quotas, "-f", cluster});
  EXPECT_EQ(both.status, kAnswerIsNo);
  EXPECT_THAT(both.out,
              AllOf(HasSubstr("warning: there are 1 elastic quotas, and no plugin of the conf "
                              "judges by them: add elasticquota\n"),
                    HasSubstr(quotas + ": good\n"), Not(HasSubstr(plain + ": good"))));
  EXPECT_EQ(CheckConf({quotas, "-f=" + cluster}).status, kDone);
}

TEST(ConfCheck, cannot_do_without_a_conf_or_with_broken_manifests) {
  const CommandFolder folder;
  const std::string cluster = folder.Write("m.yaml", kQuotaCluster);
  EXPECT_THAT(CheckConf({"-f", cluster}).err,
              HasSubstr("a FILE is missing: a conf, beside the manifests of -f"));
  const std::string conf = folder.Write("conf", "actions: allocate\ntiers: []\n");
  const CommandResult gone = CheckConf({conf, "-f", cluster + ".gone"});
  EXPECT_EQ(gone.status, kBadInput);
  EXPECT_THAT(gone.err, HasSubstr("m.yaml.gone: cannot be read"));
  const std::string bad =
      folder.Write("bad.yaml", "{apiVersion: v1, kind: Node, metadata: {name: 7}}\n");
  const CommandResult refused = CheckConf({conf, "-f", bad});
  EXPECT_EQ(refused.status, kBadInput);
  EXPECT_THAT(refused.err, HasSubstr("1 object(s) refused\n  " + bad + ": document 1: Node"));
}

}  // namespace
}  // namespace batholith
