#include "measure/profile_file.h"

#include <gtest/gtest.h>

#include <string>

#include "base/digest.h"
#include "measure/canonical_json.h"
#include "measure/sample_profile.h"

namespace podwright::profile_file_test {
namespace {

std::string canonical(std::string_view text) {
  const auto node = parse_json(text);
  return node ? canonical_json(*node) : "";
}

// The example of RFC 8785, section 3.2.2 and 3.2.3.
TEST(CanonicalJson, IsThatOfTheStandardsExample) {
  EXPECT_EQ(canonical(R"({
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    })"),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

// Keys of RFC 8785, section 3.2.3: a character above U+FFFF stands before U+FB33.
TEST(CanonicalJson, SortsKeysByUtf16Units) {
  EXPECT_EQ(canonical(R"({"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7})"),
            "{\"\\r\":2,\"1\":4,\"\xc2\x80\":6,\"\xc3\xb6\":7,\"\xe2\x82\xac\":1,\"\xf0\x9f\x98\x80\":5,"
            "\"\xef\xac\xb3\":3}");
}

TEST(ProfileFile, ReadsBackWhatWasWritten) {
  const std::string text = profile_text(sample_profile());
  const auto read = read_profile(text);
  ASSERT_TRUE(read) << read.error().front().message << " at " << read.error().front().path;
  EXPECT_EQ(profile_text(read->profile), text);
  const ProbeResult& product = read->profile.results.front();
  EXPECT_EQ(product.samples_s, sample_product().samples_s);
  EXPECT_EQ(product.time_s->median, sample_product().time_s->median);
  EXPECT_NEAR(*product.flops_per_s(), 6.88e14, 0.02e14);
  EXPECT_TRUE(has_flag(product.flags, FlagKind::clock_low));
  EXPECT_TRUE(has_flag(product.flags, FlagKind::throttled));
  EXPECT_TRUE(product.usable());
  EXPECT_EQ(read->profile.results[1].skip->reason, SkipReason::one_device);
  EXPECT_FALSE(read->profile.results[2].time_s);
  EXPECT_TRUE(has_flag(read->profile.results[2].flags, FlagKind::wrong_result));
  EXPECT_EQ(usable_results(read->profile, {.probe = "gemm.bf16", .device = "d0"}).size(), 1U);
  EXPECT_TRUE(usable_results(read->profile, {.probe = "gemm.fp8"}).empty());
  EXPECT_EQ(*read->profile.devices.front().memory_allocatable_gib, 139.2);
}

TEST(ProfileFile, DigestIsTheHashOfTheCanonicalFormWithoutIntegrity) {
  const std::string text = profile_text(sample_profile());
  const auto document = parse_json(text);
  const std::string without = canonical_json(merged(*document, *parse_json(R"({"integrity":null})")));
  EXPECT_EQ(document->find("integrity")->find("digest")->text, sha256_hex(without));
}

TEST(ProfileFile, EveryFlippedByteIsDetected) {
  const std::string text = profile_text(sample_profile());
  int undetected = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ (i % 3 == 0 ? 0x20 : 1 << (i % 7)));
    if (read_profile(damaged)) ++undetected;
  }
  EXPECT_EQ(undetected, 0);
  EXPECT_FALSE(read_profile(text.substr(0, text.size() / 2)));
}

TEST(ProfileFile, LaidOutForPeopleItIsStillTheSame) {
  std::string laid_out;
  for (const char c : profile_text(sample_profile())) {
    laid_out += c;
    if (c == ',' && laid_out.size() > 20 && laid_out[laid_out.size() - 2] == '"') laid_out += "\n  ";
  }
  EXPECT_TRUE(read_profile(laid_out));
}

TEST(ProfileFile, NamesNoMachineToShare) {
  HardwareProfile profile = sample_profile();
  profile.host.name = "node-17.example";
  profile.devices.front().identity_hash = "abcdef";
  profile.devices.front().pci_bus_id = "0000:1b:00.0";
  const std::string shared = profile_text(profile, {.share = true});
  for (const char* secret : {"node-17", "abcdef", "NCCL_DEBUG", "1b:00", "samples_s"})
    EXPECT_EQ(shared.find(secret), std::string::npos) << secret;
  EXPECT_TRUE(read_profile(shared));
}

TEST(ProfileFile, OfANewerMinorVersionIsReadWithoutWhatIsNew) {
  const auto read = read_profile(changed_profile(R"({"schema":"podwright-profile/1.7","weather":{"rain":true}})"));
  ASSERT_TRUE(read);
  EXPECT_NE(read->profile.limits.back().find("1.7"), std::string::npos);
}

TEST(ProfileFile, DamagedOnesTellPathAndCause) {
  const struct {
    const char* patch;
    const char* code;
    const char* path;
  } rows[] = {
      {R"({"schema":null})", "missing", "/schema"},
      {R"({"schema":"podwright-profile/2.0"})", "out-of-range", "/schema"},
      {R"({"schema":"podwright-profile/1.x"})", "out-of-range", "/schema"},
      {R"({"schema":17})", "wrong-type", "/schema"},
      {R"({"run":{"mode":"slow"}})", "out-of-range", "/run/mode"},
      {R"({"run":{"exit_code":9}})", "out-of-range", "/run/exit_code"},
      {R"({"run":{"complete":null}})", "missing", "/run/complete"},
      {R"({"run":{"seed":-1}})", "out-of-range", "/run/seed"},
      {R"({"run":[]})", "wrong-type", "/run"},
      {R"({"tool":{"nmae":"x"}})", "unknown-key", "/tool/nmae"},
      {R"({"host":{"cores":"many"}})", "wrong-type", "/host/cores"},
      {R"({"devices":{}})", "wrong-type", "/devices"},
      {R"({"devices":[5]})", "wrong-type", "/devices/0"},
      {R"({"devices":[{"id":"d0"}]})", "missing", "/devices/0/kind"},
      {R"({"devices":[{"id":"d0","kind":"gpu"},{"id":"d0","kind":"gpu"}]})", "conflict", "/devices/1/id"},
      {R"({"devices":[{"id":"d0","kind":"gpu","memory_total_gib":80,"memory_allocatable_gib":81}]})", "conflict",
       "/devices/0/memory_allocatable_gib"},
      {R"({"devices":[{"id":"d0","kind":"gpu","pcie_width":0}]})", "out-of-range", "/devices/0/pcie_width"},
      {R"({"devices":[{"id":"d1","kind":"gpu"}]})", "unknown-id", "/results/0/devices/0"},
      {R"({"results":[{"probe":"hbm.read","version":1,"devices":["d0"],"batch_operations":1}]})", "missing",
       "/results/0/time_s"},
      {R"({"results":[{"probe":"hbm.read","version":1,"devices":["d0"],"batch_operations":1,"skip":{"reason":"tired"}}]})",
       "out-of-range", "/results/0/skip/reason"},
      {R"({"results":[{"probe":"hbm.read","version":1,"devices":["d0"],"batch_operations":0,"skip":{"reason":"oom"}}]})",
       "out-of-range", "/results/0/batch_operations"},
      {R"({"results":[{"probe":"hbm.read","version":1,"devices":[7],"batch_operations":1,"skip":{"reason":"oom"}}]})",
       "wrong-type", "/results/0/devices/0"},
      {R"({"results":[{"probe":"hbm.read","version":1,"batch_operations":1,"skip":{"reason":"oom"}}]})", "missing",
       "/results/0/devices"},
      {R"({"results":[{"probe":"hbm.read","version":1,"devices":["d0"],"batch_operations":1,"flags":[{"kind":"odd"}],
          "skip":{"reason":"oom"}}]})",
       "out-of-range", "/results/0/flags/0/kind"},
      {R"({"health_counters":[{"device":"d0","name":"pcie_replay","before":1}]})", "missing",
       "/health_counters/0/after"},
      {R"({"limits":[1]})", "wrong-type", "/limits/0"},
      {R"({"weather":"rain"})", "unknown-key", "/weather"},
  };
  for (const auto& row : rows) {
    const auto read = read_profile(changed_profile(row.patch));
    ASSERT_FALSE(read) << row.patch;
    EXPECT_EQ(read.error().front().code, row.code) << row.patch;
    EXPECT_EQ(read.error().front().path, row.path) << row.patch;
    EXPECT_FALSE(read.error().front().message.empty());
    EXPECT_FALSE(read.error().front().hint.empty());
  }
}

/// The sample with its first result changed by a merge patch.
std::string changed_result(std::string_view patch) {
  JsonNode document = *parse_json(profile_text(sample_profile()));
  for (std::size_t i = 0; i < document.keys.size(); ++i)
    if (document.keys[i] == "results")
      document.items[i].items[0] = merged(document.items[i].items[0], *parse_json(patch));
  return signed_again(document);
}

TEST(ProfileFile, ResultsThatContradictThemselvesTellWhere) {
  const struct {
    const char* patch;
    const char* code;
    const char* path;
  } rows[] = {
      {R"({"samples_s":null,"time_s":{"median":1}})", "conflict", "/results/0/time_s/median"},
      {R"({"samples_s":null,"time_s":{"lo95":null}})", "conflict", "/results/0/time_s"},
      {R"({"samples_s":null,"time_s":{"n_eff":99}})", "conflict", "/results/0/time_s/n_eff"},
      {R"({"time_s":{"n":23}})", "conflict", "/results/0/samples_s"},
      {R"({"samples_s":[0.001,-1]})", "wrong-type", "/results/0/samples_s/1"},
      {R"({"time_s":{"median":null}})", "missing", "/results/0/time_s/median"},
      {R"({"time_s":{"median":0}})", "out-of-range", "/results/0/time_s/median"},
      {R"({"check":{"status":"fail"}})", "conflict", "/results/0/time_s"},
      {R"({"skip":{"reason":"oom"}})", "conflict", "/results/0/time_s"},
      {R"({"context":{"reasons":[{"reason":"sw_power_cap","share":2}]}})", "out-of-range",
       "/results/0/context/reasons/0/share"},
      {R"({"size":{"m":-4}})", "out-of-range", "/results/0/size/m"},
  };
  for (const auto& row : rows) {
    const auto read = read_profile(changed_result(row.patch));
    ASSERT_FALSE(read) << row.patch;
    EXPECT_EQ(read.error().front().code, row.code) << row.patch;
    EXPECT_EQ(read.error().front().path, row.path) << row.patch << read.error().front().message;
  }
}

TEST(ProfileFile, WithoutOrWithAForeignDigestIsRefused) {
  const JsonNode document = *parse_json(profile_text(sample_profile()));
  const auto bare = read_profile(merged(document, *parse_json(R"({"integrity":null})")), "/profile");
  ASSERT_FALSE(bare);
  EXPECT_EQ(bare.error().front().path, "/profile/integrity/digest");
  const auto foreign = read_profile(merged(document, *parse_json(R"({"integrity":{"alg":"md5"}})")), "");
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().front().path, "/integrity/alg");
  const auto other = read_profile(merged(document, *parse_json(R"({"run":{"seed":8}})")), "");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().front().path, "/integrity/digest");
  EXPECT_EQ(read_profile("{").error().front().code, "not-json");
  EXPECT_EQ(read_profile("[]").error().front().code, "wrong-type");
}

}  // namespace
}  // namespace podwright::profile_file_test
