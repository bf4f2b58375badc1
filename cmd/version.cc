#include "cmd/version.h"

namespace batholith {

const BuildFacts& OwnBuild() {
  static const BuildFacts facts{BATHOLITH_VERSION, BATHOLITH_COMMIT, BATHOLITH_BUILD_TYPE,
                                BATHOLITH_COMPILER, BATHOLITH_PLATFORM};
  return facts;
}

std::string VersionText() {
  const BuildFacts& facts = OwnBuild();
  return "batholith " + facts.version + "\n" + "  commit    " +
         (facts.commit.empty() ? "unknown" : facts.commit) + "\n" + "  build     " +
         facts.build_type + "\n" + "  compiler  " + facts.compiler + "\n" + "  platform  " +
         facts.platform + "\n";
}

}  // namespace batholith
