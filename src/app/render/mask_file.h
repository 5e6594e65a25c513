#pragma once

#include <filesystem>
#include <vector>

#include "wavefront/state/render_stats.h"

namespace winnow {

/// Writes what `compaction_bench --masks` replays, in the format that compaction/bench/mask_file.h
/// describes. Throws Error, which names the file, where that fails.
///
/// @param masks  [bounce]
void write_masks(const std::filesystem::path& file, const std::vector<AliveMask>& masks);

}  // namespace winnow
