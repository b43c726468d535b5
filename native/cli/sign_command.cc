#include <fcntl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/minisign.h"
#include "cli/trusted.h"
#include "measure/profile_file.h"
#include "probes/worker.h"

namespace podwright::cli {
namespace fs = std::filesystem;
namespace {

/// A line of standard input, which a terminal does not show.
std::string asked_password() {
  termios shown{};
  const bool terminal = tcgetattr(STDIN_FILENO, &shown) == 0;
  termios hidden = shown;
  hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  if (terminal) {
    std::cerr << "Password of the key: ";
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
  }
  std::string password;
  std::getline(std::cin, password);
  if (terminal) {
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
    std::cerr << '\n';
  }
  return password;
}

/// False where the file is there already, or cannot be written.
bool write_new(const std::string& path, const std::string& text, mode_t mode) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) return false;
  const bool written = probes::write_all(file, text) && fsync(file) == 0;
  return close(file) == 0 && written;
}

int make_key(const std::string& name) {
  const NewKey made = new_key();
  const std::string secret = name + ".key";
  const std::string open = name + ".pub";
  std::error_code failed;
  const bool there = fs::exists(secret, failed) || fs::exists(open, failed);
  if (there || !write_new(open, made.open, 0644) || !write_new(secret, made.secret, 0600)) {
    std::cerr << "podwright: cannot write " << secret << " and " << open
              << (there ? ": a key of that name is there already" : "") << ".\n";
    return there ? kWrongInput : kEnvironment;
  }
  std::cout << "wrote " << secret << ", which signs and is secret, and " << open << " of key " << made.number
            << ", which --trusted takes\n";
  return kAnswer;
}

int sign_profile(const std::string& profile, const std::string& key_file) {
  const auto text = read_text(profile);
  if (!text) return kWrongInput;
  if (const auto read = read_profile(*text); !read) {
    print_errors(read.error(), profile + " is not a usable profile");
    return kWrongInput;
  }
  const auto key_text = read_text(key_file);
  if (!key_text) return kWrongInput;
  const auto key = read_secret_key(*key_text, asked_password);
  if (!key) {
    print_errors(key.error(), "--key " + key_file);
    return kWrongInput;
  }
  // As minisign words it.
  const std::string comment = "timestamp:" + std::to_string(std::time(nullptr)) +
                              "\tfile:" + fs::path(profile).filename().string() + "\thashed";
  const std::string place = profile + ".minisig";
  if (!write_file(place, signature_text(*key, *text, comment))) return kEnvironment;
  std::cout << "wrote " << place << '\n';
  return kAnswer;
}

}  // namespace

void add_sign_command(CommandLine& line) {
  struct Options {
    std::string profile;
    std::string key;
    std::string name;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* app = line.app.add_subcommand("sign", "Signs a profile, so that others see who measured");
  app->footer(
      "Examples:\n  podwright sign --new-key rack7\n  podwright sign profile.json --key rack7.key\n"
      "  podwright verify profile.json --trusted rack7.pub");
  CLI::Option* made =
      app->add_option("--new-key", options->name, "Make NAME.key and NAME.pub, without a password")->type_name("NAME");
  CLI::Option* key = app->add_option("--key", options->key,
                                     "Secret key of minisign; its password, if it has one, is read from standard input")
                         ->type_name("FILE")
                         ->excludes(made);
  app->add_option("PROFILE", options->profile, "File of the profile; its signature becomes PROFILE.minisig")
      ->type_name("PROFILE")
      ->needs(key)
      ->excludes(made);
  app->callback([options, &line] {
    if (line.exit_code = without_signatures(); line.exit_code != kAnswer) return;
    if (!options->name.empty()) {
      line.exit_code = make_key(options->name);
    } else if (!options->profile.empty()) {
      line.exit_code = sign_profile(options->profile, options->key);
    } else {
      std::cerr << "podwright: sign needs a profile and --key, or --new-key.\n";
      line.exit_code = kWrongInput;
    }
  });
}

}  // namespace podwright::cli
