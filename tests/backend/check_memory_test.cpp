// SPDX-License-Identifier: MIT
#include "backend/check_memory.h"

#include <gmock/gmock.h>

#include "backend/renderer.h"
#include "tests/support/message_of.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

using testing::HasSubstr;

TEST(CheckMemory, AcceptsWhatFits) {
  EXPECT_NO_THROW(check_memory(100, 100, "here", "give up"));
  EXPECT_GE(free_host_memory(), 1u << 30);  // whatever a virtual machine says
}

TEST(CheckMemory, NamesTheEstimateAndTheRemedy) {
  EXPECT_EQ(
      message_of([] { check_memory(3ull << 30, 1ull << 30, "in memory", "use a smaller --size"); }),
      "this render needs 3.0 GiB in memory and 1.0 GiB are free; use a smaller --size");
}

TEST(CheckMemory, RejectsARenderThatDoesNotFit) {
  HostScene scene = mixed_scene();
  RenderSettings settings{.width = 512, .height = 512};
  settings.wave_size = 1u << 31;
  settings.threads = 1000;
  EXPECT_THAT(message_of([&] { make_cpu_renderer(scene, settings); }), HasSubstr("--wave-size"));
}

}  // namespace
}  // namespace winnow
