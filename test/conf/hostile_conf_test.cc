#include <gtest/gtest.h>

#include "conf/load.h"
#include "test/cost.h"
#include "test/hostile_yaml.h"

namespace batholith {
namespace {

// Whatever a conf says is refused, with file and line, in a second and 256 MB.
TEST(HostileConf, is_refused_with_its_line_in_time_and_memory_of_its_size) {
  for (const std::size_t size : {std::size_t{200} << 10U, std::size_t{800} << 10U}) {
    std::vector<HostileYaml> confs = HostileYamls(size);
    confs.push_back({"actions", "actions: " + UpTo(size, "allocate,") + "allocate"});
    confs.push_back({"unknown action", "actions: " + UpTo(size, "x")});
    confs.push_back({"tiers", "actions: allocate\ntiers:\n" + UpTo(size, "- plugins:\n") + "- ["});
    confs.push_back({"plugins", "actions: allocate\ntiers:\n- plugins:\n" +
                                    UpTo(size, "  - name: reservation\n") + "  - fly\n"});
    for (const auto& [name, text] : confs) {
      const Cost cost = ExpectBounded(name, size, [&text = text] {
        static constexpr ActionDescriptor kActions[] = {{.name = "allocate", .summary = ""}};
        const auto conf = ParseConf(text, "c.yaml", {.plugins = {}, .actions = kActions});
        return conf ? std::string("is a conf") : conf.error().message;
      });
      EXPECT_TRUE(cost.said.starts_with("c.yaml:")) << name << ": " << cost.said.substr(0, 300);
      EXPECT_LT(cost.said.size(), 1000U) << name;
    }
  }
}

}  // namespace
}  // namespace batholith
