// SPDX-License-Identifier: MIT
#include "processes/places.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace winnow {
namespace {

std::string name_of_this_host() {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

/// Returns ProcessPlace::processors of this process.
std::string processors_of_this_process() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // This fails on hosts with more processors than a cpu_set_t holds.
  if (::sched_getaffinity(0, sizeof(set), &set) != 0)
    return std::string(std::thread::hardware_concurrency(), '1');
  std::string processors(CPU_SETSIZE, '0');
  for (size_t i = 0; i < processors.size(); ++i)
    if (CPU_ISSET(i, &set)) processors[i] = '1';
  processors.resize(processors.rfind('1') + 1);
  return processors;
}

bool share_processors(const ProcessPlace& a, const ProcessPlace& b) {
  if (a.host != b.host) return false;
  const size_t both = std::min(a.processors.size(), b.processors.size());
  for (size_t i = 0; i < both; ++i)
    if (a.processors[i] == '1' && b.processors[i] == '1') return true;
  return false;
}

}  // namespace

std::vector<ProcessPlace> find_places(Processes& processes) {
  std::vector<uint64_t> hosts(processes.count());
  hosts[processes.index()] = processes.host();
  sum(processes, hosts);
  const std::vector<std::string> names = texts_of_all(processes, name_of_this_host());
  const std::vector<std::string> processors = texts_of_all(processes, processors_of_this_process());
  std::vector<ProcessPlace> places;
  for (uint32_t process = 0; process < processes.count(); ++process)
    places.push_back({uint32_t(hosts[process]), names[process], processors[process]});
  return places;
}

uint32_t local_index(const std::vector<ProcessPlace>& places, uint32_t process) {
  return uint32_t(
      std::count_if(places.begin(), places.begin() + process,
                    [&](const ProcessPlace& place) { return place.host == places[process].host; }));
}

uint32_t thread_count(const std::vector<ProcessPlace>& places, uint32_t process) {
  const ProcessPlace& own = places[process];
  uint32_t sharing = 0, before = 0;  // processes that share its processors; those with lower index
  for (uint32_t other = 0; other < places.size(); ++other) {
    if (other != process && !share_processors(own, places[other])) continue;
    ++sharing;
    if (other < process) ++before;
  }
  const auto processors = uint32_t(std::count(own.processors.begin(), own.processors.end(), '1'));
  return std::max(processors / sharing + (before < processors % sharing ? 1 : 0), 1u);
}

}  // namespace winnow
