// SPDX-License-Identifier: MIT
#pragma once

// The version of the library. CMake reads it from here.

#define COMPACTION_VERSION_MAJOR 0
#define COMPACTION_VERSION_MINOR 3
#define COMPACTION_VERSION_PATCH 0

/// Increases with each version: major * 10000 + minor * 100 + patch.
#define COMPACTION_VERSION \
  (COMPACTION_VERSION_MAJOR * 10000 + COMPACTION_VERSION_MINOR * 100 + COMPACTION_VERSION_PATCH)
