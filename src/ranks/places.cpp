// SPDX-License-Identifier: MIT
#include "ranks/places.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <thread>

namespace winnow {
namespace {

std::string name_of_this_host() {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

/// As in RankPlace.
std::string processors_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails on hosts with more processors than a cpu_set_t holds.
  if (::sched_getaffinity(0, sizeof(set), &set) != 0)
    return std::string(std::thread::hardware_concurrency(), '1');
  std::string processors(CPU_SETSIZE, '0');
  for (size_t i = 0; i < processors.size(); ++i)
    if (CPU_ISSET(i, &set)) processors[i] = '1';
  processors.resize(processors.rfind('1') + 1);
  return processors;
}

bool share_processors(const RankPlace& a, const RankPlace& b) {
  if (a.host != b.host) return false;
  const size_t both = std::min(a.processors.size(), b.processors.size());
  for (size_t i = 0; i < both; ++i)
    if (a.processors[i] == '1' && b.processors[i] == '1') return true;
  return false;
}

}  // namespace

std::vector<RankPlace> find_places(Ranks& ranks) {
  std::vector<uint64_t> hosts(ranks.count());
  hosts[ranks.rank()] = ranks.host();
  sum(ranks, hosts);
  const std::vector<std::string> names = texts_of_all(ranks, name_of_this_host());
  const std::vector<std::string> processors = texts_of_all(ranks, processors_of_this_process());
  std::vector<RankPlace> places;
  for (uint32_t rank = 0; rank < ranks.count(); ++rank)
    places.push_back({uint32_t(hosts[rank]), names[rank], processors[rank]});
  return places;
}

uint32_t local_rank(const std::vector<RankPlace>& places, uint32_t rank) {
  return uint32_t(std::count_if(places.begin(), places.begin() + rank, [&](const RankPlace& place) {
    return place.host == places[rank].host;
  }));
}

uint32_t local_count(const std::vector<RankPlace>& places, uint32_t rank) {
  return uint32_t(std::count_if(places.begin(), places.end(), [&](const RankPlace& place) {
    return place.host == places[rank].host;
  }));
}

uint32_t host_count(const std::vector<RankPlace>& places) {
  std::set<uint32_t> hosts;
  for (const RankPlace& place : places) hosts.insert(place.host);
  return uint32_t(hosts.size());
}

uint32_t thread_count(const std::vector<RankPlace>& places, uint32_t rank) {
  const RankPlace& own = places[rank];
  uint32_t sharing = 0, before = 0;  // ranks that share its processors, and those of lower rank
  for (uint32_t other = 0; other < places.size(); ++other) {
    if (other != rank && !share_processors(own, places[other])) continue;
    ++sharing;
    if (other < rank) ++before;
  }
  const auto processors = uint32_t(std::count(own.processors.begin(), own.processors.end(), '1'));
  return std::max(processors / sharing + (before < processors % sharing ? 1 : 0), 1u);
}

}  // namespace winnow
