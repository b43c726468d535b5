/// Any lines as the words behind a command: they make a request, or it is said which word is wrong. The first line is
/// the command.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "api/answer.h"
#include "catalog/catalog.h"
#include "cli/request_flags.h"
#include "cli/request_path.h"
#include "fuzz/fuzz_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  constexpr std::array<std::string_view, 9> kVerbs{"plan",         "estimate", "search",        "replay", "mig",
                                                   "architecture", "cost",     "rule-of-thumb", "explain"};
  std::vector<std::string> words = fuzz::lines_of(fuzz::text_of(data, size));
  if (words.empty() || std::find(kVerbs.begin(), kVerbs.end(), words.front()) == kVerbs.end()) return 0;
  // Names of files would be read.
  for (const std::string& word : words)
    if (word.find_first_of("/.-") == 0 && word.substr(0, 2) != "--") return 0;
  const std::string verb = words.front();
  words.erase(words.begin());
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  cli::RequestFlags flags(verb);
  CLI::App app;
  flags.declare(app);
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    PODWRIGHT_ASSERT(error.get_exit_code() == 0 || !std::string(error.what()).empty());
    return 0;
  }
  const Catalog& catalog = embedded_catalog_facts();
  (void)flags.any();
  (void)flags.choices(catalog);
  const auto request = flags.request(catalog, nullptr);
  if (!request) {
    fuzz::expect_told(request.error());
    return 0;
  }
  for (const std::string_view pointer : {"", "/gpu", "/model", "/workloads/0/input_tokens", "/traffic", "/nothing"}) {
    (void)flags.given_by(pointer);
    (void)flags.flags_of(pointer);
  }
  PODWRIGHT_ASSERT(parse_json(cli::pretty_json(*request)));
  fuzz::expect_answer(answer(json_text(*request)));
  return 0;
}
