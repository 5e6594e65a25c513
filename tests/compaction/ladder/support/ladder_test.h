// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/compaction/ladder/support/ladder.h"

// Common parts of the tests of the ladder. Each test runs on every backend with every rung.

namespace {

template <class Rung>
using RungParameter = std::tuple<LadderBackend, Rung>;

template <class Rung>
class OnRung : public testing::TestWithParam<RungParameter<Rung>> {
 protected:
  void SetUp() override {
    if (std::string why = backend().why_unavailable(); !why.empty()) GTEST_SKIP() << why;
    ladders_ = backend().make_ladders();
  }

  const LadderBackend& backend() const { return std::get<0>(this->GetParam()); }
  Rung rung() const { return std::get<1>(this->GetParam()); }

  template <class T, class Op>
  Ladder<T, Op>& ladder() {
    return *std::get<LadderPointer<T, Op>>(ladders_);
  }

 private:
  Ladders ladders_;
};

/// Names a test by its rung and its backend.
const auto name_of_rung = [](const auto& info) {
  const auto& [backend, rung] = info.param;
  return std::string(name_of(rung)) + "_" + backend.name;
};

const auto kHostLadders = testing::ValuesIn(host_ladders());
#if defined(WINNOW_GPU_TESTS)
const auto kCudaLadders = testing::ValuesIn(cuda_ladders());
#endif

}  // namespace
