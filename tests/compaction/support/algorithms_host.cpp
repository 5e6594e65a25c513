#include "tests/compaction/support/algorithms_on.h"
#include "tests/compaction/support/host_device.h"

std::vector<Backend> host_backends() {
  std::vector<Backend> backends;
  for (const NamedSchedule& named : host_schedules())
    backends.push_back({.name = named.name,
                        .why_unavailable = [] { return std::string(); },
                        .make =
                            [schedule = named.schedule] {
                              return std::make_unique<AlgorithmsOn<HostDevice>>(schedule);
                            }});
  return backends;
}
