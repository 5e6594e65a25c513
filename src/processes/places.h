// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "processes/processes.h"

namespace winnow {

/// Host and processors of a process.
struct ProcessPlace {
  uint32_t host = 0;       ///< index of the first process on the same host
  std::string host_name;   ///< name for messages
  std::string processors;  ///< [processor of the host], '1' if the process may run on it, else '0'

  bool operator==(const ProcessPlace&) const = default;
};

/// Returns the places of all processes: [process]. Collective.
std::vector<ProcessPlace> find_places(Processes& processes);

/// Returns the index of a process among the processes on its host.
uint32_t local_index(const std::vector<ProcessPlace>& places, uint32_t process);

/// Returns the number of threads with which a process should render on the CPU, at least one: its
/// part of the processors that it may use and may have to share with other processes of its host.
uint32_t thread_count(const std::vector<ProcessPlace>& places, uint32_t process);

}  // namespace winnow
