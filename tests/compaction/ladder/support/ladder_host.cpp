// SPDX-License-Identifier: MIT
#include "tests/compaction/ladder/support/ladder_on.h"
#include "tests/compaction/ladder/support/selects_on.h"
#include "tests/compaction/support/host_device.h"

std::vector<LadderBackend> host_ladders() {
  std::vector<LadderBackend> backends;
  for (const auto& [name, schedule] : host_schedules())
    backends.push_back(
        {.name = name,
         .why_unavailable = [] { return std::string(); },
         .make_ladders = [schedule = schedule] { return make_ladders<HostDevice>(schedule); },
         .make_selects =
             [schedule = schedule] {
               return std::make_unique<LadderSelectsOn<HostDevice>>(schedule);
             }});
  return backends;
}
