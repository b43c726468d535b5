// Writes the golden answers anew: golden_write FOLDER answers every FOLDER/requests/NAME.json into
// FOLDER/answers/NAME.json and removes answers without a request; FOLDER/questions/digests.csv gets the fingerprints of
// the study tool's questions. The difference is for a person to read before it is
// committed.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "api/answer.h"
#include "golden/pretty.h"
#include "golden/question_digest.h"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool read_text(const fs::path& path, std::string& text) {
  std::ifstream file(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(file), {});
  return file.good() || file.eof();
}

bool write_text(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  return static_cast<bool>(file.flush());
}

int fail(const char* what, const fs::path& path) {
  std::fprintf(stderr, "golden_write: cannot %s %s\n", what, path.c_str());
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: golden_write FOLDER\n");
    return 2;
  }
  const fs::path requests = fs::path(argv[1]) / "requests";
  const fs::path answers = fs::path(argv[1]) / "answers";
  std::error_code error;
  fs::create_directories(answers, error);
  if (error) return fail("create", answers);

  int written = 0;
  int changed = 0;
  for (const fs::path& request : json_files(requests)) {
    std::string question;
    if (!read_text(request, question)) return fail("read", request);
    const fs::path target = answers / request.filename();
    const std::string answer = golden::pretty(podwright::answer(question));
    std::string before;
    const bool same = fs::exists(target) && read_text(target, before) && before == answer;
    if (!same && !write_text(target, answer)) return fail("write", target);
    written += 1;
    changed += same ? 0 : 1;
  }
  int removed = 0;
  for (const fs::path& answer : json_files(answers)) {
    if (fs::exists(requests / answer.filename())) continue;
    if (!fs::remove(answer, error)) return fail("remove", answer);
    removed += 1;
  }
  const fs::path digests = fs::path(argv[1]) / "questions/digests.csv";
  fs::create_directories(digests.parent_path(), error);
  if (!write_text(digests, golden::question_digests())) return fail("write", digests);
  std::printf("%d golden answers, %d of them changed, %d removed\n", written, changed, removed);
  return 0;
}
