#pragma once
/// What a probe run tells of a machine. Members are named as the keys of the file; a name ends in its unit; absent
/// means not known. No host name, serial number or UUID is kept unless the operator asks.
/// docs/method/probes.md#profile.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "measure/probe_result.h"

namespace podwright {

/// A version, setting or counter with its name.
struct NamedText {
  std::string name;
  std::string value;
};

/// The program that wrote the profile.
struct ProfileTool {
  std::string name = "podwright";
  std::string version;
  std::string build;  ///< commit; may be empty
  std::string compiler;
};

enum class RunMode { quick, standard, soak, cluster, imported };
inline constexpr std::array<std::string_view, 5> kRunModeWords = {"quick", "standard", "soak", "cluster", "imported"};

/// How far a rank of a run of several programs has come.
enum class RankPart {
  started,   ///< its devices are known
  alone,     ///< it has measured by itself
  waited,    ///< then for the others, in vain; the end
  together,  ///< all have met
  ended,
};
inline constexpr std::array<std::string_view, 5> kRankPartWords = {"started", "alone", "waited", "together", "ended"};
/// The place of a profile in a run of several programs, each with a profile of its own. docs/operator.md#several-nodes.
struct ProfileRank {
  int rank = 0;
  int ranks = 1;
  RankPart part = RankPart::started;
  std::string node;                ///< the same for ranks of one system; tells nothing else
  std::optional<double> came_s;    ///< when it was ready for the others, seconds since 1970
  std::optional<double> waited_s;  ///< for ranks that did not come
};

struct ProfileRun {
  std::string started;  ///< UTC, "2026-01-31T12:00:00Z"; empty where an imported file does not say
  std::optional<double> duration_s;
  RunMode mode = RunMode::standard;
  std::string backend;  ///< cuda, cpu, fake; of imported files the program that measured
  double seed = 0;      ///< whole, below 2^53
  std::vector<std::string> arguments;
  bool complete = true;  ///< false: the run was ended early
  int exit_code = 0;     ///< 0..5
  std::optional<ProfileRank> rank;
};

struct ProfileEnvironment {
  std::string os;      ///< "linux"
  std::string kernel;  ///< release
  std::string cpu_architecture;
  std::optional<bool> container;
  std::string driver;
  std::string cuda_driver;
  std::string cuda_runtime;
  std::string cublaslt;
  std::string nccl;
  std::string blas;                       ///< that the CPU backend used
  std::string frequency_governor;         ///< of the CPU
  std::vector<NamedText> other_software;  ///< engines, tools: name and version
  std::vector<NamedText> variables;       ///< environment variables of an allow-list
};

struct ProfileHost {
  std::string name;  ///< only where the operator asked for it
  std::string cpu_model;
  std::optional<double> sockets;
  std::optional<double> cores;          ///< physical
  std::optional<double> logical_cores;  ///< that this process may use
  std::optional<double> numa_nodes;
  std::optional<double> memory_gib;
};

/// How sure it is that the catalog's item is this device; `chosen`: a person said so.
enum class KeyMatch { none, name, exact, chosen };
inline constexpr std::array<std::string_view, 4> kKeyMatchWords = {"none", "name", "exact", "chosen"};

struct ProfileDevice {
  std::string id;    ///< within the profile: "d0"
  std::string kind;  ///< gpu, cpu
  std::string key;   ///< id of the catalog; empty where none matches
  KeyMatch key_match = KeyMatch::none;
  std::string name;  ///< as the driver or the system gives it
  std::string pci_bus_id;
  std::string identity_hash;  ///< salted hash of the UUID; only where the operator asked for it
  std::string vbios;
  std::string compute_capability;
  std::string mig_slice;       ///< profile of the slice; empty for a whole GPU
  std::string virtualization;  ///< none, passthrough, vgpu; empty: not known
  std::optional<double> sm_count;
  std::optional<double> l2_bytes;
  std::optional<double> memory_bus_bits;
  std::optional<double> memory_clock_hz;
  std::optional<double> sm_clock_max_hz;
  std::optional<double> power_limit_w;
  std::optional<double> power_limit_default_w;
  std::optional<bool> clocks_locked;
  std::optional<bool> ecc;
  std::optional<double> pcie_generation;      ///< under load
  std::optional<double> pcie_width;           ///< under load
  std::optional<double> pcie_generation_max;  ///< of device and slot
  std::optional<double> pcie_width_max;
  std::optional<double> nvlinks;  ///< that are up
  std::optional<double> numa_node;
  // Memory of this device.
  std::optional<double> memory_total_gib;        ///< as the driver reports it
  std::optional<double> memory_free_gib;         ///< as the driver reports it before the first allocation
  std::optional<double> memory_allocatable_gib;  ///< that one process could allocate, write and read back
  std::optional<double> context_gib;             ///< that the first context took
  std::optional<double> collectives_gib;         ///< that a communicator of all devices of the node took
  std::optional<double> idle_power_w;
  // What rates are compared with.
  std::optional<double> datasheet_bytes_per_s;  ///< memory bandwidth
  std::optional<double> driver_bytes_per_s;     ///< memory bandwidth from bus width and clock
};

struct ProfileLink {
  std::string from;  ///< device id, or "host"
  std::string to;
  std::string type;  ///< nvlink, nvswitch, pcie, c2c, numa, network
  std::optional<double> lanes;
  std::optional<double> bytes_per_s;  ///< measured, one way
};

/// A counter of a device before and after the run.
struct HealthCounter {
  std::string device;
  std::string name;  ///< ecc_uncorrectable, ecc_correctable, remapped_rows, remap_pending, pcie_replay, nvlink_crc
  double before = 0;
  double after = 0;
};
struct HealthEvent {
  std::string device;
  std::string name;  ///< "xid:79"
  std::string message;
};

/// What one check of the machine's state says. Only `ok` means well: a part that is absent, or cannot be read, is not.
enum class HealthState { ok, warning, failed, not_present, unknown };
inline constexpr std::array<std::string_view, 5> kHealthStateWords = {"ok", "warning", "failed", "not_present",
                                                                      "unknown"};
/// A number of a sentence.
struct NamedNumber {
  std::string name;
  double value = 0;
};
/// A state of the machine besides its rates. docs/operator.md#health-checks.
struct HealthCheck {
  std::string name;    ///< of a rule of health_check.h: "nvlinks", "infiniband_port"
  std::string device;  ///< id within the profile, "host", or the port of a card: "mlx5_0/1"
  HealthState state = HealthState::unknown;
  std::string seen;      ///< or why nothing is
  std::string expected;  ///< empty where nothing is
  std::string advice;    ///< what to do, of warning and failed
  // `seen` for other languages; empty where it is in no table of sentences.
  std::string code;                 ///< of messages.json
  std::vector<NamedNumber> values;  ///< of its places
};

struct HardwareProfile {
  ProfileTool tool;
  ProfileRun run;
  ProfileEnvironment environment;
  ProfileHost host;
  std::vector<ProfileDevice> devices;
  std::vector<ProfileLink> links;
  std::vector<ProbeResult> results;
  /// Of a rank: between devices of several ranks, by their ids in the merged profile.
  std::vector<ProbeResult> exchanges;
  std::vector<HealthCounter> health_counters;
  std::vector<HealthEvent> health_events;
  std::vector<HealthCheck> health_checks;     ///< empty where none were made
  std::vector<std::string> limits;            ///< what this profile cannot say, sentences
  std::vector<std::string> previous_digests;  ///< of the profiles that were merged
};

/// Null where the profile has none of this id.
/// True for a profile of `--backend fake`, by its backend or by what its devices say of their driver and library: it
/// describes no machine, whatever it calls them.
bool is_scripted(const HardwareProfile& profile);

const ProfileDevice* find_device(const HardwareProfile& profile, std::string_view id);

/// Usable results of one probe on one device (any, where `device` is empty), mode and dtype (any, where empty), in the
/// order of the profile.
struct ResultQuery {
  std::string_view probe;
  std::string_view device = "";
  std::string_view dtype = "";
  std::optional<ProbeMode> mode;
};
std::vector<const ProbeResult*> usable_results(const HardwareProfile& profile, const ResultQuery& query);

}  // namespace podwright
