/// Any text as a hardware profile, or as what is changed in one: it is read and written to the same digest, judged,
/// fitted and merged, or refused with code and message.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/answer.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/result.h"
#include "fuzz/fuzz_checks.h"
#include "measure/profile_file.h"
#include "measure/profile_merge.h"
#include "measure/rank_profiles.h"
#include "measure/sample_profile.h"

namespace {

using namespace podwright;

std::string asked(std::string_view kind, std::string_view profile) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", kind);
  out.text("profile", profile);
  out.end_object();
  return out.take();
}

/// What is done with a profile that was read.
void use(const ReadProfile& read) {
  const std::string text = profile_text(read.profile);
  const auto again = read_profile(text);
  PODWRIGHT_ASSERT(again && again->digest == read_profile(text)->digest);
  for (const std::string_view kind : {"verify", "calibrate"}) fuzz::expect_answer(answer(asked(kind, text)));
  ReadProfile other = *again;
  other.digest = std::string(64, '0');
  const std::array both{*again, other};
  std::array ranks = both;
  ProfileRank rank = read.profile.run.rank.value_or(
      ProfileRank{.rank = 0, .ranks = 2, .part = RankPart::ended, .node = "", .came_s = {}, .waited_s = {}});
  ranks[0].profile.run.rank = rank;
  rank.rank = rank.rank == 0 ? 1 : 0;
  ranks[1].profile.run.rank = rank;
  if (const auto merged = merged_ranks(ranks); !merged) fuzz::expect_told(merged.error());
  (void)compared_profiles(read.profile, again->profile);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto read = read_profile(text); !read) fuzz::expect_told(read.error());
  auto document = parse_json(text);
  if (!document || !document->is_object()) return 0;
  static const JsonNode sample = *parse_json(profile_text(sample_profile()));
  if (document->find("schema") == nullptr) document = merged(sample, *document);
  // Digested again, so that what lies behind the digest is reached.
  const std::string patch = R"({"integrity":{"alg":"sha256-jcs","digest":")" + profile_digest(*document) + "\"}}";
  const auto read = read_profile(merged(*document, *parse_json(patch)), "");
  if (read)
    use(*read);
  else
    fuzz::expect_told(read.error());
  return 0;
}
