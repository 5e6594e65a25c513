// SPDX-License-Identifier: MIT
#include "app/render/share.h"

#include <fmt/core.h>

#include <cstdlib>

#include "app/cli/option_values.h"
#include "base/error.h"

namespace winnow {
namespace {

constexpr uint64_t kMaxShares = 1u << 22;  ///< number of tiles of the largest image

/// Returns the number in an environment variable, if it is set.
std::optional<uint64_t> number_in(const EnvironmentVariables& environment, const char* name) {
  const char* text = environment(name);
  if (!text || !*text) return std::nullopt;
  return parse_whole_number(name, text, 0, UINT32_MAX);
}

Share checked_share(const std::string& option, uint64_t index, uint64_t count) {
  if (count < 1 || count > kMaxShares || index >= count)
    throw UsageError(fmt::format("{}: {}/{} is not a share; expected I/N, with I from 0 to N - 1",
                                 option, index, count));
  return {uint32_t(index), uint32_t(count)};
}

/// Returns the share of a task in a job array of Slurm. Ids may start anywhere and have a step.
std::optional<Share> slurm_share(const std::string& option,
                                 const EnvironmentVariables& environment) {
  const auto id = number_in(environment, "SLURM_ARRAY_TASK_ID");
  const auto count = number_in(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) return std::nullopt;
  const uint64_t min = number_in(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const uint64_t max = number_in(environment, "SLURM_ARRAY_TASK_MAX").value_or(min + *count - 1);
  const uint64_t step =
      std::max<uint64_t>(number_in(environment, "SLURM_ARRAY_TASK_STEP").value_or(1), 1);
  if (max < min || *id < min || (max - min) / step + 1 != *count)
    throw UsageError(
        fmt::format("{} auto: the ids of this array job have gaps; give the share, as in {} "
                    "$SLURM_ARRAY_TASK_ID/16",
                    option, option));
  return checked_share(option, (*id - min) / step, *count);
}

}  // namespace

Share parse_share(const std::string& option, const std::string& text,
                  const EnvironmentVariables& environment) {
  if (text != "auto") {
    const size_t slash = text.find('/');
    if (slash == std::string::npos)
      throw UsageError(fmt::format("{}: \"{}\" is not I/N, as in 0/16, or auto", option, text));
    return checked_share(option, parse_whole_number(option, text.substr(0, slash), 0, UINT32_MAX),
                         parse_whole_number(option, text.substr(slash + 1), 0, UINT32_MAX));
  }
  if (const auto share = slurm_share(option, environment)) return *share;
  constexpr const char* kIndexAndCount[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                               {"PMI_RANK", "PMI_SIZE"},
                                               {"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"}};
  for (const auto& [index_name, count_name] : kIndexAndCount) {
    const auto index = number_in(environment, index_name),
               count = number_in(environment, count_name);
    if (index && count) return checked_share(option, *index, *count);
    if (index)
      throw UsageError(
          fmt::format("{} auto: {} is set and {} is not; set it to the number of shares", option,
                      index_name, count_name));
  }
  throw UsageError(fmt::format(
      "{} auto: no scheduler says which share this is (SLURM_ARRAY_TASK_ID, OMPI_COMM_WORLD_RANK, "
      "PMI_RANK, JOB_COMPLETION_INDEX); give it, as in {} 0/16",
      option, option));
}

Share parse_share_here(const std::string& option, const std::string& text) {
  return parse_share(option, text, [](const char* name) { return std::getenv(name); });
}

}  // namespace winnow
