#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "api/answer.h"
#include "base/whole.h"
#include "calibration/judge_profile.h"
#include "cli/command.h"
#include "cli/print_profile.h"
#include "cli/profiles.h"
#include "files/write_whole.h"
#include "measure/profile_file.h"
#include "probes/backends.h"
#include "probes/cluster/cluster_run.h"
#include "probes/gpu_program.h"
#include "probes/runner.h"
#include "probes/worker.h"

namespace podwright::cli {
namespace {

using namespace podwright::probes;

struct ProbeFlags {
  bool quick = false;
  bool standard = false;
  bool soak = false;
  bool cluster = false;
  bool json = false;
  bool share = false;
  std::string catalog;
  RunOptions run;
  RankOptions ranks;
};

/// The program that runs now, so that a worker is it again.
std::string own_program() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).string();
}

/// Goes on as podwright-gpu where this program cannot do it: measure GPUs, or, without shared libraries, open a BLAS.
/// Returns where that cannot be; the run then says why.
void hand_over(const std::string& backend, char** words) {
  const bool gpus = backend == "auto" || backend == "cuda";
  if (holds_cuda() || (!gpus && opens_libraries())) return;
  const GpuProgram other = gpu_program();
  // A program without the kernels may bear the name.
  if (!other.path.empty() && other.path != own_program()) execv(other.path.c_str(), words);
}

/// Told before minutes are spent. A file that is there already stays as it is.
bool can_write(const std::string& path) {
  if (path.empty()) return true;
  WholeFiles tried;
  const std::string why = tried.add(path, "");
  if (!why.empty()) std::cerr << "podwright: cannot write " << path << ": " << why << ".\n";
  return why.empty();
}

RunMode mode_of(const ProbeFlags& flags) {
  if (flags.soak) return RunMode::soak;
  if (flags.standard) return RunMode::standard;
  return flags.cluster && !flags.quick ? RunMode::cluster : RunMode::quick;
}

int finish(const ProbeFlags& flags, const RunOutcome& outcome) {
  show_progress("");
  if (!outcome.message.empty()) std::cerr << "podwright: " << outcome.message << ".\n";
  const bool measured = !outcome.profile.results.empty();
  if (flags.cluster && !outcome.profile.run.complete) print_limits(outcome.profile);
  const ProfileJudgement judgement = measured ? judge_profile(*flags.run.catalog, outcome.profile) : ProfileJudgement{};
  if (measured && flags.json) std::cout << profile_text(outcome.profile, {.share = flags.share});
  if (flags.cluster && !flags.json && !outcome.profile.devices.empty()) {
    std::cout << "wrote " + flags.run.output + "\n";  // in one piece: other ranks print as well
  } else if (measured && !flags.json) {
    std::cout << profile_summary(outcome.profile) << '\n' << verdict_lines(judgement);
    if (flags.run.output.empty()) {
      std::cout << "No file was written; -o profile.json keeps the profile.\n";
    } else {
      std::cout << "wrote " << flags.run.output << '\n';
    }
  }
  // An unfinished profile is told apart from a whole one by the code as well, as is one that lacks a required probe.
  const bool unfinished =
      (measured || flags.cluster) && !outcome.profile.run.complete && outcome.exit < ProbeExit::unusable;
  if (unfinished) return kFault;
  return static_cast<int>(std::max(outcome.exit, judgement.exit));
}

int probe_command(ProbeFlags& flags) {
  const Catalog* catalog = load_catalog(flags.catalog);
  if (catalog == nullptr) return kWrongInput;
  RunOptions& run = flags.run;
  if (run.backend == "fake" && !run.read_file.empty()) {
    std::cerr
        << "podwright: --read-file reads a file of this host, in which scripted devices are not. Leave it out, or "
           "take another --backend.\n";
    return kWrongInput;
  }
  RankPlace place;
  if (flags.cluster) {
    if (run.output.empty()) {
      std::cerr << "podwright: --cluster needs -o: each rank keeps a profile of its own.\n";
      return kWrongInput;
    }
    const PlaceOrWhy found = place_of(flags.ranks, [](const char* name) {
      const char* value = std::getenv(name);
      return std::string(value == nullptr ? "" : value);
    });
    if (!found.place) {
      std::cerr << "podwright: " << found.why << ".\n";
      return kWrongInput;
    }
    place = *found.place;
    run.output = rank_file(run.output, place.rank);
  }
  if (!can_write(run.output)) return kEnvironment;
  run.program = own_program();
  run.version = std::string(version());
  run.budget.mode = mode_of(flags);
  run.catalog = catalog;
  run.on_progress = [](const probes::Progress& now) {
    show_progress("[" + std::to_string(now.done + 1) + "/" + std::to_string(now.cases) + "] " + now.title +
                  "   about " + std::to_string(static_cast<int>(now.seconds_left + 0.5)) + " s left");
  };
  run.on_note = [](const std::string& sentence) {
    show_progress("");
    std::cerr << "podwright: " << sentence << '\n';
  };
  return finish(flags, flags.cluster ? run_cluster(run, place, flags.ranks.patience_s) : run_probes(run));
}

void add_run_options(CLI::App& probe, ProbeFlags& flags) {
  CLI::Option* quick =
      probe.add_flag("--quick", flags.quick,
                     "About a minute for each device: memory, links, 24 products (the default without --cluster)");
  CLI::Option* standard =
      probe.add_flag("--standard", flags.standard, "At most ten minutes for each device: all probes, sustained load");
  probe.add_flag("--soak", flags.soak, "Under half an hour: the standard run with ten minutes of load")
      ->excludes(quick)
      ->excludes(standard);
  standard->excludes(quick);
  probe.add_option("--backend", flags.run.backend, "auto takes CUDA where it runs, else the processors")
      ->check(CLI::IsMember({"auto", "cuda", "cpu", "fake"}))
      ->capture_default_str();
  probe.add_option("--device", flags.run.devices, "Numbers of devices, with commas; all without it")
      ->delimiter(',')
      ->type_name("N");
  probe.add_option("--only", flags.run.only, "Beginnings of probe names, with commas: gemm,hbm.copy")
      ->delimiter(',')
      ->type_name("PROBES");
  probe.add_option("--require", flags.run.required, "Probes without which the run is unusable (exit code 3)")
      ->delimiter(',')
      ->type_name("PROBES");
  probe.add_option("--budget", flags.run.budget.seconds, "Seconds for each device instead of the mode's")
      ->check(number_within(1, 86400));
  probe.add_option("--seed", flags.run.seed, "Start of the random data and of the order of sizes")
      ->check(number_within(0, kMostSeed))
      ->capture_default_str();
  probe.add_flag("--allow-busy", flags.run.allow_busy, "Measure although others use the device; marked as such");
  probe.add_option("--read-file", flags.run.read_file, "File or drive of which 4 GiB are read, for its rate")
      ->type_name("PATH");
  probe.add_option("-o,--output", flags.run.output, "File of the profile; kept whole at every moment")
      ->type_name("PROFILE");
  CLI::Option* json = probe.add_flag("--json", flags.json, "Print the profile for programs");
  probe.add_flag("--share", flags.share, "With --json: without host, variables, arguments and raw samples")
      ->needs(json);
  probe.add_option("--catalog", flags.catalog, "Folder whose files come on top of the built-in catalog")
      ->type_name("DIR");
  probe.add_option("--watchdog", flags.run.watchdog_factor, "Factor on the patience with a silent probe")
      ->check(number_within(0.001, 100))
      ->group("");
}

void add_cluster_options(CLI::App& probe, ProbeFlags& flags) {
  const std::string group = "Several nodes";
  CLI::Option* cluster = probe
                             .add_flag("--cluster", flags.cluster,
                                       "One program on each node or GPU, started by srun, mpirun, torchrun, Kubernetes "
                                       "or by hand: each alone, then pairs and collectives through NCCL; a profile of "
                                       "each, which merge joins. Without a mode the probes of --standard, except "
                                       "gemm.*.best")
                             ->group(group);
  probe
      .add_option("--rendezvous", flags.ranks.rendezvous,
                  "Address of rank 0, at which NCCL meets; else MASTER_ADDR and MASTER_PORT, or Slurm's first node")
      ->type_name("HOST:PORT")
      ->needs(cluster)
      ->group(group);
  CLI::Option* rank =
      probe.add_option("--rank", flags.ranks.rank, "Number of this process, from 0; else from the launcher")
          ->check(CLI::Range(0, 1000000))
          ->needs(cluster)
          ->group(group);
  CLI::Option* world = probe.add_option("--world", flags.ranks.world, "Number of processes; else from the launcher")
                           ->check(CLI::Range(1, 1000000))
                           ->needs(cluster)
                           ->needs(rank)
                           ->group(group);
  rank->needs(world);
  probe
      .add_option("--patience", flags.ranks.patience_s,
                  "Seconds to wait for the others, besides those that measuring takes")
      ->check(number_within(1, 3600))
      ->capture_default_str()
      ->needs(cluster)
      ->group(group);
}

}  // namespace

void add_probe_commands(CommandLine& line) {
  const auto flags = std::make_shared<ProbeFlags>();
  CLI::App* probe =
      line.app.add_subcommand("probe", "Measures this machine: memory, links, products, decoding, collectives");
  probe->footer(
      "Examples:\n  podwright probe --quick -o profile.json\n  podwright probe --backend cpu --only cpu.gemm\n"
      "  srun podwright probe --cluster -o profiles/ && podwright merge profiles/ -o cluster.json");
  add_run_options(*probe, *flags);
  add_cluster_options(*probe, *flags);
  probe->callback([flags, &line] {
    hand_over(flags->run.backend, line.words);
    line.exit_code = probe_command(*flags);
  });

  CLI::App* worker = line.app.add_subcommand("probe-worker", "");
  worker->group("");
  worker->callback([&line] { line.exit_code = worker_main(); });
}

}  // namespace podwright::cli
