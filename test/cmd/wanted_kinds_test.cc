// What a conf makes the scheduler watch beyond what it always watches.
#include "cmd/wanted_kinds.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "actions/builtin.h"
#include "conf/compile.h"
#include "conf/load.h"
#include "plugins/builtin.h"

namespace batholith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<KindUse> WantedBy(const std::string& plugin) {
  const Result<SchedulerConf> conf =
      ParseConf("actions: allocate\ntiers:\n- plugins:\n  - {name: gang}\n" + plugin, "conf",
                {BuiltinPlugins(), BuiltinActions()});
  if (!conf) throw std::runtime_error(conf.error().message);
  const Result<Pipeline> pipeline = Compile(*conf);
  if (!pipeline) throw std::runtime_error(pipeline.error().message);
  return WantedKinds(*pipeline);
}

// Who asks for a HyperNode without it is held, see topology/hard-network-topology-is-not-broken.
TEST(WantedKinds, hypernodes_are_watched_where_a_plugin_looks_at_them) {
  EXPECT_THAT(WantedBy(""), IsEmpty());
  EXPECT_THAT(WantedBy("  - {name: network-topology-aware}\n"), ElementsAre(KindUse::kTopology));
  EXPECT_THAT(WantedBy("  - {name: network-topology-aware, enabledHyperNodeGradient: false}\n"),
              IsEmpty());
}

}  // namespace
}  // namespace batholith
