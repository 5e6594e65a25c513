// SPDX-License-Identifier: MIT
#include "base/error.h"
#include "processes/processes.h"

// Replaces mpi_processes.cpp in builds without MPI.

namespace winnow {

bool has_mpi() {
  return false;
}

std::unique_ptr<Processes> make_mpi_processes() {
  throw Error(
      "this winnow was built without MPI; build it with -DWINNOW_MPI=ON where MPI is installed");
}

}  // namespace winnow
