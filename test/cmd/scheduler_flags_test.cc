// A Deployment of Volcano's needs no edit: its flags, those of its log library, and what its chart
// adds.
#include "cmd/scheduler_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmd/commands.h"
#include "test/cmd/command_env.h"

namespace batholith {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SchedulerFlags Parsed(const std::vector<std::string>& arguments) {
  const ParsedSchedulerFlags parsed = ParseSchedulerFlags(arguments);
  EXPECT_FALSE(parsed.stop) << ::testing::PrintToString(arguments);
  return parsed.flags;
}

TEST(SchedulerFlags, are_those_of_volcanos_chart) {
  const SchedulerFlags flags =
      Parsed({"--logtostderr", "--scheduler-conf=/volcano.scheduler/volcano-scheduler.conf",
              "--enable-healthz=true", "--enable-metrics=true", "--leader-elect=false",
              "--kube-api-qps=2000", "--kube-api-burst=2000", "--schedule-period=1s",
              "--node-worker-threads=20", "-v=3", "2>&1"});
  EXPECT_EQ(flags.scheduler_conf, "/volcano.scheduler/volcano-scheduler.conf");
  EXPECT_TRUE(flags.healthz && flags.metrics);
  EXPECT_FALSE(flags.leader_elect);
  EXPECT_EQ(flags.verbosity, 3);
  EXPECT_THAT(flags.ignored, ElementsAre(HasSubstr("the argument 2>&1 has no effect"),
                                         HasSubstr("--node-worker-threads has no effect")));
}

TEST(SchedulerFlags, know_every_flag_of_klog_in_both_spellings) {
  for (const char* name : {"add_dir_header", "alsologtostderr", "legacy_stderr_threshold_behavior",
                           "logtostderr", "one_output", "skip_headers", "skip_log_headers"}) {
    Parsed({std::string("--") + name});
    Parsed({std::string("--") + name + "=false"});
  }
  for (const char* name : {"log_backtrace_at", "log_dir", "log_file", "log_file_max_size",
                           "stderrthreshold", "vmodule", "log-flush-frequency"}) {
    Parsed({std::string("--") + name + "=1"});
    EXPECT_THAT(Parsed({std::string("--") + name, "1"}).ignored, Contains(HasSubstr("no effect")));
  }
  EXPECT_THAT(Parsed({"--logtostderr"}).ignored, IsEmpty()) << "that is what happens";
  EXPECT_THAT(Parsed({"--logtostderr=false"}).ignored,
              ElementsAre(HasSubstr("logs go to standard error")));
  for (const auto& written : {std::vector<std::string>{"-v", "5"}, {"-v5"}, {"-v=5"}, {"--v=5"}})
    EXPECT_EQ(Parsed(written).verbosity, 5);
}

TEST(SchedulerFlags, a_value_with_an_underscore_stays) {
  EXPECT_EQ(Parsed({"--scheduler_name=my_scheduler"}).scheduler_names,
            std::vector<std::string>{"my_scheduler"});
}

TEST(SchedulerFlags, any_other_word_is_refused) {
  const CommandResult refused = RunCommand(SchedulerCommand, {"--logtostderr", "simulate"});
  EXPECT_EQ(refused.status, kBadInput);
  EXPECT_THAT(refused.err, HasSubstr("unexpected argument simulate"));
}

}  // namespace
}  // namespace batholith
