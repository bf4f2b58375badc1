#include "conf/endless_evictions.h"

#include <gtest/gtest.h>

#include "test/conf/parse_env.h"

namespace batholith {
namespace {

struct Row {
  std::string_view name;
  std::string_view actions;
  std::string_view plugins;  // of one tier
  std::string_view then;     // of the tier behind it
  std::string_view warned;   // the actions, with spaces between
};

// Which actions of a conf are warned about.
std::string WarnedOf(const Row& row) {
  const std::string text = "actions: \"" + std::string(row.actions) + "\"\ntiers:\n- plugins: [" +
                           std::string(row.plugins) + "]\n- plugins: [" + std::string(row.then) +
                           "]\n";
  const Result<SchedulerConf> conf = Parse(text);
  EXPECT_TRUE(conf) << row.name << ": " << conf.error().message;
  if (!conf) return "refused";
  std::string out;
  for (const std::string& warning : conf->warnings) {
    const std::size_t at = warning.find(" may evict for ever");
    if (at == warning.npos) continue;
    const std::size_t action = warning.rfind(' ', at - 1) + 1;
    out += (out.empty() ? "" : " ") + warning.substr(action, at - action);
  }
  return out;
}

TEST(EndlessEvictions, each_conf_is_warned_about_where_nobody_says_who_gives_way) {
  constexpr Row kRows[] = {
      {"without gang and shares", "allocate, reclaim", "{name: priority}, {name: conformance}", "",
       "reclaim"},
      {"nobody judges, so nobody is evicted", "allocate, reclaim", "{name: priority}", "", ""},
      {"proportion says what a queue deserves", "allocate, reclaim",
       "{name: priority}, {name: conformance}", "{name: proportion}", ""},
      {"so does capacity", "allocate, reclaim", "{name: priority}, {name: conformance}",
       "{name: capacity}", ""},
      {"and a tree of drf", "allocate, reclaim", "{name: priority}, {name: conformance}",
       "{name: drf, enableHierarchy: true}", ""},
      {"not drf without a tree", "allocate, reclaim", "{name: priority}, {name: conformance}",
       "{name: drf}", "reclaim"},
      {"proportion that may not reclaim", "allocate, reclaim",
       "{name: priority}, {name: conformance}", "{name: proportion, enableReclaimable: false}",
       "reclaim"},
      {"gang spares minimums, and only who lacks one asks", "allocate, reclaim", "{name: gang}",
       "{name: conformance}", ""},
      {"gang in one tier with priority", "allocate, reclaim", "{name: gang}, {name: priority}", "",
       ""},
      {"priority before gang lets jobs ask for more", "allocate, reclaim", "{name: priority}",
       "{name: gang}", "reclaim"},
      {"so does gang without a word on who starves", "allocate, reclaim",
       "{name: priority}, {name: gang, enableJobStarving: false}", "", "reclaim"},
      {"gang that spares nobody", "allocate, reclaim",
       "{name: gang, enableReclaimable: false}, {name: conformance}", "", "reclaim"},
      {"elastic quotas alone", "allocate, reclaim", "{name: priority}, {name: elasticquota}", "",
       "reclaim"},
      {"nobody starves", "allocate, reclaim", "{name: conformance}", "", ""},
      {"jobs of equal standing", "allocate, preempt",
       "{name: priority, enablePreemptable: false}, {name: conformance}", "", "preempt"},
      {"priority says who gives way", "allocate, preempt", "{name: priority}, {name: conformance}",
       "", ""},
      {"so does drf", "allocate, preempt",
       "{name: priority, enablePreemptable: false}, {name: conformance}", "{name: drf}", ""},
      {"gang alone", "allocate, preempt", "{name: gang}, {name: conformance}", "", ""},
      {"gang, where jobs ask for more", "allocate, preempt",
       "{name: priority, enablePreemptable: false}", "{name: gang}", "preempt"},
      {"both", "allocate, preempt, reclaim",
       "{name: priority, enablePreemptable: false}, {name: conformance}", "", "preempt reclaim"},
      {"parts of gangs", "allocate, preempt",
       "{name: priority}, {name: gang, enableJobPipelined: false}", "", "off"},
      {"parts of gangs, where gang lets parts start", "allocate, preempt",
       "{name: priority}, {name: gang, enableJobPipelined: false, enableJobReady: false}", "", ""},
      {"an action that does not run", "allocate",
       "{name: priority, enablePreemptable: false}, {name: conformance}", "", ""},
  };
  for (const Row& row : kRows) EXPECT_EQ(WarnedOf(row), row.warned) << row.name;
}

TEST(EndlessEvictions, the_warning_names_file_and_what_to_add) {
  const Result<SchedulerConf> conf =
      Parse("actions: \"allocate, reclaim\"\ntiers: [{plugins: [{name: priority}, {name: pdb}]}]");
  ASSERT_TRUE(conf);
  EXPECT_EQ(conf->warnings,
            std::vector<std::string>{
                "c.yaml: action reclaim may evict for ever: no plugin says which of two queues "
                "gives way, so each takes the other's place in turn (add proportion, capacity, or "
                "drf with enableHierarchy, or let gang decide who starves and spare minimums)"});
}

}  // namespace
}  // namespace batholith
