#include "files/write_whole.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace podwright {
namespace {

namespace fs = std::filesystem;

class WriteWhole : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "write_whole_" + std::to_string(getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  static std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  std::string folder_;
};

TEST_F(WriteWhole, ReplacesAFileAndKeepsItsRights) {
  std::ofstream(at("a")) << "old and longer";
  chmod(at("a").c_str(), 0640);
  EXPECT_EQ(write_whole(at("a"), "new"), "");
  EXPECT_EQ(read(at("a")), "new");
  EXPECT_EQ(fs::status(at("a")).permissions(), fs::perms(0640));
  EXPECT_EQ(files(), 1);
}

TEST_F(WriteWhole, FollowsALinkAndKeepsIt) {
  std::ofstream(at("a")) << "old";
  fs::create_symlink("a", at("link"));
  EXPECT_EQ(write_whole(at("link"), "new"), "");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read(at("a")), "new");
}

TEST_F(WriteWhole, SaysWhyNot) {
  EXPECT_EQ(write_whole(at("none/a"), "x"), "No such file or directory");
  EXPECT_EQ(write_whole(folder_, "x"), "Is a directory");
  EXPECT_EQ(write_whole("/dev/full", "x"), "No space left on device");
  EXPECT_EQ(files(), 0);
}

TEST_F(WriteWhole, FilesThatAreNotPlacedLeaveNothing) {
  std::ofstream(at("a")) << "old";
  {
    WholeFiles set;
    EXPECT_EQ(set.add(at("a"), "new"), "");
    EXPECT_EQ(set.add(at("b"), "new"), "");
    EXPECT_EQ(files(), 3);
  }
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(read(at("a")), "old");
}

TEST_F(WriteWhole, APlaceThatIsTakenMeanwhileIsNamed) {
  WholeFiles set;
  EXPECT_EQ(set.add(at("a"), "new"), "");
  EXPECT_EQ(set.add(at("b"), "new"), "");
  fs::create_directories(at("b/c"));
  EXPECT_NE(set.place(), "");
  EXPECT_EQ(set.placed(), std::vector<std::string>{at("a")});
}

TEST_F(WriteWhole, ASignalWaitsUntilNothingHalfIsLeft) {
  const auto interrupted = [&] {
    WholeFiles set;
    set.add(at("a"), "new");
    raise(SIGTERM);
    EXPECT_TRUE(HeldSignals::waiting());
  };
  EXPECT_EXIT(interrupted(), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace podwright
