#include "cmd/conf_reload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <thread>

#include "conf/default_conf.h"
#include "test/hostile_yaml.h"

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
    EXPECT_FALSE(Settled(conf)) << "told once";
  }
  // What a look and, where the file is read, those after it bring.
  static std::optional<ConfReload::Change> Settled(ConfReload& conf) {
    auto change = conf.Look();
    while (!change && conf.reading()) {
      std::this_thread::yield();
      change = conf.Look();
    }
    return change;
  }

  std::filesystem::path folder_;
};

TEST_F(ConfReloadTest, the_built_in_conf_never_changes) {
  ConfReload conf("");
  const auto loaded = conf.Load(true);
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->adopted);
  EXPECT_EQ(conf.text(), DefaultConfText());
  EXPECT_FALSE(Settled(conf));
}

TEST_F(ConfReloadTest, an_edit_of_the_file_is_seen_once) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  EXPECT_EQ(conf.text(), kFirst);
  const Pipeline* before = &conf.pipeline();
  EXPECT_FALSE(Settled(conf));
  Write("conf", kSecond);
  ExpectAdopted(Settled(conf), conf, kSecond);
  EXPECT_NE(&conf.pipeline(), before);
}

TEST_F(ConfReloadTest, a_file_that_takes_its_place_is_seen) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  Write("new", kSecond);
  std::filesystem::rename(folder_ / "new", folder_ / "conf");
  ExpectAdopted(Settled(conf), conf, kSecond);
}

TEST_F(ConfReloadTest, a_swap_of_links_is_seen) {
  Swap("..v1", kFirst);
  std::filesystem::create_symlink("..data/conf", folder_ / "conf");
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  EXPECT_EQ(conf.text(), kFirst);
  Swap("..v2", kSecond);
  ExpectAdopted(Settled(conf), conf, kSecond);
  Swap("..v3", kSecond);
  EXPECT_FALSE(Settled(conf)) << "another file that says the same";
}

TEST_F(ConfReloadTest, another_file_of_the_folder_is_no_change) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  Write("other", kSecond);
  std::filesystem::remove(folder_ / "other");
  EXPECT_FALSE(Settled(conf));
}

TEST_F(ConfReloadTest, a_bad_text_is_told_once_and_the_conf_before_goes_on) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  const Pipeline* before = &conf.pipeline();
  Write("conf", kBad);
  const auto change = Settled(conf);
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->adopted);
  EXPECT_THAT(change->message, HasSubstr("fly"));
  EXPECT_EQ(&conf.pipeline(), before);
  EXPECT_EQ(conf.text(), kFirst);
  EXPECT_FALSE(Settled(conf));
  Write("new", kBad);
  std::filesystem::rename(folder_ / "new", folder_ / "conf");
  EXPECT_FALSE(Settled(conf)) << "the same bad text in another file";
  Write("conf", kSecond);
  ExpectAdopted(Settled(conf), conf, kSecond);
}

TEST_F(ConfReloadTest, a_file_that_goes_away_is_told_once_and_may_come_back) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  std::filesystem::remove(folder_ / "conf");
  const auto change = Settled(conf);
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->adopted);
  EXPECT_THAT(change->message, HasSubstr("conf"));
  EXPECT_EQ(conf.text(), kFirst);
  EXPECT_FALSE(Settled(conf));
  Write("conf", kFirst);
  EXPECT_FALSE(Settled(conf)) << "it says what is in force";
  std::filesystem::remove(folder_ / "conf");
  ASSERT_TRUE(Settled(conf));
  Write("conf", kSecond);
  ExpectAdopted(Settled(conf), conf, kSecond);
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
    EXPECT_FALSE(Settled(conf));
    Write("conf", kFirst);
    ExpectAdopted(Settled(conf), conf, kFirst);
  }
}

TEST_F(ConfReloadTest, what_is_no_regular_file_or_too_large_is_told_at_once) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  const auto says = [&](const std::string& expected) {
    const auto change = Settled(conf);
    ASSERT_TRUE(change) << expected;
    EXPECT_FALSE(change->adopted);
    EXPECT_THAT(change->message, HasSubstr(expected));
    EXPECT_EQ(conf.text(), kFirst);
    std::filesystem::remove_all(folder_ / "conf");
  };
  std::filesystem::remove(folder_ / "conf");
  ASSERT_EQ(mkfifo(Path("conf").c_str(), 0600), 0);
  says("conf: must be a regular file");
  std::filesystem::create_symlink("/dev/zero", folder_ / "conf");
  says("conf: must be a regular file");
  std::filesystem::create_directory(folder_ / "conf");
  says("conf: is a folder");
  std::filesystem::create_symlink("conf", folder_ / "conf");
  says("conf: cannot be read: Too many levels of symbolic links");
  Write("conf", "");
  std::filesystem::resize_file(folder_ / "conf", std::uintmax_t{1} << 31U);
  says("conf: is too large for a conf");
}

// The texts that were found to freeze sessions, and others that only cost time.
TEST_F(ConfReloadTest, a_hostile_text_is_told_and_the_conf_before_goes_on) {
  Write("conf", kFirst);
  ConfReload conf(Path("conf"));
  ASSERT_TRUE(conf.Load(true));
  for (const std::string& text :
       {std::string("{actions: allocate},"), std::string(",c"),
        std::string("[7]6\n?\n3[7]6\n.\n31"), std::string("\x04"), std::string(900'000, '['),
        "a: " + std::string(900'000, 'x'), "actions: " + UpTo(900'000, "allocate,") + "fly"}) {
    Write("conf", text);
    const auto change = Settled(conf);
    ASSERT_TRUE(change) << text.substr(0, 40);
    EXPECT_FALSE(change->adopted);
    EXPECT_THAT(change->message, HasSubstr("conf:1:"));
    EXPECT_LT(change->message.size(), 1000U);
    EXPECT_EQ(conf.text(), kFirst);
  }
}

TEST_F(ConfReloadTest, a_file_that_hangs_is_given_up_and_told_once) {
  Write("conf", kFirst);
  auto release = std::make_shared<std::promise<void>>();
  std::shared_future<void> released = release->get_future().share();
  auto hangs = std::make_shared<std::atomic<bool>>(false);
  const auto read = [released, hangs](const std::string& path) {
    if (*hangs) released.wait();
    return ReadConfFile(path);
  };
  ConfReload conf(Path("conf"), read, std::chrono::milliseconds(0));
  ASSERT_TRUE(conf.Load(true));
  *hangs = true;
  Write("conf", kSecond);
  EXPECT_FALSE(conf.Look());
  const auto change = conf.Look();
  ASSERT_TRUE(change);
  EXPECT_FALSE(change->adopted);
  EXPECT_THAT(change->message, HasSubstr("is given up"));
  EXPECT_FALSE(conf.Look()) << "told once";
  EXPECT_TRUE(conf.reading());
  EXPECT_EQ(conf.text(), kFirst);
  *hangs = false;
  release->set_value();
  EXPECT_FALSE(Settled(conf)) << "what came too late does not count";
  Write("conf", kSecond + "\n");
  EXPECT_FALSE(conf.Look());
  EXPECT_TRUE(conf.reading()) << "the next change is read";
}

}  // namespace
}  // namespace batholith
