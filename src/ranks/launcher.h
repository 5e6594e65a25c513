// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace winnow {

/// The value of an environment variable, or null.
using EnvironmentVariables = std::function<const char*(const char* name)>;

/// What has started this process together with others.
struct Launch {
  std::string launcher;  ///< for messages: "mpirun"
  uint32_t rank = 0;     ///< of this process
  uint32_t count = 1;    ///< processes, more than one
  bool connects = true;  ///< whether MPI can connect them
};

/// Finds out what started this process, without MPI, which takes a quarter of a second to start and
/// needs a launcher. In this order:
///
/// - Open MPI's mpirun:             OMPI_COMM_WORLD_RANK and OMPI_COMM_WORLD_SIZE
/// - other launchers with PMI, such as MPICH's mpiexec and srun --mpi=pmi2:  PMI_RANK and PMI_SIZE
/// - a step of Slurm's srun:        SLURM_PROCID and SLURM_STEP_NUM_TASKS. MPI connects its
///                                  processes only with --mpi=pmix, which sets PMIX_RANK.
///
/// None if this process was started alone, as in the script of a Slurm job itself. Numbers that
/// cannot be read count as not set.
std::optional<Launch> find_launch(const EnvironmentVariables& environment);

/// The same with the environment of this process.
std::optional<Launch> find_launch();

}  // namespace winnow
