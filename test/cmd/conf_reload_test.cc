#include "cmd/conf_reload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "conf/default_conf.h"

namespace batholith {
namespace {

using ::testing::HasSubstr;

// Confs of different lengths: a file system's clock may stand still between two writes.
const std::string kFirst = "actions: \"enqueue, allocate\"\ntiers:\n- plugins:\n  - name: gang\n";
const std::string kSecond = kFirst + "  - name: priority\n";
const std::string kBad = "actions: \"fly\"\ntiers: []\n";

class ConfReloadTest : public ::testing::Test {
 protected:
  ConfReloadTest()
      : folder_(std::filesystem::temp_directory_path() / ("conf_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ConfReloadTest() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  // A folder of a version with the conf in it, as a ConfigMap's volume has them, and the link that
  // says which one counts.
  void Swap(const std::string& version, const std::string& text) const {
    std::filesystem::create_directory(folder_ / version);
    Write(version + "/conf", text);
    std::filesystem::create_directory_symlink(version, folder_ / "..data_tmp");
    std::filesystem::rename(folder_ / "..data_tmp", folder_ / "..data");
  }
  static void ExpectAdopted(const std::optional<ConfReload::Change>& change, ConfReload& conf,
                            const std::string& text) {
    ASSERT_TRUE(change);
    EXPECT_TRUE(change->adopted) << change->message;
    EXPECT_EQ(conf.text(), text);
    EXPECT_FALSE(conf.Look()) << "told once";
  }

  std::filesystem::path folder_;
};

TEST_F(ConfReloadTest, the_built_in_conf_never_changes) {
  ConfReload conf("");
  const auto loaded = conf.Load(true);
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->adopted);
  EXPECT_EQ(conf.text(), DefaultConfText());
  EXPECT_FALSE(conf.Look());
}

TEST_F(ConfReloadTest, an_edit_of_the_file_is_seen_once) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  EXPECT_EQ(conf.text(), kFirst);
  const Pipeline* before = &conf.pipeline();
  EXPECT_FALSE(conf.Look());
  Write("conf", kSecond);
  ExpectAdopted(conf.Look(), conf, kSecond);
  EXPECT_NE(&conf.pipeline(), before);
}

TEST_F(ConfReloadTest, a_file_that_takes_its_place_is_seen) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  Write("new", kSecond);
  std::filesystem::rename(folder_ / "new", folder_ / "conf");
  ExpectAdopted(conf.Look(), conf, kSecond);
}

TEST_F(ConfReloadTest, a_swap_of_links_is_seen) {
  Swap("..v1", kFirst);
  std::filesystem::create_symlink("..data/conf", folder_ / "conf");
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  EXPECT_EQ(conf.text(), kFirst);
  Swap("..v2", kSecond);
  ExpectAdopted(conf.Look(), conf, kSecond);
  Swap("..v3", kSecond);
  EXPECT_FALSE(conf.Look()) << "another file that says the same";
}

TEST_F(ConfReloadTest, another_file_of_the_folder_is_no_change) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  Write("other", kSecond);
  std::filesystem::remove(folder_ / "other");
  EXPECT_FALSE(conf.Look());
}

TEST_F(ConfReloadTest, a_bad_text_is_told_once_and_the_conf_before_goes_on) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  const Pipeline* before = &conf.pipeline();
  Write("conf", kBad);
  const auto change = conf.Look();
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->adopted);
  EXPECT_THAT(change->message, HasSubstr("fly"));
  EXPECT_EQ(&conf.pipeline(), before);
  EXPECT_EQ(conf.text(), kFirst);
  EXPECT_FALSE(conf.Look());
  Write("new", kBad);
  std::filesystem::rename(folder_ / "new", folder_ / "conf");
  EXPECT_FALSE(conf.Look()) << "the same bad text in another file";
  Write("conf", kSecond);
  ExpectAdopted(conf.Look(), conf, kSecond);
}

TEST_F(ConfReloadTest, a_file_that_goes_away_is_told_once_and_may_come_back) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  std::filesystem::remove(folder_ / "conf");
  const auto change = conf.Look();
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->adopted);
  EXPECT_THAT(change->message, HasSubstr("conf"));
  EXPECT_EQ(conf.text(), kFirst);
  EXPECT_FALSE(conf.Look());
  Write("conf", kFirst);
  EXPECT_FALSE(conf.Look()) << "it says what is in force";
  std::filesystem::remove(folder_ / "conf");
  ASSERT_TRUE(conf.Look());
  Write("conf", kSecond);
  ExpectAdopted(conf.Look(), conf, kSecond);
}

TEST_F(ConfReloadTest, a_first_file_that_is_bad_gives_the_built_in_conf_or_an_end) {
  for (const bool exists : {true, false}) {
    if (exists) Write("conf", kBad);
    if (!exists) std::filesystem::remove(folder_ / "conf");
    ConfReload strict(Path("conf"));
    EXPECT_FALSE(strict.Load(true));
    ConfReload conf(Path("conf"));
    const auto loaded = conf.Load(false);
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(loaded->adopted);
    EXPECT_FALSE(loaded->message.empty());
    EXPECT_EQ(conf.text(), DefaultConfText());
    EXPECT_FALSE(conf.Look());
    Write("conf", kFirst);
    ExpectAdopted(conf.Look(), conf, kFirst);
  }
}

}  // namespace
}  // namespace batholith
