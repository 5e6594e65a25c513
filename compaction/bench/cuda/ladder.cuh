// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "compaction/bench/cuda/device_array.cuh"
#include "compaction/bench/cuda/race.cuh"
#include "compaction/simt/cuda/launch.cuh"
#include "compaction/simt/span.h"

namespace compaction::bench {

using LadderItem = uint32_t;

template <class T>
simt::Span<T> span_of(const DeviceArray<T>& array) {
  return {array.data(), array.size()};
}

/// A rung of the ladder as a contender, with a workspace of its own.
///
/// @param call  call(launcher, workspace) puts the algorithm on the launcher's stream
template <class Call>
Contender rung(const Session& session, std::string name, size_t workspace_bytes,
               std::shared_ptr<Result> result, Call call) {
  auto workspace = std::make_shared<DeviceArray<std::byte>>(workspace_bytes);
  workspace->fill(0);  // some rungs need it zeroed once
  return {std::move(name),
          [=, stream = session.stream()] {
            simt::cuda::Launcher launcher(stream);
            call(launcher, span_of(*workspace));
            check(launcher.status());
          },
          std::move(result)};
}

}  // namespace compaction::bench
