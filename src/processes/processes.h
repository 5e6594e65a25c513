// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace winnow {

/// Largest transfer. MPI counts in int, so more than 2^31 - 1 bytes take several transfers.
inline constexpr size_t kMaxTransferBytes = size_t(1) << 30;

class Transfer {
 public:
  virtual ~Transfer() = default;

  /// Moves bytes. Returns true once all sent bytes may be changed, or all received bytes are there.
  virtual bool is_complete() = 0;

  /// Returns the number of received bytes of a complete transfer.
  virtual size_t bytes() const = 0;
};

/// Processes that render one image together: those of an MPI job, on one host or on many. All of
/// them call the collective functions in the same order, each on the thread that made its object. A
/// process that waits sleeps, so that others can use its processor to render.
class Processes {
 public:
  virtual ~Processes() = default;

  virtual uint32_t index() const = 0;  ///< index of this process, [0, count()); the rank in MPI
  virtual uint32_t count() const = 0;  ///< number of processes, at least 1
  virtual uint32_t host() const = 0;   ///< index of the first process on the same host
  /// True for the process that reads and writes films and images and that prints messages.
  bool is_first() const { return index() == 0; }

  /// Starts to replace each value by its sum over all processes; at most one sum runs at a time.
  /// Collective.
  ///
  /// @param values  equally many in each process; must not be used until sum_is_complete()
  virtual void start_sum(std::vector<uint64_t>& values) = 0;
  virtual bool sum_is_complete() = 0;

  /// Copies the bytes of the first process to all others, which have equally many. Collective.
  virtual void broadcast(std::span<std::byte> bytes) = 0;

  /// Starts to move at most kMaxTransferBytes from one process to another one, which may expect
  /// more than it gets. Bytes are received in the order in which they are sent. A transfer must be
  /// complete before it is destroyed.
  virtual std::unique_ptr<Transfer> start_send(std::span<const std::byte> bytes, uint32_t to) = 0;
  virtual std::unique_ptr<Transfer> start_receive(std::span<std::byte> bytes, uint32_t from) = 0;

  /// Moves any number of bytes from one process to another one, which expects the same number.
  /// Returns when sent bytes may be changed, or received bytes are there.
  void send(std::span<const std::byte> bytes, uint32_t to);
  void receive(std::span<std::byte> bytes, uint32_t from);

  /// Ends all processes at once.
  virtual void abort(int exit_code) = 0;
};

/// Returns an object for this process alone.
std::unique_ptr<Processes> make_single_process();

/// True if this program was built with MPI.
bool has_mpi();

/// Starts MPI, which the destructor of the returned object ends; at most once in a process. Throws
/// Error if this program was built without MPI.
std::unique_ptr<Processes> make_mpi_processes();

// The functions below are collective.

/// Replaces each value by its sum over all processes.
void sum(Processes& processes, std::vector<uint64_t>& values);

/// True if `one` is true in any process.
bool any(Processes& processes, bool one);

/// Returns the text of the first process.
std::string text_of_first(Processes& processes, std::string text);

/// Returns the texts of all processes in each of them: [process].
std::vector<std::string> texts_of_all(Processes& processes, const std::string& text);

/// Returns the value of the first process, which is copied byte by byte.
template <class T>
T value_of_first(Processes& processes, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  processes.broadcast(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

/// Returns the values of the first process, which may have another number of them.
template <class T>
std::vector<T> values_of_first(Processes& processes, std::vector<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  values.resize(value_of_first(processes, uint64_t(values.size())));
  processes.broadcast(std::as_writable_bytes(std::span(values)));
  return values;
}

/// Spins, then sleeps in short intervals, until is_done(): most waits are short.
///
/// @param restless  least time to spin: bytes move only while is_done() is called
template <class IsDone>
void nap_until(IsDone is_done, std::chrono::milliseconds restless = {}) {
  constexpr int kTrials = 200;
  constexpr std::chrono::microseconds kNap(50);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + restless;
  for (int trial = 0; !is_done(); ++trial)
    if (trial < kTrials || (restless.count() > 0 && Clock::now() < end))
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(kNap);
}

/// Time to spin while bytes are being transferred.
inline constexpr std::chrono::milliseconds kRestlessForBytes(5);

/// Host and processors of a process.
struct ProcessPlace {
  uint32_t host = 0;       ///< index of the first process on the same host
  std::string host_name;   ///< name for messages
  std::string processors;  ///< [processor of the host], '1' if the process may run on it, else '0'

  bool operator==(const ProcessPlace&) const = default;
};

/// Returns the places of all processes: [process]. Collective.
std::vector<ProcessPlace> find_places(Processes& processes);

/// Returns the index of a process among the processes on its host.
uint32_t local_index(const std::vector<ProcessPlace>& places, uint32_t process);

/// Returns the number of threads with which a process should render on the CPU, at least one: its
/// part of the processors that it may use and may have to share with other processes of its host.
uint32_t thread_count(const std::vector<ProcessPlace>& places, uint32_t process);

/// Function that returns the value of an environment variable, or null.
using EnvironmentVariables = std::function<const char*(const char* name)>;

/// How this process was started together with others.
struct Launch {
  std::string launcher;  ///< name for messages, such as "mpirun"
  uint32_t index = 0;
  uint32_t count = 0;    ///< number of processes, more than one; 0: only MPI can tell
  bool connects = true;  ///< true if MPI can connect the processes
};

/// Determines how this process was started. Does not use MPI, which takes a quarter of a second to
/// start and needs a launcher. Looks for, in this order:
///
/// - Open MPI's mpirun:             OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE
/// - other launchers with PMI, such as MPICH's mpiexec and srun --mpi=pmi2:  PMI_RANK and PMI_SIZE
/// - MVAPICH2's mpirun_rsh:         MV2_COMM_WORLD_RANK and MV2_COMM_WORLD_SIZE
/// - IBM's jsrun:                   JSM_NAMESPACE_RANK and JSM_NAMESPACE_SIZE
/// - a step of Slurm's srun:        SLURM_PROCID and SLURM_STEP_NUM_TASKS. MPI connects its
///                                  processes only with --mpi=pmix, which sets PMIX_RANK.
/// - launchers with PMIx alone, such as PRRTE's prterun:  PMIX_RANK; no variable has the number
///
/// Returns nothing if this process was started alone, for example by the script of a Slurm job.
/// Variables that are not numbers count as not set.
std::optional<Launch> find_launch(const EnvironmentVariables& environment = std::getenv);

/// Returns true if a launcher with PMIx started this process alone. Only a query of its server can
/// tell. Returns false if the library cannot be loaded or the server does not answer.
bool is_alone_by_pmix(const std::string& library = "libpmix.so.2");

}  // namespace winnow
