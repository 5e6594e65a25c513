#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "compaction/select/flag_source.h"
#include "compaction/select/sequential_select.h"

namespace compaction {

/// Flags of one size and density, and what any select must make of them.
struct Problem {
  std::vector<uint8_t> flags;      ///< [n], 0 or 1
  std::vector<uint32_t> selected;  ///< indices of the set flags

  Problem(uint32_t n, double density) : flags(n), selected(n) {
    std::minstd_rand random(n);
    auto limit = uint64_t(density * double(std::minstd_rand::max()));
    for (uint8_t& flag : flags) flag = random() <= limit;
    simt::Span<uint32_t> out{selected.data(), selected.size()};
    selected.resize(sequential_select(FlagSource{{flags.data(), flags.size()}}, n, out));
  }

  /// The least that any algorithm moves: each flag once, each selected index once.
  double bytes() const { return double(flags.size()) + 4.0 * double(selected.size()); }
};

/// Shares of items that are kept.
inline const std::vector<double>& densities() {
  static const std::vector<double> all = {0.01, 0.10, 0.50, 0.90, 1.00};
  return all;
}

}  // namespace compaction
