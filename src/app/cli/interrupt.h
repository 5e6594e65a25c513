// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <csignal>
#include <cstdint>

namespace winnow {

/// Returns the milliseconds of a monotonic clock, above 0. Safe to call in a signal handler.
int64_t monotonic_milliseconds();

/// A request to end long work early. Several threads call requested().
class StopRequest {
 public:
  virtual ~StopRequest() = default;
  virtual bool requested() const = 0;
};

/// Catches signals during its lifetime, so that a render can end early and write its result: Ctrl-C
/// (SIGINT), SIGTERM, SIGHUP of a closed terminal (unless nohup ignores it), and SIGUSR1, which
/// mpirun passes on to all processes without ending them soon afterwards. A second signal ends the
/// program, unless it arrives within 200 ms of the first: some programs send each signal twice, to
/// the process and to its group. At most one object exists at a time.
class Interrupt : public StopRequest {
 public:
  /// @param clock  ms, above 0; must be safe to call in a signal handler
  explicit Interrupt(int64_t (*clock)() = monotonic_milliseconds);
  ~Interrupt() override;
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const override;

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};
  std::array<struct sigaction, kSignals.size()> previous_;
};

}  // namespace winnow
