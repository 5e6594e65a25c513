#include "tests/compaction/support/host_device.h"
#include "tests/compaction/support/ladder_on.h"

std::vector<LadderBackend> host_ladders() {
  std::vector<LadderBackend> backends;
  for (const NamedSchedule& named : host_schedules())
    backends.push_back(
        {.name = named.name,
         .why_unavailable = [] { return std::string(); },
         .make = [schedule = named.schedule] { return make_ladders<HostDevice>(schedule); }});
  return backends;
}
