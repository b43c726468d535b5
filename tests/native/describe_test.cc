#include "cli/describe.h"

#include <gtest/gtest.h>

namespace podwright::cli::describe_test {
namespace {

/// A command line with all that a description may hold.
class Described : public testing::Test {
 protected:
  Described() {
    CLI::App* plan = app_.add_subcommand("plan", "It's a plan");
    plan->add_option("REQUEST", text_, "Request file")->required();
    plan->add_option("-o,--output", text_, "Folder: for files")->type_name("DIR");
    plan->add_option("--backend", text_, "Where")->check(CLI::IsMember({"cuda", "cpu"}));
    plan->add_option("--secret", text_, "Not for people")->group("");
    plan->footer("Example:\n  tool plan x.json");
    CLI::App* list = app_.add_subcommand("facts", "Facts")->add_subcommand("list", "Lists them");
    list->add_option("KIND", text_, "What kind")->check(CLI::IsMember({"gpus", "models"}));
    app_.add_subcommand("worker", "Not for people")->group("");
  }

  /// True where the text of this form has the words.
  void expect(const std::string& form, const std::vector<std::string>& all) {
    const std::string text = describe(app_, form);
    for (const std::string& words : all) EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    for (const char* hidden : {"secret", "worker", "@"}) {
      if (form == "zsh" && *hidden == '@') continue;  // "$@"
      EXPECT_EQ(text.find(hidden), std::string::npos) << hidden << "\n" << text;
    }
  }

 private:
  CLI::App app_{"A tool", "tool"};
  std::string text_;
};

TEST_F(Described, ForBash) {
  expect("bash", {"complete -o default -F _tool tool", "'tool plan' | 'tool facts' | 'tool facts list') at+=",
                  "'tool') options='-h --help' commands='plan facts' ;;",
                  "'tool plan --backend') COMPREPLY=($(compgen -W 'cuda cpu' -- \"$word\")); return ;;",
                  "'tool plan -o' | 'tool plan --output') return ;;",
                  "'tool facts list') options='-h --help' commands='gpus models' ;;"});
}

TEST_F(Described, ForZsh) {
  expect("zsh", {"#compdef tool\n", "commands=( 'plan:It'\\''s a plan' 'facts:Facts')", "'--output:Folder: for files'",
                 "'tool plan --backend') compadd -- 'cuda' 'cpu'; return ;;",
                 "commands=( 'gpus:What kind' 'models:What kind')"});
}

TEST_F(Described, ForFish) {
  expect("fish", {"complete -c tool -n '__tool_at tool' -f -a plan -d 'It'\\''s a plan'\n",
                  "complete -c tool -n '__tool_at tool plan' -s o -l output -r -d 'Folder: for files'\n",
                  "complete -c tool -n '__tool_at tool plan' -l backend -x -a 'cuda cpu' -d 'Where'\n",
                  "complete -c tool -n '__tool_at tool facts list' -f -a gpus -d 'What kind'\n"});
}

TEST_F(Described, WithChoicesThatOthersKnow) {
  CLI::App app("A tool", "tool");
  CLI::App* plan = app.add_subcommand("plan", "Plans");
  CLI::App* cost = app.add_subcommand("cost", "Costs");
  Choices choices;
  for (CLI::App* command : {plan, cost}) {
    choices[command->add_option("--model", CLI::callback_t{}, "Model")] = {"a", "b"};
    choices[command->add_option("--set", CLI::callback_t{}, "Field")] = {"x[0].y="};
  }
  const std::string bash = describe(app, "bash", choices);
  EXPECT_NE(
      bash.find("'tool plan --model' | 'tool cost --model') COMPREPLY=($(compgen -W 'a b' -- \"$word\")); return ;;"),
      std::string::npos)
      << bash;
  EXPECT_NE(bash.find("compopt -o nospace 2> /dev/null; COMPREPLY=($(compgen -W 'x[0].y='"), std::string::npos) << bash;
  EXPECT_NE(describe(app, "zsh", choices).find("compadd -S '' -- 'x[0].y='; return"), std::string::npos);
  EXPECT_NE(describe(app, "fish", choices).find("-l model -x -a 'a b' -d 'Model'"), std::string::npos);
}

TEST_F(Described, ForMan) {
  expect("man", {".TH TOOL 1", "tool \\- A tool\n", ".SS \"tool plan REQUEST\"\nIt's a plan\n",
                 ".B \\-o,\\-\\-output DIR\nFolder: for files\n", ".nf\nExample:\n  tool plan x.json\n.fi\n",
                 ".SS \"tool facts list", ".SH EXIT STATUS\n.TP\n.B 0\nan answer\n"});
}

}  // namespace
}  // namespace podwright::cli::describe_test
