#pragma once

#include <csignal>

namespace winnow {

/// Notes Ctrl-C (SIGINT) and SIGTERM while it lives, so that a render can end early and write what
/// there is. A second signal ends the program at once. There is at most one.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  bool requested() const;

 private:
  struct sigaction previous_int_, previous_term_;
};

}  // namespace winnow
