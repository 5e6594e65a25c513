// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace winnow {

/// Bytes on their way between two ranks.
class Transfer {
 public:
  virtual ~Transfer() = default;

  /// Whether they may be changed, or are there. Moves them on.
  virtual bool is_complete() = 0;

  /// How many have come, once it is complete.
  virtual size_t bytes() const = 0;
};

/// The processes that render one image together: the ranks of an MPI job, on one host or on many.
/// All of them call the collective functions in the same order, each on the thread that made its
/// object. A rank that has to wait sleeps, and leaves its processor to those that render.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual uint32_t rank() const = 0;   ///< of this process, [0, count())
  virtual uint32_t count() const = 0;  ///< at least 1
  virtual uint32_t host() const = 0;   ///< the first rank on the same host
  /// The first rank is the one that reads and writes films and images, and talks to the user.
  bool is_first() const { return rank() == 0; }

  /// Collective. Begins to replace each value by its sum over all ranks; at most one sum is under
  /// way at a time.
  ///
  /// @param values  as many on each rank; not to be used until sum_is_complete()
  virtual void start_sum(std::vector<uint64_t>& values) = 0;
  virtual bool sum_is_complete() = 0;

  /// Collective. Copies the bytes of the first rank to all others, which have as many.
  virtual void broadcast(std::span<std::byte> bytes) = 0;

  /// Begins to move at most 2^30 bytes from one rank to another one, which may expect more than
  /// come. What one rank sends to another one is received in the same order. Transfers are
  /// completed before they are destroyed.
  virtual std::unique_ptr<Transfer> start_send(std::span<const std::byte> bytes, uint32_t to) = 0;
  virtual std::unique_ptr<Transfer> start_receive(std::span<std::byte> bytes, uint32_t from) = 0;

  /// Moves bytes from one rank to another one, which receives as many, of any number. Returns when
  /// they may be changed, or are there.
  virtual void send(std::span<const std::byte> bytes, uint32_t to) = 0;
  virtual void receive(std::span<std::byte> bytes, uint32_t from) = 0;

  /// Ends all ranks at once.
  virtual void abort(int exit_code) = 0;
};

/// This process alone.
std::unique_ptr<Ranks> make_single_rank();

/// Whether this program was built with MPI.
bool has_mpi();

/// The ranks of MPI, which is started by this and ended by the destructor; once in a process.
/// Throws Error if this program was built without MPI. `argc` of main is not needed.
std::unique_ptr<Ranks> make_mpi_ranks();

/// Collective, as are the following. Replaces each value by its sum over all ranks.
void sum(Ranks& ranks, std::vector<uint64_t>& values);

/// Whether `one` is true on any rank.
bool any(Ranks& ranks, bool one);

/// The text of the first rank.
std::string text_of_first(Ranks& ranks, std::string text);

/// [rank], the texts of all ranks, on all of them.
std::vector<std::string> texts_of_all(Ranks& ranks, const std::string& text);

/// The value of the first rank, of a type that is copied byte by byte.
template <class T>
T value_of_first(Ranks& ranks, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  ranks.broadcast(std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

/// The values of the first rank, however many there are.
template <class T>
std::vector<T> values_of_first(Ranks& ranks, std::vector<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  values.resize(value_of_first(ranks, uint64_t(values.size())));
  ranks.broadcast(std::as_writable_bytes(std::span(values)));
  return values;
}

/// Waits until is_done(): at first without rest, as most waits are short, and then in short naps.
///
/// @param restless  how long without rest, at least: bytes move only while someone asks for them
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

/// For bytes that are on their way.
inline constexpr std::chrono::milliseconds kRestlessForBytes(5);

}  // namespace winnow
