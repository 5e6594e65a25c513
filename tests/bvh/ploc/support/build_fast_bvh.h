// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "backend/renderer.h"
#include "bvh/build/build_wide_bvh.h"

namespace winnow {

/// A fast build as a parameter of a test: on the host or on a GPU.
struct FastBuild {
  const char* name;
  bool on_gpu;
  /// Returns none if the tree would be too deep.
  std::function<std::optional<WideBvhArrays>(const HostScene&)> build;
};
inline void PrintTo(const FastBuild& build, std::ostream* out) {
  *out << build.name;
}

class BuildFastBvh : public testing::TestWithParam<FastBuild> {
 public:
  static std::string name(const testing::TestParamInfo<FastBuild>& info) { return info.param.name; }

 protected:
  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; GetParam().on_gpu && !why.empty())
      GTEST_SKIP() << why;
  }
  std::optional<WideBvhArrays> build(const HostScene& scene) { return GetParam().build(scene); }
};

}  // namespace winnow
