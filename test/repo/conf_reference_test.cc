// docs/conf.md against the tables that it is written from.
#include <gtest/gtest.h>

#include <string>

#include "actions/builtin.h"
#include "conf/explain.h"
#include "plugins/builtin.h"
#include "test/repo/source_tree.h"

namespace batholith::repo {
namespace {

TEST(ConfReference, is_what_the_program_prints) {
  std::string page;
  for (const std::string& line : ReadLines(Root() / "docs" / "conf.md")) page += line + "\n";
  EXPECT_EQ(page, ExplainConf({BuiltinPlugins(), BuiltinActions()}))
      << "write it anew: batholith conf explain > docs/conf.md";
}

}  // namespace
}  // namespace batholith::repo
