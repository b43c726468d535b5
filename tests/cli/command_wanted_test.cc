#include "cli/command_wanted.h"

#include <gtest/gtest.h>

namespace podwright::cli::command_wanted_test {
namespace {

const std::vector<std::string> kCommands = {"plan", "estimate", "probe"};

TEST(CommandWanted, NamesTheWordAndWhatWasMeant) {
  EXPECT_EQ(command_wanted("podwright", kCommands, "plna"),
            "podwright: \"plna\" is not a command. Did you mean \"plan\"?\nCommands: plan, estimate, probe\n"
            "\"podwright --help\" says what each of them does.\n");
}

TEST(CommandWanted, ListsCommandsWhereNothingIsNear) {
  EXPECT_EQ(command_wanted("podwright", kCommands, "zzzzzz"),
            "podwright: \"zzzzzz\" is not a command.\nCommands: plan, estimate, probe\n"
            "\"podwright --help\" says what each of them does.\n");
}

TEST(CommandWanted, SaysThatNoneWasGiven) {
  EXPECT_EQ(command_wanted("podwright study", {"question", "exam"}, ""),
            "podwright study: A command is missing.\nCommands: question, exam\n"
            "\"podwright study --help\" says what each of them does.\n");
}

}  // namespace
}  // namespace podwright::cli::command_wanted_test
