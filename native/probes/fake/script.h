#pragma once
/// What the scripted devices, which act like an H100, do, told by PODWRIGHT_FAKE: steps "what@probe" with semicolons,
/// e.g. "devices=2;hang@hbm.triad;oom@gemm.bf16". `probe` may end in * and may be left out: every probe.
///
/// no_driver, too_old, no_device   the backend cannot run at all
/// devices=N                       number of devices (1)
/// noise=F, seed=N                 times vary by up to F to either side (0.004), drawn from this seed
/// cold                            begins at 30 degrees, and the first batches take longer
/// cools                           10 K above the start when a process opens the device, a degree less at each look
/// bus                             devices tell their addresses: 0000:10:00.0, 0000:11:00.0 ...
/// nvlinks=N                       links that are up;  pcie_width=N, pcie_generation=N: of the host link under load
/// persistence=0, ecc=0            modes that are on otherwise;  remap_none=N: banks without spare rows
/// fabric=STATE                    of the GPU's registration, by NVML's numbers (3, completed)
/// capacity=SHARE                  of the memory that a process can have (0.985)
/// slow=F, slow_device=I:F         all times, or those of one device, F times as long
/// zeros=F                         products of zeros are F times as fast
/// hidden=F                        share of the shorter one that a product and an all-reduce at once hide (0.5)
/// hang, crash, sticky, gate       never returns; aborts; a sticky error; the gate's flag is lost
/// nccl=CODE, library_missing      a collective fails with this code of the library; its library is absent
/// no_variant=NAME                 collectives cannot run this other way: graph, registered, no_nvls
/// rise=NAME:N                     this counter of errors is N higher after the probe
/// xid=N                           the driver reports this Xid while the probe runs
/// oom                             memory for any size is refused;  oom_above=BYTES: for larger sizes
/// wrong, nan                      the check fails; the output holds NaN
/// throttle=BITS                   these reason bits are set while the probe runs
/// no_clock, no_telemetry          telemetry without clock; without anything
/// no_energy                       telemetry without the counter of energy
/// pace=S                          each batch really takes S seconds, whatever time it tells
/// busy, others=N                  30 % utilisation before the first probe; N other processes
/// quantised, above_roof           times on a grid of 8 ms; ten times the roof
/// host=NAME                       this process stands for a node of this name
/// driver=TEXT, library=TEXT       versions of the driver (1.0) and of the collective library (none)
/// clock=HZ                        of the device (1.98e9), also when it is limited
/// meet_when=FILE                  joins a group of processes once this file is there
/// no_join, kill_rank, join_fails  never joins a group of processes; kills its rank when it should; its library fails
/// wait=SECONDS                    in the barrier before collectives between processes (1e-6)
#include <cstdint>
#include <string>
#include <string_view>

namespace podwright::probes::fake {

class Script {
 public:
  explicit Script(std::string text) : text_(std::move(text)) {}

  /// Is the step there for this probe? `value` gets what follows its "=".
  bool has(std::string_view step, std::string_view probe, std::string* value = nullptr) const;
  double number(std::string_view step, std::string_view probe, double otherwise) const;

 private:
  std::string text_;
};

}  // namespace podwright::probes::fake
