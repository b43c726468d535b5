/// A collective library for machines without GPUs: the functions that the probes call, between processes of one
/// machine, in plain memory. Like NCCL, rank 0 listens at the address of the id, calls come back at once, and a rank
/// that goes away is an error for the others. The process that made an id carries all messages of its communicators.
///
/// STAND_IN_NCCL_VERSION   version that this rank has (22803); ranks of different versions do not join
/// STAND_IN_NCCL_HANG      "gather:N": this rank never starts its N-th gathering of any communicator
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kSuccess = 0;
constexpr int kSystemError = 2;
constexpr int kInvalidUsage = 5;
constexpr int kRemoteError = 6;
constexpr int kInProgress = 7;
constexpr int kFirstPort = 30000;

struct Id {
  char address[128];  ///< "host:port"
};

int version_here() {
  const char* text = std::getenv("STAND_IN_NCCL_VERSION");
  return text == nullptr ? 22803 : std::atoi(text);
}

bool send_all(int to, const void* bytes, std::size_t count) {
  for (std::size_t done = 0; done < count;) {
    const ssize_t moved = send(to, static_cast<const char*>(bytes) + done, count - done, MSG_NOSIGNAL);
    if (moved <= 0) return false;
    done += static_cast<std::size_t>(moved);
  }
  return true;
}

bool receive_all(int from, void* bytes, std::size_t count) {
  return count == 0 || recv(from, bytes, count, MSG_WAITALL) == static_cast<ssize_t>(count);
}

int listen_at(int port) {
  const int here = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(here, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(here, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && listen(here, 64) == 0) return here;
  close(here);
  return -1;
}

/// What a rank sends: everyone of the same step gets what all of them sent, by rank.
struct Header {
  std::int32_t rank;
  std::int32_t ranks;
  std::int32_t version;
  std::uint64_t bytes;
};

/// The thread that carries messages: in each step it hears all ranks, then answers all. Whoever goes away ends it.
void carry(int listening) {
  std::vector<int> ranks;
  std::size_t here = 0;
  int version = 0;
  bool alike = true;
  do {
    const int caller = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    Header header{};
    if (caller < 0 || !receive_all(caller, &header, sizeof header)) {
      close(caller);
      continue;
    }
    if (ranks.empty()) ranks.assign(static_cast<std::size_t>(header.ranks), -1);
    int& place = ranks[static_cast<std::size_t>(header.rank)];
    if (place < 0) ++here;
    if (place >= 0) close(place);
    place = caller;
    if (version == 0) version = header.version;
    alike = alike && version == header.version;
  } while (here < ranks.size());
  close(listening);
  const std::int32_t state = alike ? kSuccess : kInvalidUsage;
  // To rank 0 last: it may leave at once, and this thread with it.
  std::reverse(ranks.begin(), ranks.end());
  for (const int rank : ranks) send_all(rank, &state, sizeof state);
  bool fine = alike;
  while (fine) {
    std::string all;
    for (auto rank = ranks.rbegin(); fine && rank != ranks.rend(); ++rank) {
      std::uint64_t bytes = 0;
      fine = receive_all(*rank, &bytes, sizeof bytes);
      if (!fine) break;
      const std::size_t at = all.size();
      all.resize(at + bytes);
      fine = receive_all(*rank, all.data() + at, bytes);
    }
    for (const int rank : ranks) fine = fine && send_all(rank, all.data(), all.size());
  }
  for (const int rank : ranks) close(rank);
}

struct Comm {
  int rank = 0;
  int ranks = 1;
  int carrier = -1;
  std::atomic<int> state{kInProgress};
  std::thread busy;
  std::vector<int> members;  ///< of the communicator that it was split from; empty: it was not

  ~Comm() {
    if (carrier >= 0) shutdown(carrier, SHUT_RDWR);
    if (busy.joinable()) busy.join();
    if (carrier >= 0) close(carrier);
  }
  template <class Work>
  void start(Work work) {
    if (busy.joinable()) busy.join();
    state = kInProgress;
    busy = std::thread([this, work] { state = work(); });
  }
  /// What all ranks sent.
  int step(const std::string& own, std::string& all) const {
    const std::uint64_t bytes = own.size();
    all.resize(static_cast<std::size_t>(ranks) * own.size());
    const bool fine = send_all(carrier, &bytes, sizeof bytes) && send_all(carrier, own.data(), own.size()) &&
                      receive_all(carrier, all.data(), all.size());
    return fine ? kSuccess : kRemoteError;
  }
};

int join(Comm& comm, const std::string& address) {
  const std::size_t colon = address.rfind(':');
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.substr(0, colon).c_str(), address.c_str() + colon + 1, &wanted, &found) != 0)
    return kSystemError;
  const int to = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool there = connect(to, found->ai_addr, found->ai_addrlen) == 0;
  freeaddrinfo(found);
  comm.carrier = to;
  if (!there) return kSystemError;
  const Header header{comm.rank, comm.ranks, version_here(), 0};
  std::int32_t state = kRemoteError;
  if (!send_all(to, &header, sizeof header) || !receive_all(to, &state, sizeof state)) return kRemoteError;
  return state;
}

bool hangs_now() {
  static std::atomic<int> gathered{0};
  const char* text = std::getenv("STAND_IN_NCCL_HANG");
  return text != nullptr && std::strncmp(text, "gather:", 7) == 0 && ++gathered >= std::atoi(text + 7);
}

}  // namespace

extern "C" {

int ncclGetVersion(int* version) {
  *version = version_here();
  return kSuccess;
}

const char* ncclGetErrorString(int code) {
  switch (code) {
    case kSystemError:
      return "unhandled system error";
    case kInvalidUsage:
      return "invalid usage";
    case kRemoteError:
      return "remote process exited or there was a network error";
    default:
      return "no error that these tests know";
  }
}

/// At the address of the variable rank 0 listens when it joins; else this process listens from now on.
int ncclGetUniqueId(Id* id) {
  *id = {};
  if (const char* address = std::getenv("NCCL_COMM_ID")) {
    std::strncpy(id->address, address, sizeof id->address - 1);
    return kSuccess;
  }
  for (int port = kFirstPort + getpid() % 20000, trial = 0; trial < 1000; ++port, ++trial) {
    const int listening = listen_at(port);
    if (listening < 0) continue;
    std::thread(carry, listening).detach();
    std::strcpy(id->address, ("127.0.0.1:" + std::to_string(port)).c_str());
    return kSuccess;
  }
  return kSystemError;
}

int ncclCommInitRankConfig(Comm** made, int ranks, Id id, int rank, void*) {
  auto comm = std::make_unique<Comm>();
  comm->rank = rank;
  comm->ranks = ranks;
  const std::string address = id.address;
  if (rank == 0 && std::getenv("NCCL_COMM_ID") != nullptr) {
    const int listening = listen_at(std::atoi(address.c_str() + address.rfind(':') + 1));
    if (listening < 0) return kSystemError;
    std::thread(carry, listening).detach();
  }
  *made = comm.release();
  (*made)->start([comm = *made, address] { return join(*comm, address); });
  return kInProgress;
}

/// Ranks of a part tell each other through the same carrier: everyone sends in each step of the whole.
int ncclCommSplit(Comm* whole, int color, int key, Comm** made, void*) {
  auto part = std::make_unique<Comm>();
  Comm* const child = color < 0 ? nullptr : part.release();
  *made = child;
  whole->start([=] {
    const std::int32_t own[2] = {color, key};
    std::string all;
    if (const int code = whole->step({reinterpret_cast<const char*>(own), sizeof own}, all); code != kSuccess)
      return code;
    if (child == nullptr) return kSuccess;
    for (int rank = 0; rank < whole->ranks; ++rank) {
      std::int32_t color_of = 0;
      std::memcpy(&color_of, all.data() + static_cast<std::size_t>(rank) * sizeof own, sizeof color_of);
      if (color_of == color) child->members.push_back(rank);
    }
    child->ranks = static_cast<int>(child->members.size());
    child->state = kSuccess;
    return kSuccess;
  });
  return kInProgress;
}

int ncclCommGetAsyncError(Comm* comm, int* state) {
  *state = comm->state;
  return kSuccess;
}

int ncclAllGather(const void* own, void* all, std::size_t count, int type, Comm* comm, void*) {
  if (type != 0 || !comm->members.empty()) return kInvalidUsage;
  if (hangs_now())
    while (true) pause();
  comm->start([comm, all, text = std::string(static_cast<const char*>(own), count)] {
    std::string gathered;
    const int code = comm->step(text, gathered);
    if (code == kSuccess) std::memcpy(all, gathered.data(), gathered.size());
    return code;
  });
  return kInProgress;
}

int ncclCommFinalize(Comm*) { return kSuccess; }
int ncclCommDestroy(Comm* comm) {
  delete comm;
  return kSuccess;
}
int ncclCommAbort(Comm* comm) { return ncclCommDestroy(comm); }

// What only GPUs ask for: these tests script the times of collectives.
int ncclCommInitAll() { return kInvalidUsage; }
int ncclGroupStart() { return kInvalidUsage; }
int ncclGroupEnd() { return kInvalidUsage; }
int ncclAllReduce() { return kInvalidUsage; }
int ncclReduceScatter() { return kInvalidUsage; }
int ncclBroadcast() { return kInvalidUsage; }
int ncclSend() { return kInvalidUsage; }
int ncclRecv() { return kInvalidUsage; }

}  // extern "C"
