// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "film/film_tiles.h"
#include "processes/launcher.h"

namespace winnow {

/// Parses I/N, share I of N, counted from 0; or auto, which takes both from the scheduler that
/// started this process: the task of an array job of Slurm, the rank of Open MPI or of another
/// launcher with PMI, or the index of a Kubernetes job. Throws UsageError, which names `option` and
/// the expected form.
Share parse_share(const std::string& option, const std::string& text,
                  const EnvironmentVariables& environment);

/// Parses a share with the environment of this process.
Share parse_share_here(const std::string& option, const std::string& text);

}  // namespace winnow
