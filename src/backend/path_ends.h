#pragma once

#include <cstdint>
#include <vector>

#include "wavefront/state/render_stats.h"

namespace winnow {

/// Puts together what the film says of the ends of paths; empty where it was not asked.
///
/// @param samples  [pixel]
/// @param bounces  [pixel] or empty
/// @param deaths   [pixel][Death] or empty
DeathMaps make_death_maps(std::vector<uint32_t> samples, std::vector<uint32_t> bounces,
                          const std::vector<uint32_t>& deaths);

/// Cuts what was recorded into one mask for each bounce that there was.
///
/// @param words    [bounce][words_per_bounce] or empty
/// @param entries  [bounce]
std::vector<AliveMask> make_alive_masks(const std::vector<uint32_t>& words,
                                        const std::vector<uint32_t>& entries,
                                        uint32_t words_per_bounce);

}  // namespace winnow
