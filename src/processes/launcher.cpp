// SPDX-License-Identifier: MIT
#include "processes/launcher.h"

#include <charconv>
#include <string_view>

namespace winnow {
namespace {

std::optional<uint32_t> number_of(const EnvironmentVariables& environment, const char* name) {
  const char* text = environment(name);
  if (!text) return std::nullopt;
  const std::string_view digits(text);
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Launch> find_launch(const EnvironmentVariables& environment) {
  struct Variables {
    const char *launcher, *index, *count;
  };
  constexpr Variables kOpenMpi{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"};
  constexpr Variables kPmi{"the launcher", "PMI_RANK", "PMI_SIZE"};
  constexpr Variables kSlurm{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"};
  for (const Variables& variables : {kOpenMpi, kPmi, kSlurm}) {
    const auto index = number_of(environment, variables.index);
    const auto count = number_of(environment, variables.count);
    if (!index || !count) continue;
    if (*count < 2 || *index >= *count) return std::nullopt;
    const bool is_slurm = variables.launcher == kSlurm.launcher;
    return Launch{variables.launcher, *index, *count, !is_slurm || environment("PMIX_RANK")};
  }
  return std::nullopt;
}

}  // namespace winnow
