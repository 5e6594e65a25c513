// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace winnow {

/// Function that returns the value of an environment variable, or null.
using EnvironmentVariables = std::function<const char*(const char* name)>;

/// How this process was started together with others.
struct Launch {
  std::string launcher;  ///< name for messages, such as "mpirun"
  uint32_t index = 0;
  uint32_t count = 1;    ///< number of processes, more than one
  bool connects = true;  ///< true if MPI can connect the processes
};

/// Determines how this process was started. Does not use MPI, which takes a quarter of a second to
/// start and needs a launcher. Looks for, in this order:
///
/// - Open MPI's mpirun:             OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE
/// - other launchers with PMI, such as MPICH's mpiexec and srun --mpi=pmi2:  PMI_RANK and PMI_SIZE
/// - a step of Slurm's srun:        SLURM_PROCID and SLURM_STEP_NUM_TASKS. MPI connects its
///                                  processes only with --mpi=pmix, which sets PMIX_RANK.
///
/// Returns nothing if this process was started alone, for example by the script of a Slurm job.
/// Variables that are not numbers count as not set.
std::optional<Launch> find_launch(const EnvironmentVariables& environment = std::getenv);

}  // namespace winnow
