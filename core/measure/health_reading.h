#pragma once
/// What the driver and the operating system tell of a machine's state, as it was read; health_check.h judges it. Absent
/// means that nothing reports it.
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace podwright {

/// Banks of memory by what is left of the rows that replace bad ones. nvmlRowRemapperHistogramValues_t.
struct RemapBanks {
  double max = 0;  ///< all of them
  double high = 0;
  double partial = 0;
  double low = 0;
  double none = 0;
};

/// Degrees Celsius. A margin is what is left up to the temperature at which the driver slows the clocks; it is negative
/// beyond it. nvmlDeviceGetMarginTemperature, nvmlDeviceGetTemperatureThreshold.
struct GpuHeat {
  std::optional<double> now;
  std::optional<double> continuous;       ///< most for continuous work
  std::optional<double> slowdown;         ///< the hardware slows the clocks
  std::optional<double> shutdown;         ///< the GPU is switched off
  std::optional<double> margin;           ///< of now
  std::optional<double> slowdown_margin;  ///< at which the hardware slows the clocks
  std::optional<double> memory;
  std::optional<double> memory_most;
};

/// What slows the clocks at this moment; false where the driver says that it does not. nvmlClocksEventReasons.
struct ClockReasons {
  std::optional<bool> idle;
  std::optional<bool> power_cap;
  std::optional<bool> clocks_set;  ///< by a person: application clocks
  std::optional<bool> hw_slowdown;
  std::optional<bool> hw_thermal;
  std::optional<bool> power_brake;
  std::optional<bool> sw_thermal;
  std::optional<double> slowed_s;  ///< by heat or the power supply, since the driver was loaded
};

/// Errors of memory, and what the driver has done about them.
struct GpuMemoryState {
  std::optional<double> uncorrectable;       ///< errors since the driver was loaded
  std::optional<double> uncorrectable_ever;  ///< in the life of the GPU
  std::optional<double> corrected;           ///< since the driver was loaded
  std::optional<bool> sram_threshold;        ///< uncorrectable errors of SRAM exceed that for a replacement
  std::optional<bool> remap_pending;
  std::optional<bool> remap_failed;
  std::optional<double> remapped_rows;
  std::optional<double> retired_pages;  ///< of GPUs before Ampere
  std::optional<bool> retirement_pending;
};

/// What NVML tells of one GPU.
struct GpuReading {
  bool was_read = true;  ///< false: nothing tells of this device's state, and nothing of it is judged
  GpuMemoryState memory;
  GpuHeat heat;
  ClockReasons reasons;
  std::optional<double> sm_clock_hz;  ///< at this moment
  std::optional<bool> ecc_next;       ///< mode after the next reset
  std::optional<bool> mig;
  std::optional<bool> mig_next;
  std::string recovery;  ///< what the driver asks for: "None", "Reset", "Reboot" ...; empty: it does not say
  std::optional<bool> persistence;
  std::optional<RemapBanks> remap_banks;
  // nvmlGpuFabricInfo_v2_t: the GPU's registration with the switches' manager.
  std::optional<double> fabric_state;   ///< 0 not supported, 1 not started, 2 in progress, 3 completed
  std::optional<double> fabric_status;  ///< of a completed one: 0 success, else the error
  std::optional<double> fabric_health;  ///< mask of NVML_GPU_FABRIC_HEALTH_MASK
};

/// One port of an RDMA card. /sys/class/infiniband, Documentation/ABI/stable/sysfs-class-infiniband.
struct PortReading {
  std::string card;                             ///< "mlx5_0"
  std::string port;                             ///< "1"
  std::string board;                            ///< model of the card
  std::string layer;                            ///< InfiniBand, Ethernet
  std::string state;                            ///< ACTIVE, INIT, ARMED, DOWN ...
  std::string physical_state;                   ///< LinkUp, Polling, Disabled ...
  std::string rate;                             ///< "400 Gb/sec (4X NDR)"
  std::map<std::string, double> errors_before;  ///< by name of the counter
  std::map<std::string, double> errors_after;
};

/// A file that was read from its beginning, for its rate.
struct FileReading {
  double bytes = 0;                       ///< that were read
  std::optional<double> bytes_per_s;      ///< median; absent where nothing was read
  std::optional<double> relative_spread;  ///< half of the median's 95 % interval over it
  bool direct = true;                     ///< past the cache of the system
  std::string unreadable;                 ///< why it could not be opened
  std::string broken;                     ///< the error that ended the reading
};

/// An Xid of a kernel's log.
struct LoggedXid {
  std::string gpu;  ///< its address on the bus, as the line prints it: "0000:3b:00"
  int xid = 0;
  std::optional<double> after_boot_s;  ///< absent where the line does not say
};

struct HostReading {
  bool nvidia_driver = false;    ///< is loaded
  bool open_modules = false;     ///< of the driver
  bool peer_memory = false;      ///< nvidia_peermem or its predecessor is loaded
  bool dma_buf = false;          ///< the kernel is 5.12 or newer
  double nvswitches = 0;         ///< that this system sees
  bool processes_shown = false;  ///< all of the host, which a container does not show
  bool fabric_manager = false;   ///< runs
  bool imex = false;             ///< runs
  bool imex_channel = false;
  std::vector<PortReading> ports;
  std::optional<std::vector<LoggedXid>> xids;  ///< of the kernel's log, before the run
  std::string log_missing;                     ///< why there is none
  std::optional<double> uptime_s;              ///< of the system, when its log was read
  std::optional<double> memory_bytes_per_s;
  std::optional<FileReading> file;  ///< absent: none was named
};

}  // namespace podwright
