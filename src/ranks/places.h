// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranks/ranks.h"

namespace winnow {

/// Where a rank runs.
struct RankPlace {
  uint32_t host = 0;       ///< the first rank on the same host
  std::string host_name;   ///< for messages
  std::string processors;  ///< [processor of the host], '1' if the rank may run on it, else '0'

  bool operator==(const RankPlace&) const = default;
};

/// Collective: [rank], the places of all ranks.
std::vector<RankPlace> find_places(Ranks& ranks);

/// Index of a rank among those on its host.
uint32_t local_rank(const std::vector<RankPlace>& places, uint32_t rank);

/// The ranks on the host of `rank`.
uint32_t local_count(const std::vector<RankPlace>& places, uint32_t rank);

/// Number of hosts.
uint32_t host_count(const std::vector<RankPlace>& places);

/// Threads with which a rank should render on the CPU: its part of the processors that it may run
/// on, of which other ranks of its host may run on the same; at least one.
uint32_t thread_count(const std::vector<RankPlace>& places, uint32_t rank);

}  // namespace winnow
