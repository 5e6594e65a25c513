// SPDX-License-Identifier: MIT
#include "base/error.h"
#include "ranks/ranks.h"

// Replaces mpi_ranks.cpp in builds without MPI.

namespace winnow {

bool has_mpi() {
  return false;
}

std::unique_ptr<Ranks> make_mpi_ranks() {
  throw Error("this winnow was built without MPI");
}

}  // namespace winnow
