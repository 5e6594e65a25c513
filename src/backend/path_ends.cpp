#include "backend/path_ends.h"

#include <algorithm>
#include <utility>

#include "compaction/simt/simt.h"

namespace winnow {

DeathMaps make_death_maps(std::vector<uint32_t> samples, std::vector<uint32_t> bounces,
                          const std::vector<uint32_t>& deaths) {
  DeathMaps maps;
  if (bounces.empty()) return maps;
  maps.deaths.resize(samples.size());
  for (size_t pixel = 0; pixel < samples.size(); ++pixel)
    std::copy_n(deaths.begin() + ptrdiff_t(pixel * kDeathCount), kDeathCount,
                maps.deaths[pixel].begin());
  maps.samples = std::move(samples);
  maps.bounces = std::move(bounces);
  return maps;
}

std::vector<AliveMask> make_alive_masks(const std::vector<uint32_t>& words,
                                        const std::vector<uint32_t>& entries,
                                        uint32_t words_per_bounce) {
  std::vector<AliveMask> masks;
  for (size_t bounce = 0; bounce < entries.size() && entries[bounce] > 0; ++bounce) {
    auto first = words.begin() + ptrdiff_t(bounce * words_per_bounce);
    uint32_t count = simt::ceil_div(entries[bounce], simt::kWarpSize);
    masks.push_back({entries[bounce], {first, first + count}});
  }
  return masks;
}

}  // namespace winnow
